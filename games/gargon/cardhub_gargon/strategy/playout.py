"""Playouts: lay strong cards in colours that few seats have laid, else pass.

The values of laying a card depend on little, so they are computed once, when the module is loaded.
"""

from random import Random

from cardhub_gargon.laying import legal_ends, legal_lays
from cardhub_gargon.strategy.evaluation import DRAWN, MAJORITY, SPENT, time_left
from cardhub_gargon.table import AMULETS, COLOURS, DONE, LAY, PASS, SPLITS, VALUE, Table

# Points that a zero adds by doubling, on average.
ZERO = 5.0
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
    return MAJORITY + (AMULETS[face] if VALUE[face] else ZERO)


def _lay_value(face: int, rivals: int, later: int) -> float:
    """Return the value of laying a card in a colour laid by `rivals`, with `later` seats to lay."""
    value = VALUE[face]
    alone = 0.0 if rivals else (1 - LATER) ** later
    beats = (value / VALUES) ** max(1, rivals) if value else 0.0
    contested = beats * _card_value(face) + (1 - beats) * DRAWN
    return alone * _card_value(face) + (1 - alone) * contested - SPENT * value


FACES = range(len(VALUE))
# The values of laying a card, by the numbers of rivals and of seats yet to lay, and by face.
LAY_VALUES = [
    [[_lay_value(face, rivals, later) for face in FACES] for later in range(SEATS)]
    for rivals in range(SEATS)
]
# The values by face if the seat has laid the colour itself.
SECOND_VALUES = [SECOND * _card_value(face) - SPENT * VALUE[face] for face in FACES]


def lay_or_pass(state: Table, rng: Random) -> int:
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
