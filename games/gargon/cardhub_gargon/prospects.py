"""What a position promises, told quickly: search bots weigh the middle of a game by it."""

from cardhub_gargon.scoring import amulets
from cardhub_gargon.table import VALUE, Table
from cardhub_gargon.worth import MAJORITY

HELD, STRENGTH = 0.8, 0.12
"""What a card in hand is worth while the game goes on, and every point of its value."""
LONG = 20
"""With so many cards in the smaller stack the end is far off."""


def remoteness(state: Table) -> float:
    """Return how far off the end is, from 0 to 1."""
    return min(1.0, min(map(len, state.stacks)) / LONG)


def outlook(state: Table) -> list[float]:
    """Return what every seat has won, and what its hand may still win."""
    far = remoteness(state)
    face = state.face
    return [
        points
        + MAJORITY * len(won)
        + far * sum(HELD + STRENGTH * VALUE[face[token]] for token in hand)
        for points, won, hand in zip(amulets(state), state.won, state.hand, strict=True)
    ]
