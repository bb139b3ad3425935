"""What a position of Garner promises: how likely suits are won as they stand, and the game."""

from functools import cache

from cardhub_garner.majorities import counts
from cardhub_garner.table import CARDS, Table, layout_of

TURN = 1.3
"""How much likelier a suit goes to the seat that acts next, as odds."""
SPARE = 0.0001
"""What a card is worth that decides nothing."""
MOST = CARDS.count
"""No group has more cards."""

Gains = list[tuple[float, ...]]
"""For every suit, what so many cards more of it add to the chance of winning it, by its weight."""


def gains(state: Table, seat: int) -> Gains:
    """Return what a seat gains by collecting cards of each suit."""
    held, layout = counts(state), layout_of(state)
    suits = zip(held[seat], held[1 - seat], layout.majorities, layout.weights, strict=True)
    return [_gains(own, other, needed, weight) for own, other, needed, weight in suits]


def evaluate(state: Table) -> list[float]:
    """Return how likely each seat wins the majority of the suits, as these stand."""
    layout, held, seat = layout_of(state), counts(state), max(state.seat, 0)
    won = [1.0] + [0.0] * sum(layout.weights)  # the chances of having won so much weight
    suits = zip(held[seat], held[1 - seat], layout.majorities, layout.weights, strict=True)
    for own, other, needed, weight in suits:
        chance = _chance(max(needed - own, 0), max(needed - other, 0))
        lost = [so_far * (1 - chance) for so_far in won]
        for total in range(weight, len(won)):
            lost[total] += won[total - weight] * chance
        won = lost
    mine = sum(won[layout.enough :])
    return [mine, 1 - mine] if seat == 0 else [1 - mine, mine]


@cache
def _gains(own: int, other: int, needed: int, weight: int) -> tuple[float, ...]:
    missing, rival = max(needed - own, 0), max(needed - other, 0)
    now = _chance(missing, rival)
    return tuple(
        weight * (_chance(max(missing - count, 0), rival) - now) + SPARE * count
        for count in range(MOST)
    )


def _chance(missing: int, rival: int) -> float:
    """Return the chance of winning a suit, by how many cards a seat needs and how many its rival.

    It is a race, in which the one with less to go is ahead.
    """
    if not missing or not rival:
        return float(missing < rival)
    return TURN * rival / (TURN * rival + missing)
