"""Specs of bots, such as `ismcts:iterations=2000,rollout=rule`, and the types of their options."""

import re
import shlex
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from typing_extensions import override

from cardhub.base.errors import OptionError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.bots.bot import BotEntry
from cardhub.model.table.settings import Number, Option, Settings, Value, read_settings

_NAMES = re.compile(r"(\w+(,\w+)*)?")
# The name of a bot with its options.
NAMED = re.compile(r"[\w-]+:")


@dataclass(frozen=True, slots=True)
class TextOption(Option):
    """An option whose values are texts."""

    help: str
    default: str = ""
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
class AnyBot(Option):
    """An option of a bot that is another bot for the same game, for example `rule`.

    The value is a function that takes a generator and returns the other bot.
    """

    default: str
    help: str

    @override
    def describe(self, seats: int) -> str:
        return "the name of a bot"

    @override
    def read(self, value: Value, seats: int) -> str | None:
        return value if isinstance(value, str) and value else None


class GuideBot(AnyBot):
    """An option that is another bot, an Evaluator; a file alone is short for `net:FILE`.

    The value is None for `random`, which estimates nothing.
    """

    __slots__ = ()

    @override
    def read(self, value: Value, seats: int) -> str | None:
        # The names of bots and levels have no dot, and files of networks have one.
        is_file = isinstance(value, str) and "." in value and not NAMED.match(value)
        return f"net:{value}" if is_file else super().read(value, seats)


class Workers(Number):
    """An option that is a number of processes, including the bot's own process.

    The value is a WorkerPool.
    """

    __slots__ = ()


class Command(TextOption):
    """An option of a bot that is a command, split into words like in a POSIX shell.

    In a spec it follows the other options: `cmd:seconds=5 node my_bot.js`. The value is a
    ProgramPool of running programs.
    """

    __slots__ = ()
    description = "a program and its arguments, quoted as in a shell: node my_bot.js"

    @override
    def accepts(self, text: str) -> bool:
        try:
            # The start of the program uses the same function, so an accepted value can be started.
            return bool(shlex.split(text))
        except ValueError:
            return False  # a quotation mark is not closed


class Variables(TextOption):
    """An option that lists names of environment variables, separated by commas; may be empty."""

    __slots__ = ()
    description = "names of environment variables, separated by commas"

    @override
    def accepts(self, text: str) -> bool:
        return _NAMES.fullmatch(text) is not None


class FileName(TextOption):
    """An option that names a file to write, or is empty."""

    __slots__ = ()
    description = "the name of a file"

    @override
    def accepts(self, text: str) -> bool:
        return True


class Folder(TextOption):
    """An option that is the folder in which a Command starts, or empty, and without spaces.

    The program can read all its files, also in a sandbox.
    """

    __slots__ = ()
    description = "the path of a folder"

    @override
    def accepts(self, text: str) -> bool:
        return " " not in text


class File(TextOption):
    """An option of a bot that is a file to read, for example the weights of a network.

    The file must exist. A relative path starts in the working folder; the value is an absolute
    Path. Visitors of a server cannot choose a bot with an option of this type.
    """

    __slots__ = ()
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


class Spec(NamedTuple):
    """The name of a bot, and the text after the colon."""

    name: str
    rest: str = ""


def parse_spec(text: str) -> Spec:
    """Return the parts of a bot's spec, without checking the name."""
    name, _, rest = text.partition(":")
    return Spec(name.strip(), rest.strip())


def resolve_settings(entry: BotEntry, spec: Spec, game: str) -> Settings:
    """Return the values of a bot's options for a game; raises OptionError, which names the bot."""
    owner = f"Options of {entry.name}"
    try:
        settings = read_settings(entry.options, _parse_options(entry, spec.rest), 0, owner)
        for name, option in entry.options.items():
            if isinstance(option, File):
                _check_file(name, settings.word(name))
        if reason := entry.refusal(game, settings):
            raise OptionError(reason)
    except OptionError as error:
        raise OptionError(f"bot {entry.name!r}: {error}") from error
    return settings


def _check_file(name: str, text: str) -> None:
    if not text:
        raise OptionError(f"option {name} is missing. fix: name a file")
    if not Path(text).is_file():
        if Path(text).is_dir():
            raise OptionError(f"the file {text!r} is a folder")
        raise OptionError(f"the file {text!r} does not exist")


def _parse_options(entry: BotEntry, rest: str) -> Mapping[str, str]:
    for name, option in entry.options.items():
        if isinstance(option, Command):
            # Do not split at commas, because a command may contain commas.
            return _before_command(entry, name, rest)
    return _by_comma(entry, rest)


def _before_command(entry: BotEntry, command: str, rest: str) -> Mapping[str, str]:
    values: dict[str, str] = {}
    names = [name for name in entry.options if name != command]
    while rest:
        word, _, remaining = rest.partition(" ")
        key, equals, value = word.partition("=")
        if not equals or key not in names:
            # A misspelt option would otherwise become the name of the program.
            if equals and (hint := did_you_mean(key, names)):
                raise OptionError(f"unknown option {key!r}.{hint}")
            break
        _set(values, key, value)
        rest = remaining.lstrip()
    return values | {command: rest}


def _by_comma(entry: BotEntry, rest: str) -> Mapping[str, str]:
    """Return options separated by commas; a first value without a name is the first option's."""
    values: dict[str, str] = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            key, value = _unnamed(entry, part.strip(), not values), key
        _set(values, key, value)
    return values


def _set(values: dict[str, str], key: str, value: str) -> None:
    if key in values:
        raise OptionError(f"option {key} is given twice")
    values[key] = value


def _unnamed(entry: BotEntry, value: str, is_first: bool) -> str:
    if not entry.options:
        raise OptionError(f"it has no options, so {value!r} is not allowed")
    # The name of an option without a value is not a value of the first option.
    if not is_first or value in entry.options:
        raise OptionError(f"{value!r} is not KEY=VALUE")
    return next(iter(entry.options))
