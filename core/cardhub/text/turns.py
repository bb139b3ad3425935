"""Whose turn it is and what to do, in one line."""

from collections.abc import Sequence
from typing import Any

from cardhub.hidden.observation import Observation
from cardhub.table.state import CHANCE, OVER


def whose_turn(observation: Observation[Any], players: Sequence[str], prompt: str) -> str:
    """Return who is to act and how the game instructs them; `players` as they are to be called."""
    seat = observation.state.seat
    if seat == OVER:
        return "The game is over"
    if seat == CHANCE:
        return f"Chance: {prompt}"
    if seat == observation.seat:
        return f"Your turn, {players[seat]}: {prompt}"
    return f"Waiting for {players[seat]}: {prompt}"
