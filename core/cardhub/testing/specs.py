"""Checking installed bots, given as text."""

from collections.abc import Callable
from functools import partial

from cardhub.bots import BotEntry, Command, parse_spec
from cardhub.plugins.bot_parts import parts_of
from cardhub.plugins.registry import PluginRegistry
from cardhub.table.settings import Settings
from cardhub.testing.bots import check_bot
from cardhub.testing.findings import BotReport

UNITS = {"seconds": 1.0, "milliseconds": 0.001}
"""The names of options that say how long a bot may take, and what they count; 0 is no limit."""


def check_spec(
    registry: PluginRegistry,
    spec: str,
    game: str,
    *,
    positions: int = 200,
    seed: int = 0,
    clock: bool = False,
    watch: Callable[[int], None] = lambda asked: None,
) -> BotReport:
    """Return what is wrong with an installed bot in one game; see check_bot.

    `spec` is a bot as text, or a level. How long it may take and whether it looks at the clock
    follows from its options; `clock` says so of a program. Raises PluginError or OptionError if
    there is no such bot.
    """
    settings = registry.settings_of(spec, game)
    return check_bot(
        partial(registry.make_bot, spec, game),
        registry.game(game),
        positions=positions,
        seed=seed,
        limit=_limit(settings),
        uses_clock=clock or looks_at_clock(registry, spec, game),
        renew=registry.close if is_program(entry_of(registry, spec, game)) else None,
        watch=watch,
    )


def looks_at_clock(registry: PluginRegistry, spec: str, game: str) -> bool:
    """Return whether a bot, or another one that it uses, says that it looks at the clock.

    No program can say so.
    """
    parts = parts_of(registry, spec, game)
    return any(part.looks_at_clock for part in parts if not part.command)


def entry_of(registry: PluginRegistry, spec: str, game: str) -> BotEntry:
    """Return the bot that a spec or a level stands for; raises PluginError."""
    meant = registry.levels(game).get(spec, spec)
    return registry.bot(parse_spec(meant).name, game)


def is_program(entry: BotEntry) -> bool:
    """Return whether a bot is a program that only its own process knows about."""
    return any(isinstance(option, Command) for option in entry.options.values())


def _limit(settings: Settings) -> float | None:
    """Return how many seconds an answer may take, if the options say so."""
    limits = (float(str(settings[name])) * unit for name, unit in UNITS.items() if name in settings)
    return next((limit for limit in limits if limit), None)
