"""Evaluation of states: each suit is a race for its majority.

`benchmarks/evaluation.py` measures how well it predicts the final scores of games between bots.
"""

from functools import cache
from math import fsum

from cardhub_garner.layouts import Layout
from cardhub_garner.majorities import counts
from cardhub_garner.table import CARDS, Table, layout_of

# The factor in the odds of winning a suit for the seat to act.
TURN = 1.3
# The value of a card that changes no majority.
SPARE = 0.0001
# An upper bound of the number of cards in a group.
MOST = CARDS.count

# By suit and number of cards: the increase of the probability to win the suit, times weight.
Gains = list[tuple[float, ...]]


def gains(held: list[list[int]], layout: Layout, seat: int) -> Gains:
    """Return the gains of a seat from collecting cards, indexed by suit.

    `held` are the numbers of collected cards, as returned by `counts`.
    """
    suits = zip(held[seat], held[1 - seat], layout.majorities, layout.weights, strict=True)
    return [_gains(own, other, needed, weight) for own, other, needed, weight in suits]


def evaluate(state: Table) -> list[float]:
    """Return for a state the probability of each seat to win the majority of the suits."""
    layout, held, seat = layout_of(state), counts(state), max(state.seat, 0)
    # The distribution of the suit weight that the seat to act wins, updated suit by suit.
    weights = [1.0] + [0.0] * sum(layout.weights)
    suits = zip(held[seat], held[1 - seat], layout.majorities, layout.weights, strict=True)
    for own, other, needed, weight in suits:
        chance = _chance(max(needed - own, 0), max(needed - other, 0))
        updated = [probability * (1 - chance) for probability in weights]
        for total in range(weight, len(weights)):
            updated[total] += weights[total - weight] * chance
        weights = updated
    wins = fsum(weights[layout.enough :])
    return [wins, 1 - wins] if seat == 0 else [1 - wins, wins]


@cache
def _gains(own: int, other: int, needed: int, weight: int) -> tuple[float, ...]:
    missing, rival = max(needed - own, 0), max(needed - other, 0)
    now = _chance(missing, rival)
    # With SPARE a larger group is better also where it does not change the probability.
    return tuple(
        weight * (_chance(max(missing - count, 0), rival) - now) + SPARE * count
        for count in range(MOST)
    )


def _chance(missing: int, rival: int) -> float:
    """Return the probability to win a suit, by the cards that the seat and its rival miss."""
    if not missing or not rival:
        return float(missing < rival)
    return TURN * rival / (TURN * rival + missing)
