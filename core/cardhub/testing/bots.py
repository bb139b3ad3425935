"""All checks of a bot in one call."""

import random
from collections.abc import Callable
from random import Random
from typing import Any

from cardhub.errors import BotError, BotFaultError
from cardhub.game.game import Game
from cardhub.play.advice import explain
from cardhub.testing.findings import CHECKS, BotReport, Findings
from cardhub.testing.inspection import Inspection, Make
from cardhub.testing.kept import outside
from cardhub.testing.peeking import check_secrecy
from cardhub.testing.reaching import check_reach, listening, own_files
from cardhub.testing.repeating import check_again
from cardhub.testing.sampling import sit_in_games

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
