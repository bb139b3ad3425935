"""Evaluation of states, for search and for bots.

The constants of `evaluate` are those that best predict the final scores of games between bots;
`benchmarks/evaluation.py` measures how well. The values of single cards are estimates.
"""

from math import e, fsum
from operator import mul

from cardhub import OVER
from cardhub_gargon.scoring import total_scores
from cardhub_gargon.table import AMULETS, COLOURS, VALUE, Table

# Points that the bonus for a colour and easier battles are worth to a seat far ahead in it.
LEAD = 12.0
# The share of the amulets in hand that will be won.
HELD = 0.8
# Points for a zero in hand, and the share of the amulets won that it will double.
ZERO, DOUBLED = 3.5, 0.65
# With fewer cards in the smaller stack a hand can no longer be laid completely.
FEW = 6
# With this many cards in the smaller stack the end of the game is far off.
LONG = 20

# Points of a won card towards the bonus for its colour, on average.
MAJORITY = 1.6
# Points of a drawn card, far from the end of the game.
DRAWN = 1.5
# Points that a laid card would have been worth later, per point of its value.
SPENT = 0.12


def time_left(state: Table) -> float:
    """Return the distance of a state from the end of the game, from 0 to 1."""
    return min(1.0, min(map(len, state.stacks)) / LONG)


def evaluate(state: Table) -> list[float]:
    """Return the expected final score of every seat in a state."""
    if state.seat == OVER:
        return list(map(float, total_scores(state)))
    time = min(1.0, min(map(len, state.stacks)) / FEW)
    expected, leads = [], []
    for won, laid, hand in zip(state.won, state.laid, state.hand, strict=True):
        points, factors, lead = _won(state, won)
        held = _held(state, laid, points, factors) + time * _held(state, hand, points, factors)
        expected.append(sum(points) + held)
        leads.append(lead)
    shares = [LEAD / fsum(by_seat) for by_seat in zip(*leads, strict=True)]
    return [
        score + fsum(map(mul, lead, shares)) for score, lead in zip(expected, leads, strict=True)
    ]


def _won(state: Table, won: list[int]) -> tuple[list[int], list[int], list[float]]:
    """Return the points of the cards won, the factor of zeros and the lead, by colour."""
    points, factors, lead = [0] * len(COLOURS), [1] * len(COLOURS), [1.0] * len(COLOURS)
    face, back = state.face, state.back
    for token in won:
        colour = back[token]
        points[colour] += AMULETS[face[token]]
        factors[colour] *= 1 if VALUE[face[token]] else 2
        # A softmax of the numbers of cards: the seat with most gets nearly all of the bonus.
        lead[colour] *= e
    return list(map(mul, points, factors)), factors, lead


def _held(state: Table, cards: list[int], points: list[int], factors: list[int]) -> float:
    """Return the expected points of cards in hand or laid."""
    total, face, back = 0.0, state.face, state.back
    for token in cards:
        if VALUE[face[token]]:
            total += HELD * AMULETS[face[token]] * factors[back[token]]
        else:
            total += ZERO + DOUBLED * points[back[token]]
    return total
