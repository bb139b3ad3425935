"""All checks of a bot in one call."""

import random
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from cardhub.bots import BotEntry, Command, parse_spec
from cardhub.bots.asking import explain
from cardhub.errors import BotError, BotFaultError
from cardhub.game.game import Game
from cardhub.plugins.registry import PluginRegistry
from cardhub.table.settings import Settings
from cardhub.testing.bot_checks.bot_determinism import check_again, outside
from cardhub.testing.bot_checks.bot_findings import CHECKS, BotReport, Findings
from cardhub.testing.bot_checks.bot_secrecy import check_secrecy
from cardhub.testing.bot_checks.inspection import Inspection, Make, sit_in_games
from cardhub.testing.bot_checks.introspection import check_reach, listening, own_files

SAMPLED, LEAST = 4, 5
"""One in so many positions is looked at in other worlds by itself, but at least so many."""
REPEATED = ("seed", "memory", "secrecy")
"""The checks that ask again and compare answers."""


def check_bot(
    make: Make,
    game: Game[Any],
    *,
    positions: int = 200,
    seed: int = 0,
    limit: float | None = None,
    uses_clock: bool = False,
    renew: Callable[[], None] | None = None,
    watch: Callable[[int], None] = lambda asked: None,
) -> BotReport:
    """Return what is wrong with a bot in one game; `make` gets a generator and returns a new bot.

    The bot sits in random games, at one seat each, until it has been asked at so many positions;
    then new bots go through these games as they were, and in worlds that the seat cannot tell from
    them. `limit` is the longest an answer may take, in seconds. A bot that `uses_clock` is not
    asked again, since it may well answer otherwise. `renew` ends whatever outlives bots, such as
    programs that play one game after another. `watch` is called with how often it was asked.
    """
    findings = Findings(game.name)
    inspection = Inspection(make, game, seed, limit, renew, watch, findings)
    try:
        _inspect(inspection, positions, uses_clock)
    except BotError as error:
        findings.add("handshake", _with_cause(error), CHECKS["handshake"])
        findings.skip(CHECKS, "there was no bot to ask")
    return inspection.report()


def _inspect(inspection: Inspection, positions: int, uses_clock: bool) -> None:
    findings, lots = inspection.findings, random.getstate()
    if inspection.limit is None:
        findings.skip(["time"], "it declares no limit")
    if inspection.renew:
        inspection.renew()
    with inspection.made(Random(f"{inspection.seed} handshake")) as bot:
        held = outside(bot)
    with listening(own_files(bot)) as heard:
        _ask_all(inspection, positions, uses_clock, held, lots)
    check_reach(findings, bot, heard, is_program=inspection.renew is not None)


def _ask_all(
    inspection: Inspection, positions: int, uses_clock: bool, held: dict[str, object], lots: object
) -> None:
    findings = inspection.findings
    sit_in_games(inspection, positions)
    if random.getstate() != lots:
        what = "it draws from the module `random`, or seeds it"
        findings.add("seed", what, "it draws from its own generator alone")
    if not any(sitting.answers for sitting in inspection.sat):
        findings.skip(("legality", "observation", *REPEATED), "it has never answered")
    elif uses_clock:
        findings.skip(REPEATED, "its answers depend on the clock; with another limit they need not")
    else:
        check_again(inspection, held)
        if "secrecy" not in findings.skipped:
            check_secrecy(inspection, max(positions // SAMPLED, LEAST))


def _with_cause(error: BotError) -> str:
    """Return an error with the exception of the bot behind it, which only its author is told."""
    cause = error.__cause__ if isinstance(error, BotFaultError) else None
    return f"{error} ({explain(cause)})" if cause is not None else str(error)


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
    parts = registry.parts(spec, game)
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
