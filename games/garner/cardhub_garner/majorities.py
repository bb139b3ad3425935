"""Majorities: who has won which suit, and who the game."""

from cardhub_garner.layouts import Layout
from cardhub_garner.table import SUIT, Table, layout_of


def counts(state: Table) -> list[list[int]]:
    """Return how many cards of each suit every seat has collected."""
    held = [[0] * len(layout_of(state).cards) for _ in state.won]
    for seat, tokens in enumerate(state.won):
        for token in tokens:
            held[seat][SUIT[state.face[token]]] += 1
    return held


def weights(layout: Layout, held: list[int]) -> int:
    """Return the weight of the suits of which these are more than half the cards (garner R8)."""
    suits = zip(held, layout.majorities, layout.weights, strict=True)
    return sum(weight for count, needed, weight in suits if count >= needed)


def is_decided(state: Table) -> bool:
    """Return whether somebody has won suits of more than half of the weight (garner R8, R9)."""
    layout = layout_of(state)
    return any(weights(layout, held) >= layout.enough for held in counts(state))


def total_scores(state: Table) -> list[int]:
    """Return the suit weight every seat has won, or zeros as long as nobody has the majority.

    A seat without it does not win by having more than the other, so both have the same
    (garner R8). Where a suit counts half, weight is counted in halves.
    """
    layout = layout_of(state)
    won = [weights(layout, held) for held in counts(state)]
    return won if max(won) >= layout.enough else [0] * len(won)
