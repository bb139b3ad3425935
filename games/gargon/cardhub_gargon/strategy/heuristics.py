"""The heuristics of Gargon: playouts and the evaluation of states, for search and for bots.

Playouts lay strong cards in colours that few seats have laid, else pass. The constants of
`evaluate` are those that best predict the final scores of games between bots;
`benchmarks/evaluation.py` measures how well. The values of single cards are estimates.
"""

from math import e, fsum
from operator import mul
from random import Random

from typing_extensions import override

from cardhub import OVER, Heuristics
from cardhub_gargon.laying import legal_ends, legal_lays
from cardhub_gargon.scoring import total_scores
from cardhub_gargon.table import (
    AMULETS,
    CARDS,
    COLOURS,
    DONE,
    LAY,
    LAYING,
    PASS,
    SPLITS,
    VALUE,
    Table,
)

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


# Points that a zero adds by doubling, on average.
DOUBLING = 5.0
# The probability that a seat yet to lay contests a colour.
LATER = 0.35
# The probability that a second card of a colour is won.
SECOND = 0.6
# The range of the noise in the value of a card, in points.
NOISE = 2.0
# The leader stops when no further card has this value.
ENOUGH = 2.0
SEATS, VALUES = 5, 16


def _card_value(face: int) -> float:
    return MAJORITY + (AMULETS[face] if VALUE[face] else DOUBLING)


def _lay_value(face: int, rivals: int, later: int) -> float:
    """Return the value of laying a card in a colour laid by `rivals`, with `later` seats to lay."""
    value = VALUE[face]
    alone = 0.0 if rivals else (1 - LATER) ** later
    beats = (value / VALUES) ** max(1, rivals) if value else 0.0
    contested = beats * _card_value(face) + (1 - beats) * DRAWN
    return alone * _card_value(face) + (1 - alone) * contested - SPENT * value


FACES = range(len(VALUE))
# The values of laying a card depend on little, so they are computed once: by the numbers of rivals
# and of seats yet to lay, and by face.
LAY_VALUES = [
    [[_lay_value(face, rivals, later) for face in FACES] for later in range(SEATS)]
    for rivals in range(SEATS)
]
# The values by face if the seat has laid the colour itself.
SECOND_VALUES = [SECOND * _card_value(face) - SPENT * VALUE[face] for face in FACES]


class GargonHeuristics(Heuristics[Table]):
    """Strong cards in colours that few seats have laid; amulets and leads by colour."""

    playout_depth = 20
    face_rows = tuple(
        tuple(face for face, back in enumerate(CARDS.back_of) if back == colour)
        for colour in range(len(COLOURS))
    )
    row_numbers = ("colour", "fight")

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        if state.phase == LAYING:
            return _lay_or_pass(state, rng)
        return self.game.random_action(state, rng)

    @override
    def evaluate(self, state: Table) -> list[float]:
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
            score + fsum(map(mul, lead, shares))
            for score, lead in zip(expected, leads, strict=True)
        ]


def time_left(state: Table) -> float:
    """Return the distance of a state from the end of the game, from 0 to 1."""
    return min(1.0, min(map(len, state.stacks)) / LONG)


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


def _lay_or_pass(state: Table, rng: Random) -> int:
    """Sample an action of the laying phase: the best by value with noise."""
    ends, lays = legal_ends(state), legal_lays(state)
    if len(ends) + len(lays) == 1:
        return _pick(ends or lays, rng)
    best, value = _best_lay(state, lays, rng)
    if state.seat == state.leader:
        return DONE if ends and value < ENOUGH else best
    pass_value = DRAWN * 3 * time_left(state)
    if ends and (not lays or value * (state.colours + state.pair) < pass_value):
        full = [action for action in ends if sum(SPLITS[action - PASS]) == 3]
        return _pick(full or ends, rng)
    return best


def _best_lay(state: Table, lays: list[int], rng: Random) -> tuple[int, float]:
    seat, back, face, random = state.seat, state.back, state.face, rng.random
    values = _values_by_colour(state, (state.leader - seat - 1) % state.seats)
    for token in state.laid[seat]:
        values[back[token]] = SECOND_VALUES
    best, highest = -1, -99.0
    for action in lays:
        token = action - LAY
        value = values[back[token]][face[token]] + NOISE * (random() - 0.5)
        if value > highest:
            best, highest = action, value
    return best, highest


def _values_by_colour(state: Table, later: int) -> list[list[float]]:
    back, seat = state.back, state.seat
    rivals = [0] * len(COLOURS)
    for other, laid in enumerate(state.laid):
        if laid and other != seat:
            for colour in {back[token] for token in laid}:
                rivals[colour] += 1
    return [LAY_VALUES[count][later] for count in rivals]


def _pick(actions: list[int], rng: Random) -> int:
    return actions[int(rng.random() * len(actions))]
