"""Bots that load files or libraries: what to do before a process makes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from cardhub.base.errors import NoNetworkError, OptionError
from cardhub.bots import AnyBot, File
from cardhub.bots.bot import FOR_TABLES, warm_up_arguments
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Settings, Value, format_value
from cardhub.plugins.bot_index import LEVELS, BotPart
from cardhub.plugins.registry import PluginRegistry

# The number of seats of a table, and the values of its options.
_Table: TypeAlias = tuple[int, Settings]


def warm_up(
    registry: PluginRegistry,
    spec: str,
    game: str,
    seats: int | None = None,
    options: Mapping[str, Value] | None = None,
) -> None:
    """Load what the bots of a spec need at a table into this process; see `BotEntry.warm_up`.

    By default it is a table with the game's own number of seats and options. Raises PluginError,
    OptionError, or any exception of a bot's own code.
    """
    rules = registry.game(game)
    table = _table_of(rules, seats, options)
    for part in registry.parts(spec_at(registry, spec, game, seats, options), game):
        _load(part, rules, table)


def check_networks(
    registry: PluginRegistry, spec: str, game: Game[Any], seats: int, options: Settings
) -> None:
    """Raise OptionError if a bot of a spec needs a network that the game lacks for a table."""
    # A level has another bot there.
    if spec not in LEVELS and (reason := _missing_network(registry, spec, game, (seats, options))):
        raise OptionError(f"bot {spec!r}: {reason}")


def spec_at(
    registry: PluginRegistry,
    spec: str,
    game: str,
    seats: int | None = None,
    options: Mapping[str, Value] | None = None,
) -> str:
    """Return the spec that plays at a table, by default the game's own.

    If the bot of a level needs a network, and the game ships none for the table, the level is the
    usual one there; other specs stay as they are. Raises PluginError or OptionError.
    """
    if spec not in LEVELS:
        return spec
    rules = registry.game(game)
    if _missing_network(registry, spec, rules, _table_of(rules, seats, options)):
        return registry.usual_level(spec, game) or spec
    return spec


def _missing_network(registry: PluginRegistry, spec: str, game: Game[Any], table: _Table) -> str:
    """Return why a game has no network for a bot of a spec at a table, or an empty text.

    Raises BotError if the game has one that cannot be read.
    """
    for part in registry.parts(spec, game.name):
        if part.entry.needs_networks:
            try:
                _load(part, game, table)
            except NoNetworkError as error:
                return str(error)
    return ""


def _table_of(game: Game[Any], seats: int | None, options: Mapping[str, Value] | None) -> _Table:
    number = game.seats.default if seats is None else seats
    return number, resolve_options(game, options or {}, number)


def _load(part: BotPart, game: Game[Any], table: _Table) -> None:
    """Load what a bot needs; raises any exception of the bot's own code."""
    if (load := part.entry.warm_up) is not None:
        load(game, part.settings, *(table if warm_up_arguments(load) == FOR_TABLES else ()))


def takes_long(registry: PluginRegistry, spec: str, game: str) -> bool:
    """Return whether a bot of a spec has a warm-up; raises PluginError or OptionError."""
    return any(part.entry.warm_up is not None for part in registry.parts(spec, game))


def files_of(registry: PluginRegistry, spec: str, game: str) -> tuple[Path, ...]:
    """Return the files that the bots of a spec read; raises PluginError or OptionError."""
    return tuple(path for part in registry.parts(spec, game) for path in part.files)


def anchored(registry: PluginRegistry, spec: str, game: str) -> str:
    """Return a spec that names the same files in any working folder.

    Raises PluginError or OptionError.
    """
    if not files_of(registry, spec, game):
        return spec
    part = next(registry.parts(spec, game))
    given = []
    for name, option in part.entry.options.items():
        value = format_value(part.settings[name])
        if isinstance(option, File):
            value = str(Path(value).absolute())
        elif isinstance(option, AnyBot):
            value = anchored(registry, value, game)
        given.append(f"{name}={value}")
    return f"{part.entry.name}:{','.join(given)}"
