"""Types of options that only bots have."""

import re
import shlex
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import override

from cardhub.model.table.settings import Number, Option, Value

_NAMES = re.compile(r"(\w+(,\w+)*)?")


class TextOption(Option):
    """An option whose values are texts."""

    __slots__ = ()

    description: ClassVar[str]

    @abstractmethod
    def accepts(self, text: str) -> bool:
        """Return whether a text is a valid value."""

    @override
    def describe(self, seats: int) -> str:
        return self.description

    @override
    def read(self, value: Value, seats: int) -> str | None:
        return value if isinstance(value, str) and self.accepts(value) else None


@dataclass(frozen=True, slots=True)
class AnyBot(TextOption):
    """An option of a bot that is another bot for the same game, for example `rule`.

    The value is a function that takes a generator and returns the other bot.
    """

    default: str
    help: str
    description = "the name of a bot"

    @override
    def accepts(self, text: str) -> bool:
        return bool(text)


@dataclass(frozen=True, slots=True)
class Workers(Number):
    """An option that is a number of processes, including the bot's own process.

    The value is a WorkerPool.
    """


@dataclass(frozen=True, slots=True)
class Command(TextOption):
    """An option of a bot that is a command, split into words like in a POSIX shell.

    In a spec it follows the other options: `cmd:seconds=5 node my_bot.js`. The value is a
    ProgramPool of running programs.
    """

    help: str
    default: str = ""
    description = "a program and its arguments, quoted as in a shell: node my_bot.js"

    @override
    def accepts(self, text: str) -> bool:
        try:
            # The start of the program uses the same function, so an accepted value can be started.
            return bool(shlex.split(text))
        except ValueError:
            return False  # a quotation mark is not closed


@dataclass(frozen=True, slots=True)
class Variables(TextOption):
    """An option that lists names of environment variables, separated by commas; may be empty."""

    help: str
    default: str = ""
    description = "names of environment variables, separated by commas"

    @override
    def accepts(self, text: str) -> bool:
        return _NAMES.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class FileName(TextOption):
    """An option that names a file to write, or is empty."""

    help: str
    default: str = ""
    description = "the name of a file"

    @override
    def accepts(self, text: str) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class File(TextOption):
    """An option of a bot that is a file to read, for example the weights of a network.

    The file must exist. A relative path starts in the working folder; the value is an absolute
    Path. Visitors of a server cannot choose a bot with an option of this type.
    """

    help: str
    default: str = ""
    description = "the path of a file"

    @override
    def accepts(self, text: str) -> bool:
        return bool(text)


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
            # NaN is also rejected, because every comparison with it is false.
            return str(value) if self.low <= float(str(value)) <= self.high else None
        except ValueError:
            return None
