"""Types of options that only bots have."""

import re
import shlex
from dataclasses import dataclass

from typing_extensions import override

from cardhub.table.settings import Option, Value

_NAMES = re.compile(r"(\w+(,\w+)*)?")


@dataclass(frozen=True, slots=True)
class AnyBot(Option):
    """An option of a bot that is another bot for the same game, such as `rule`.

    The bot gets it as a function that takes a generator and returns the other bot.
    """

    default: str
    help: str

    @override
    def describe(self, seats: int) -> str:
        return "the name of a bot"

    @override
    def read(self, value: Value, seats: int) -> str | None:
        return value if isinstance(value, str) and value else None


@dataclass(frozen=True, slots=True)
class Command(Option):
    """An option of a bot that is a command, split into words as a POSIX shell does.

    In a spec it is the rest after the other options: `cmd:seconds=5 node my_bot.js`. The bot gets
    it as a Lender of running programs.
    """

    help: str
    default: str = ""

    @override
    def describe(self, seats: int) -> str:
        return "a program and its arguments, quoted as in a shell: node my_bot.js"

    @override
    def read(self, value: Value, seats: int) -> str | None:
        try:
            return value if isinstance(value, str) and shlex.split(value) else None
        except ValueError:
            return None  # a quotation mark is left open


@dataclass(frozen=True, slots=True)
class Seconds(Option):
    """An option that is a time in seconds, fractions allowed; its values are texts."""

    default: str
    help: str
    low: float
    high: float

    @override
    def describe(self, seats: int) -> str:
        return f"a number of seconds from {self.low:g} to {self.high:g}"

    @override
    def read(self, value: Value, seats: int) -> str | None:
        try:
            return str(value) if self.low <= float(str(value)) <= self.high else None
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Variables(Option):
    """An option that lists names of environment variables, separated by commas, or none."""

    help: str
    default: str = ""

    @override
    def describe(self, seats: int) -> str:
        return "names of environment variables, separated by commas"

    @override
    def read(self, value: Value, seats: int) -> str | None:
        return value if isinstance(value, str) and _NAMES.fullmatch(value) else None


@dataclass(frozen=True, slots=True)
class FileName(Option):
    """An option that names a file to be written, or none."""

    help: str
    default: str = ""

    @override
    def describe(self, seats: int) -> str:
        return "the name of a file"

    @override
    def read(self, value: Value, seats: int) -> str | None:
        return value if isinstance(value, str) else None
