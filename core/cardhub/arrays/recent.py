"""The last actions."""

from typing import Any

from cardhub.arrays.parts import Part, Slots, relative
from cardhub.game.game import Game
from cardhub.hidden.observation import Observation


class Recent:
    """The part `recent`: a row for each of the last actions, the very last one first."""

    def __init__(self, game: Game[Any], seats: int, length: int) -> None:
        self._seats, self._length = seats, length
        words = (
            f"a row for each of the last {length} actions, the very last first: who took it, "
            f"seats from the viewer's on, chance ({seats + 1}), and which ({game.actions.size})"
        )
        self.parts = (Part("recent", (length, seats + 1 + game.actions.size), words),)

    def fill(self, slots: Slots, observation: Observation[Any]) -> None:
        """See Section."""
        rows, seats = slots.reshape(self.parts[0].shape), self._seats
        if not self._length:
            return
        for row, (seat, action) in enumerate(reversed(observation.history[-self._length :])):
            who = relative(seat, observation.seat, seats) if seat >= 0 else seats
            rows[row, who] = 1
            rows[row, seats + 1 + action] = 1
