"""Bots as text: `random`, `ismcts:iterations=2000,rollout=rule`, `cmd:seconds=5 node my_bot.js`."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from cardhub.base.errors import OptionError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.bots.bot import BotEntry
from cardhub.bots.option import Command, File
from cardhub.model.table.settings import Settings, read_settings


class Spec(NamedTuple):
    """The name of a bot, and the text after the colon."""

    name: str
    rest: str = ""


def parse_spec(text: str) -> Spec:
    """Return the parts of a bot's spec; the name is not checked."""
    name, _, rest = text.partition(":")
    return Spec(name.strip(), rest.strip())


def settle(entry: BotEntry, spec: Spec, game: str) -> Settings:
    """Return the values of a bot's options for a game; raises OptionError naming the bot."""
    owner = f"Options of {entry.name}"
    try:
        settings = read_settings(entry.options, _given(entry, spec.rest), 0, owner)
        for name, option in entry.options.items():
            if isinstance(option, File):
                _check_file(name, settings.word(name))
        if why := entry.refusal(game, settings):
            raise OptionError(why)
    except OptionError as error:
        raise OptionError(f"bot {entry.name!r}: {error}") from error
    return settings


def _check_file(name: str, text: str) -> None:
    if not text:
        raise OptionError(f"option {name} is missing. fix: name a file")
    if not Path(text).is_file():
        what = "is a folder" if Path(text).is_dir() else "does not exist"
        raise OptionError(f"the file {text!r} {what}")


def _given(entry: BotEntry, rest: str) -> Mapping[str, str]:
    for name, option in entry.options.items():
        if isinstance(option, Command):
            # Not split at commas: a command may contain them.
            return _before_command(entry, name, rest)
    return _by_comma(entry, rest)


def _before_command(entry: BotEntry, command: str, rest: str) -> Mapping[str, str]:
    given: dict[str, str] = {}
    others = [name for name in entry.options if name != command]
    while rest:
        word, _, left = rest.partition(" ")
        key, equals, value = word.partition("=")
        if not equals or key not in others:
            # A misspelt option would otherwise become the name of the program.
            if equals and (hint := did_you_mean(key, others)):
                raise OptionError(f"unknown option {key!r}.{hint}")
            break
        _set(given, key, value)
        rest = left.lstrip()
    return given | {command: rest}


def _by_comma(entry: BotEntry, rest: str) -> Mapping[str, str]:
    """Return options separated by commas; a first value without a name is the first option's."""
    given: dict[str, str] = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            key, value = _unnamed(entry, part.strip(), not given), key
        _set(given, key, value)
    return given


def _set(given: dict[str, str], key: str, value: str) -> None:
    if key in given:
        raise OptionError(f"option {key} is given twice")
    given[key] = value


def _unnamed(entry: BotEntry, value: str, is_first: bool) -> str:
    if not entry.options:
        raise OptionError(f"it has no options, so {value!r} is not allowed")
    # The name of an option, given without a value, is no value of the first option.
    if not is_first or value in entry.options:
        raise OptionError(f"{value!r} is not KEY=VALUE")
    return next(iter(entry.options))
