"""What a position promises, told quickly: search bots weigh the middle of a game by it.

The numbers are those that tell best how games between bots end: `benchmarks/outlook.py` shows how
well.
"""

from math import e
from operator import mul

from cardhub import OVER
from cardhub_gargon.scoring import total_scores
from cardhub_gargon.table import AMULETS, COLOURS, VALUE, Table

LEAD = 12.0
"""What a colour is worth to whoever leads in it by far: its bonus, and easier battles."""
HELD = 0.8
"""Which part of the amulets in hand will be won."""
ZERO, DOUBLED = 3.5, 0.65
"""What a zero in hand promises, and which part of what is won already it will double."""
FEW = 6
"""With fewer cards in the smaller stack not all of a hand will be laid."""
LONG = 20
"""With so many cards in the smaller stack the end is far off."""


def remoteness(state: Table) -> float:
    """Return how far off the end is, from 0 to 1."""
    return min(1.0, min(map(len, state.stacks)) / LONG)


def outlook(state: Table) -> list[float]:
    """Return what every seat may expect to score."""
    if state.seat == OVER:
        return list(map(float, total_scores(state)))
    time = min(1.0, min(map(len, state.stacks)) / FEW)
    promises, leads = [], []
    for won, laid, hand in zip(state.won, state.laid, state.hand, strict=True):
        points, times, lead = _won(state, won)
        held = _held(state, laid, points, times) + time * _held(state, hand, points, times)
        promises.append(sum(points) + held)
        leads.append(lead)
    shares = [LEAD / sum(by_seat) for by_seat in zip(*leads, strict=True)]
    return [
        promise + sum(map(mul, lead, shares)) for promise, lead in zip(promises, leads, strict=True)
    ]


def _won(state: Table, won: list[int]) -> tuple[list[int], list[int], list[float]]:
    """Return by colour what the cards won score, what zeros multiply by, and how good the lead is.

    Leads compare by the power of the number of cards.
    """
    points, times, lead = [0] * len(COLOURS), [1] * len(COLOURS), [1.0] * len(COLOURS)
    face, back = state.face, state.back
    for token in won:
        colour = back[token]
        points[colour] += AMULETS[face[token]]
        times[colour] *= 1 if VALUE[face[token]] else 2
        lead[colour] *= e
    return list(map(mul, points, times)), times, lead


def _held(state: Table, cards: list[int], points: list[int], times: list[int]) -> float:
    """Return what cards promise that are not won yet."""
    total, face, back = 0.0, state.face, state.back
    for token in cards:
        if VALUE[face[token]]:
            total += HELD * AMULETS[face[token]] * times[back[token]]
        else:
            total += ZERO + DOUBLED * points[back[token]]
    return total
