"""Specs of bots: `random`, `ismcts:iterations=2000,rollout=rule`, `cmd:seconds=5 node bot.js`."""

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
