"""Features of the turn: the viewer, the seat to act, the phase, and the last actions."""

from typing import Any

from typing_extensions import override

from cardhub.arrays.feature_spec import Part, Section, Slots, consecutive, relative
from cardhub.game.game import Game
from cardhub.hidden.observation import Observation
from cardhub.table.state import CHANCE


class TurnFeatures(Section):
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
        self.parts = consecutive(parts)
        self._phase = self.parts[-1].start if phases else None

    @override
    def fill(self, slots: Slots, observation: Observation[Any]) -> None:
        state, viewer, seats = observation.state, observation.seat, self._seats
        # The viewer is not rotated like other seats: it tells which seat an int in the state means.
        if viewer >= 0:
            slots[viewer] = 1
        if state.seat >= 0:
            acting = relative(state.seat, viewer, seats)
        else:
            acting = seats if state.seat == CHANCE else seats + 1
        slots[seats + 1 + acting] = 1
        if self._phase is not None:
            slots[self._phase + state.phase] = 1


class HistoryFeatures(Section):
    """The part `recent`: a row for each of the last actions, the latest first."""

    def __init__(self, game: Game[Any], seats: int, length: int) -> None:
        self._seats, self._length = seats, length
        meaning = (
            f"a row for each of the last {length} actions, the very last first: who took it, "
            f"seats from the viewer's on, chance ({seats + 1}), and which ({game.actions.size})"
        )
        self.parts = (Part("recent", (length, seats + 1 + game.actions.size), meaning),)

    @override
    def fill(self, slots: Slots, observation: Observation[Any]) -> None:
        rows, seats = slots.reshape(self.parts[0].shape), self._seats
        # history[-0:] would be the whole history.
        if not self._length:
            return
        for row, (seat, action) in enumerate(reversed(observation.history[-self._length :])):
            who = relative(seat, observation.seat, seats) if seat >= 0 else seats
            rows[row, who] = 1
            rows[row, seats + 1 + action] = 1
