"""Having a bot sit in random games, and watching each of its answers."""

from itertools import islice
from random import Random
from typing import Any

from cardhub.play.setup import bot_generator
from cardhub.testing.asking import Answer
from cardhub.testing.inspection import Inspection
from cardhub.testing.playout import MOST_ACTIONS
from cardhub.testing.sitting import Sitting, sittings

FAULTY_GAMES = 3
"""After so many games that a fault of the bot has ended, no more are played."""


def allowed(limit: float) -> float:
    """Return how many seconds an answer may take at a limit, on a computer that is shared."""
    return limit * 1.2 + 0.25


def sit_in_games(inspection: Inspection, positions: int) -> None:
    """Have the bot sit in games until it has been asked at so many positions."""
    faulty = 0
    for sitting in islice(sittings(inspection.game, inspection.seed), positions):
        inspection.sat.append(sitting)
        faulty += not _sit(inspection, sitting, positions)
        if len(inspection.seconds) >= positions or faulty == FAULTY_GAMES:
            break


def _sit(inspection: Inspection, sitting: Sitting[Any], positions: int) -> bool:
    """Play a random game to its end, or until there are positions enough.

    Returns False if the bot does not answer with an action; that ends the game, too.
    """
    others = Random(f"{sitting.trial.seed} others")
    with inspection.made(bot_generator(sitting.trial.seed, sitting.seat)) as bot:
        referee = sitting.begin()
        while not referee.is_over and len(sitting.entries) < MOST_ACTIONS:
            if referee.seat != sitting.seat:
                referee.act(others.choice(referee.observe(referee.seat).legal()))
                continue
            answer = inspection.ask(bot, referee)
            _note(inspection, sitting, answer)
            if answer.action is None:
                return False
            referee.act(answer.action)
            if len(inspection.seconds) >= positions:
                break
    return True


def _note(inspection: Inspection, sitting: Sitting[Any], answer: Answer) -> None:
    """Keep an answer and its time, and whatever is wrong with them."""
    number, limit, findings = len(sitting.entries), inspection.limit, inspection.findings
    inspection.seconds.append(answer.seconds)
    if answer.action is not None:
        sitting.answers[number] = answer.told
    for check, what, expected in answer.flaws:
        findings.add(check, what, expected, sitting.place(number))
    if limit is not None and answer.seconds > allowed(limit):
        what = f"it takes {answer.seconds:.2f} s to answer"
        expected = f"{limit:g} s, or at most {allowed(limit):.2f} s on a busy computer"
        findings.add("time", what, expected, sitting.place(number))
