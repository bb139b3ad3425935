"""How much there is to decide: legal actions by decision and in the course of a game."""

from collections.abc import Sequence
from math import log10

from cardhub.lab.study.measures.study_game import StudyGame, Summand, known, measure
from cardhub.lab.study.study_schema import Choices, Measure, ProgressPoint

# Number of equal stretches that a game is divided into.
STRETCHES = 20


def choices(games: Sequence[StudyGame], level: float) -> Choices:
    """Return the numbers of legal actions of the games."""
    counts = [(game.deal, len(game.scores), game.trace.choices) for game in games]
    return Choices(
        mean=_rate([Summand(deal, sum(each), len(each)) for deal, _, each in counts], level),
        most=max((max(each, default=0) for *_, each in counts), default=0),
        forced=_rate([Summand(deal, each.count(1), len(each)) for deal, _, each in counts], level),
        free=known(
            [Summand(d, (len(each) - each.count(1)) / seats) for d, seats, each in counts], level
        ),
        log10_lines=known([Summand(d, sum(map(log10, each))) for d, _, each in counts], level),
        by_progress=tuple(_by_progress(games, level)),
    )


def _rate(parts: Sequence[Summand], level: float) -> Measure:
    # A game may end before its first decision.
    return measure(parts, level) or known([Summand(part.deal, 0.0) for part in parts], level)


def _by_progress(games: Sequence[StudyGame], level: float) -> list[ProgressPoint]:
    parts: list[list[Summand]] = [[] for _ in range(STRETCHES)]
    for game in games:
        found = game.trace.choices
        for number, legal in enumerate(found):
            parts[number * STRETCHES // len(found)].append(Summand(game.deal, legal))
    return [
        ProgressPoint((number + 0.5) / STRETCHES, measure(each, level))
        for number, each in enumerate(parts)
    ]
