"""Majorities: the suits that each seat has won, and the winner of the game."""

from cardhub_garner.layouts import Layout
from cardhub_garner.table import SUIT, Table, layout_of


def counts(state: Table) -> list[list[int]]:
    """Return the number of cards collected in a state, indexed by seat and suit."""
    held = [[0] * len(layout_of(state).cards) for _ in state.won]
    for seat, tokens in enumerate(state.won):
        for token in tokens:
            held[seat][SUIT[state.face[token]]] += 1
    return held


def weights(layout: Layout, held: list[int]) -> int:
    """Return the weight of the suits won with these numbers of cards (garner R8)."""
    suits = zip(held, layout.majorities, layout.weights, strict=True)
    return sum(weight for count, needed, weight in suits if count >= needed)


def is_decided(state: Table) -> bool:
    """Return whether a seat has more than half of the suit weight in a state (garner R8, R9)."""
    layout = layout_of(state)
    return any(weights(layout, held) >= layout.enough for held in counts(state))


def total_scores(state: Table) -> list[int]:
    """Return the suit weight won by every seat; zeros until a seat has the majority (garner R8).

    Where a suit counts half, weight is counted in halves.
    """
    # Without the majority a greater weight does not win, so both seats score the same.
    layout = layout_of(state)
    won = [weights(layout, held) for held in counts(state)]
    return won if max(won) >= layout.enough else [0] * len(won)
