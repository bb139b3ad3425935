"""The value of cards: each suit is a race for its majority.

`benchmarks/evaluation.py` measures how well it predicts the final scores of games between bots.
"""

from functools import cache

from cardhub_garner.layouts import Layout
from cardhub_garner.table import CARDS

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


@cache
def _gains(own: int, other: int, needed: int, weight: int) -> tuple[float, ...]:
    missing, rival = max(needed - own, 0), max(needed - other, 0)
    now = win_chance(missing, rival)
    # With SPARE a larger group is better also where it does not change the probability.
    return tuple(
        weight * (win_chance(max(missing - count, 0), rival) - now) + SPARE * count
        for count in range(MOST)
    )


def win_chance(missing: int, rival: int) -> float:
    """Return the probability to win a suit, by the cards that the seat and its rival miss."""
    if not missing or not rival:
        return float(missing < rival)
    return TURN * rival / (TURN * rival + missing)
