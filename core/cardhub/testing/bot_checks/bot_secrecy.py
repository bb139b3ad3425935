"""Check that hidden cards do not change a bot's answers.

The bot is asked in games dealt from determinizations of its own observations. It cannot distinguish
them from the true game, even with a memory, unless it reads more than its observations.
"""

from random import Random
from typing import Any

from cardhub.base.errors import DeterminizationError, IllegalActionError
from cardhub.play.setup import bot_generator
from cardhub.testing.bot_checks.bot_findings import BotFindings
from cardhub.testing.bot_checks.bot_game import BotGame
from cardhub.testing.bot_checks.inspection import Inspection

# Determinizations of each sampled position.
DRAWS = 2

EXPECTED = "the same answer, because its seat cannot tell the two games apart"


def check_secrecy(inspection: Inspection, samples: int) -> None:
    """Compare answers at `samples` positions of the inspected games, and in a part of each game."""
    rng, findings = Random(f"{inspection.seed} worlds"), inspection.findings
    positions = [(game, number) for game in inspection.played for number in game.answers]
    sampled = rng.sample(positions, min(samples, len(positions)))
    try:
        compared = sum(_compare_last(inspection, g.until(number), rng) for g, number in sampled)
        answered = [game for game in inspection.played if game.answers]
        compared += sum(_compare_from_deal(inspection, game, rng) for game in answered)
    except (DeterminizationError, IllegalActionError) as error:
        why = f"the game has no other world to ask in, see `cardhub check` ({error})"
        findings.skip(["secrecy"], why)
    else:
        if not compared:
            findings.skip(["secrecy"], "nothing was hidden from its seat")


def _compare_last(inspection: Inspection, game: BotGame[Any], rng: Random) -> int:
    """Ask new bots at the last position only; return the number of determinizations."""
    number = len(game.entries)
    others = [other for other in (_determinized(game, rng) for _ in range(DRAWS)) if other]
    if not others:
        return 0
    answers: list[str] = []
    # A new bot for each: it has no memory of earlier positions, real or not.
    for checked in (game, *others):
        checked.answers = {number: ""}  # the only position to ask at
        answers += [
            answer for _, answer in inspection.play_again(checked, Random(f"{number} at once"))
        ]
    different = [answer for answer in answers if answer != answers[0]]
    if different:
        _add_finding(game, number, answers[0], different[0], inspection.findings)
    return len(others)


def _compare_from_deal(inspection: Inspection, game: BotGame[Any], rng: Random) -> int:
    """Play the beginning of a game with a new bot; return the number of determinizations."""
    other = _determinized(game.until(rng.choice(list(game.answers))), rng)
    if other is None:
        return 0
    for number, answer in inspection.play_again(other, bot_generator(game.trial.seed, game.seat)):
        if answer != game.answers[number]:
            _add_finding(game, number, game.answers[number], answer, inspection.findings)
            break
    return 1


def _determinized(game: BotGame[Any], rng: Random) -> BotGame[Any] | None:
    """Return the game with the deal of a determinization, None if that is the true one."""
    drawn = game.replayed().observe(game.seat).determinize_whole(rng)
    other = game.with_deal_of(drawn)
    # With few hidden cards the true deal is drawn often; comparing it with itself shows no
    # difference.
    is_other = (other.faces, other.entries) != (game.faces, game.entries)
    return other if is_other else None


def _add_finding(
    game: BotGame[Any], number: int, here: str, elsewhere: str, findings: BotFindings
) -> None:
    problem = f"it answers {here}, but {elsewhere} if cards that its seat cannot see lie otherwise"
    findings.add("secrecy", problem, EXPECTED, game.location(number))
