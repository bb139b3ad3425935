"""Bots that load files or libraries: what to do before a process makes them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardhub.base.errors import BotError, OptionError
from cardhub.bots import AnyBot, File
from cardhub.bots.bot import FOR_TABLES, warm_up_arguments
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Settings, Value, format_value
from cardhub.plugins.registry import PluginRegistry


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
    number = rules.seats.default if seats is None else seats
    table = number, resolve_options(rules, options or {}, number)
    for part in registry.parts(spec, game):
        if (load := part.entry.warm_up) is not None:
            more = table if warm_up_arguments(load) == FOR_TABLES else ()
            load(rules, part.settings, *more)


def check_networks(
    registry: PluginRegistry, spec: str, game: Game[Any], seats: int, options: Settings
) -> None:
    """Raise OptionError if a bot of a spec needs a network that the game lacks for a table."""
    for part in registry.parts(spec, game.name):
        if part.entry.needs_networks and (load := part.entry.warm_up) is not None:
            table = (seats, options) if warm_up_arguments(load) == FOR_TABLES else ()
            try:
                load(game, part.settings, *table)
            except BotError as error:
                raise OptionError(f"bot {spec!r}: {error}") from error


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
