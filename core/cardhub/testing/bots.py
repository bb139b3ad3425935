"""All checks of a bot in one call."""

import random
from collections.abc import Callable
from random import Random
from typing import Any

from cardhub.errors import BotError
from cardhub.game.game import Game
from cardhub.play.table import bot_generator
from cardhub.testing.findings import CHECKS, BotReport, Findings, Place
from cardhub.testing.inspection import Inspection, Make
from cardhub.testing.kept import changed, outside
from cardhub.testing.peeking import check_secrecy
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
    watch: Callable[[int], None] = lambda asked: None,
) -> BotReport:
    """Return what is wrong with a bot in one game; `make` gets a generator and returns a new bot.

    The bot sits in random games, at one seat each, until it has been asked at so many positions;
    then new bots go through these games as they were, and in worlds that the seat cannot tell from
    them. `limit` is the longest an answer may take, in seconds. A bot that `uses_clock` is not
    asked again, since it may well answer otherwise. `watch` is called with how often it was asked.
    """
    findings = Findings(game.name)
    inspection = Inspection(make, game, seed, limit, watch, findings)
    if limit is None:
        findings.skip(["time"], "it declares no limit")
    lots = random.getstate()
    try:
        with inspection.made(Random(f"{seed} handshake")) as bot:
            held = outside(bot)
        sit_in_games(inspection, positions)
        if random.getstate() != lots:
            what = "it draws from the module `random`, or seeds it"
            findings.add("seed", what, "it draws from its own generator alone")
        if uses_clock:
            findings.skip(
                REPEATED, "its answers depend on the clock; with another limit they are compared"
            )
        else:
            check_again(inspection, held)
            check_worlds(inspection, max(positions // SAMPLED, LEAST))
    except BotError as error:
        findings.add("handshake", str(error), CHECKS["handshake"])
        findings.skip(CHECKS, "there was no bot to ask")
    return inspection.report()


def check_again(inspection: Inspection, held: dict[str, object]) -> None:
    """Have new bots go through the same games, the last one first, with the same generators.

    `held` is what the bot's classes and modules held before all games.
    """
    for sitting in reversed(inspection.sat):
        lots = bot_generator(sitting.trial.seed, sitting.seat)
        for number, told in inspection.again(sitting, lots):
            first = sitting.answers[number]
            if told != first:
                _report(
                    inspection,
                    held,
                    f"it first answers {first}, later {told}",
                    sitting.place(number),
                )
                break
    findings = inspection.findings
    if "seed" in findings.found:
        findings.skip(["memory"], "it cannot be told while the same seed gives different answers")
    elif "memory" in findings.found:
        findings.skip(["seed"], "it cannot be told while games played before make a difference")


def check_worlds(inspection: Inspection, samples: int) -> None:
    """Check that what is hidden makes no difference, unless something else does."""
    findings = inspection.findings
    if not any(sitting.answers for sitting in inspection.sat):
        findings.skip(("legality", "observation", *REPEATED), "it has never answered")
    elif findings.found.keys() & {"seed", "memory"}:
        findings.skip(["secrecy"], "it cannot be told while a new bot answers otherwise anyway")
    else:
        check_secrecy(inspection, samples)


def _report(inspection: Inspection, held: dict[str, object], what: str, place: Place) -> None:
    """Say why a new bot in the same game has answered otherwise."""
    with inspection.made(Random(f"{inspection.seed} handshake")) as bot:
        kept = changed(held, outside(bot))
    if "seed" not in inspection.findings.found and kept:
        what = f"{what}; meanwhile {', '.join(kept)} has changed"
        expected = "a new bot with an equal generator answers the same, whatever was played before"
        inspection.findings.add("memory", what, expected, place)
    else:
        expected = "the same answer, unless it is said to look at the clock"
        inspection.findings.add("seed", what, expected, place)
