"""Who looks, who is to act, and in which phase."""

from typing import Any

from cardhub.arrays.parts import Part, Slots, in_order, relative
from cardhub.game.game import Game
from cardhub.hidden.observation import Observation
from cardhub.table.state import CHANCE


class Turns:
    """The parts `viewer`, `seat` and, in games with phases, `phase`: one slot of each is 1."""

    def __init__(self, game: Game[Any], seats: int) -> None:
        self._seats = seats
        phases = len(game.phases)
        parts = [
            Part(
                "viewer", (seats + 1,), "who looks: a seat as the game numbers it, or a spectator"
            ),
            Part(
                "seat", (seats + 2,), "who is to act: a seat from the viewer's on, chance, nobody"
            ),
        ]
        if phases:
            parts.append(Part("phase", (phases,), f"one of {', '.join(game.phases)}"))
        self.parts = in_order(parts)
        self._phase = self.parts[-1].start if phases else None

    def fill(self, slots: Slots, observation: Observation[Any]) -> None:
        """See Section."""
        state, viewer, seats = observation.state, observation.seat, self._seats
        if viewer >= 0:
            slots[viewer] = 1
        if state.seat >= 0:
            acting = relative(state.seat, viewer, seats)
        else:
            acting = seats if state.seat == CHANCE else seats + 1
        slots[seats + 1 + acting] = 1
        if self._phase is not None:
            slots[self._phase + state.phase] = 1
