"""Run all checks of a bot in one game."""

import random
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from cardhub.base.errors import BotError, BotFaultError
from cardhub.bots import Bot, BotEntry, Command, parse_spec
from cardhub.bots.asking import explain
from cardhub.bots.bot import MixedBot
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Settings
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import PluginRegistry
from cardhub.testing.bot_checks.bot_findings import CHECKS, BotFindings, BotReport
from cardhub.testing.bot_checks.bot_secrecy import check_again, check_secrecy, global_state
from cardhub.testing.bot_checks.inspection import Inspection, Make
from cardhub.testing.bot_checks.introspection import check_reach, listening, own_files

# One in this number of positions is asked again with determinizations.
SECRECY_SHARE = 4
LEAST_SAMPLES = 5
# Checks that compare answers at the same positions.
REPEATED_CHECKS = ("seed", "memory", "secrecy")
# Options of bots that limit the time of an answer; 0 means without a limit.
SECONDS_PER_UNIT = {"seconds": 1.0, "milliseconds": 0.001}


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
    """Run all checks of a bot in one game; `make` returns a new bot, given its generator.

    The bot plays random games in one seat each, until it was asked at `positions` positions. Then
    new bots play these games again, also with determinizations of its observations. `limit` is the
    longest time of an answer in seconds. A bot that `uses_clock` is not asked again, since its
    answers may differ. `renew` ends processes that outlive bots, such as programs that play one
    game after another. `watch` is called with the number of answers.
    """
    findings = BotFindings(game.name)
    inspection = Inspection(make, game, seed, limit, renew, watch, findings)
    try:
        _inspect(inspection, positions, uses_clock)
    except BotError as error:
        # The bot's own exception is for its author only.
        cause = error.__cause__ if isinstance(error, BotFaultError) else None
        with_cause = f"{error} ({explain(cause)})" if cause is not None else str(error)
        findings.add("handshake", with_cause, CHECKS["handshake"])
        findings.skip(CHECKS, "there was no bot to ask")
    return inspection.report()


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
    """Run all checks of an installed bot in one game; see check_bot.

    `spec` is a bot spec or a level. Its options determine the time limit and whether it uses the
    clock; `clock` declares it for a program. Raises PluginError or OptionError for an unknown bot.
    """
    settings = registry.settings_of(spec, game)
    return check_bot(
        partial(_make, registry, spec, game),
        registry.game(game),
        positions=positions,
        seed=seed,
        limit=_limit(settings),
        uses_clock=clock or looks_at_clock(registry, spec, game),
        renew=registry.close if is_program(entry_of(registry, spec, game)) else None,
        watch=watch,
    )


def _make(registry: PluginRegistry, spec: str, game: str, rng: Random) -> Bot:
    warm_up(registry, spec, game)  # not part of the time for the first answer
    return registry.make_bot(spec, game, rng)


def looks_at_clock(registry: PluginRegistry, spec: str, game: str) -> bool:
    """Return whether a bot, or a bot that it uses, declares to use the clock; programs cannot."""
    parts = registry.parts(spec, game)
    return any(part.looks_at_clock for part in parts if not part.command)


def entry_of(registry: PluginRegistry, spec: str, game: str) -> BotEntry:
    """Return the bot of a spec or level; raises PluginError."""
    return registry.bot(parse_spec(registry.resolve(spec, game)).name, game)


def is_program(entry: BotEntry) -> bool:
    """Return whether a bot runs another program."""
    return any(isinstance(option, Command) for option in entry.options.values())


def _inspect(inspection: Inspection, positions: int, uses_clock: bool) -> None:
    findings, rng_state = inspection.findings, random.getstate()
    if inspection.limit is None:
        findings.skip(["time"], "it declares no limit")
    if inspection.renew:
        inspection.renew()
    # Making a bot once imports its modules: later comparisons then show only effects of playing.
    with inspection.made(Random(f"{inspection.seed} handshake")) as bot:
        before = global_state(bot)
        if not isinstance(bot, MixedBot):
            findings.skip(["policy"], "it has no method `policy`")
    with listening(own_files(bot)) as heard:
        _ask_all(inspection, positions, uses_clock, before, rng_state)
    check_reach(findings, bot, heard, is_program=inspection.renew is not None)


def _ask_all(
    inspection: Inspection,
    positions: int,
    uses_clock: bool,
    before: dict[str, object],
    rng_state: object,
) -> None:
    findings = inspection.findings
    inspection.play(positions)
    # Before any repetition: a draw from the module explains answers that differ.
    if random.getstate() != rng_state:
        problem = "it draws from the module `random`, or seeds it"
        findings.add("seed", problem, "it draws from its own generator alone")
    if not any(game.answers for game in inspection.played):
        findings.skip(
            ("legality", "policy", "observation", *REPEATED_CHECKS), "it has never answered"
        )
    elif uses_clock:
        reason = "its answers depend on the clock; with another limit they need not"
        findings.skip(REPEATED_CHECKS, reason)
    else:
        check_again(inspection, before)
        if "secrecy" not in findings.skipped:
            check_secrecy(inspection, max(positions // SECRECY_SHARE, LEAST_SAMPLES))


def _limit(settings: Settings) -> float | None:
    """Return the time limit in seconds, if the options set one."""
    limits = (
        float(str(settings[name])) * unit
        for name, unit in SECONDS_PER_UNIT.items()
        if name in settings
    )
    return next((limit for limit in limits if limit), None)
