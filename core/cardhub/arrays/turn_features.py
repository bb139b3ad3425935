"""Features of the turn: the viewer, the seat to act, the phase, and the last actions."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from cardhub.arrays.card_positions import Kinds
from cardhub.arrays.feature_spec import Part, Row, Section, Slots, consecutive, relative
from cardhub.game.game import Game
from cardhub.table.actions import Players, Tokens


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
        self._acting = [self._acting_slots(viewer) for viewer in range(-1, seats + 1)]

    @override
    def fill(self, slots: Slots, rows: Sequence[Row]) -> None:
        phase = self._phase
        for number, (state, viewer, _, _) in enumerate(rows):
            # The viewer is not rotated like other seats: it tells which seat an int in the state
            # means.
            if viewer >= 0:
                slots[number, viewer] = 1
            slots[number, self._acting[viewer + 1][state.seat + 2]] = 1
            if phase is not None:
                slots[number, phase + state.phase] = 1

    def _acting_slots(self, viewer: int) -> list[int]:
        """Return the slots of `seat` for chance, nobody and each seat, in this order."""
        seats, first = self._seats, self._seats + 1
        return [
            first + seats,
            first + seats + 1,
            *(first + relative(seat, viewer, seats) for seat in range(seats)),
        ]


class PastActions:
    """A column for each past action, `size` of them.

    An action on a card has a column for each kind: the face if the viewer knows it by now, else
    the back. One more column is for cards that have been shuffled at some time, as a token may be
    another card since. Without `kinds`, the columns are the actions as the game numbers them.
    """

    def __init__(self, game: Game[Any], seats: int, kinds: Kinds | None) -> None:
        self._actions, self._seats, self._kinds = game.actions, seats, kinds
        self._starts: list[int] = []
        self.size = 0
        for group in game.actions.groups:
            self._starts += [self.size] * group.size
            by_kind = kinds is not None and isinstance(group, Tokens)
            self.size += kinds.size + 1 if kinds and by_kind else group.size

    def columns(self, row: Row, actions: Sequence[int]) -> Sequence[int]:
        """Return the columns of some past actions for the row's viewer."""
        kinds = self._kinds
        if kinds is None:
            return actions
        of_kind = kinds.of_one(row)
        shuffled = {token for shuffle in row.state.shuffle_log for token in shuffle.tokens}
        found = []
        for action in actions:
            group, index = self._actions.by_action[action]
            if isinstance(group, Players):
                index = relative(index, row.viewer, self._seats)
            elif isinstance(group, Tokens):
                index = kinds.size if index in shuffled else of_kind[index] - kinds.first
            found.append(self._starts[action] + index)
        return found


class HistoryFeatures(Section):
    """The part `recent`: a row for each of the last actions, the latest first."""

    def __init__(self, actions: PastActions, seats: int, length: int) -> None:
        self._actions, self._seats, self._length = actions, seats, length
        meaning = (
            f"a row for each of the last {length} actions, the very last first: who took it, "
            f"seats from the viewer's on, chance ({seats + 1}), and which ({actions.size})"
        )
        self.parts = (Part("recent", (length, seats + 1 + actions.size), meaning),)

    @override
    def fill(self, slots: Slots, rows: Sequence[Row]) -> None:
        seats, length = self._seats, self._length
        ones = slots.reshape(len(rows), *self.parts[0].shape)
        for number, row in enumerate(rows):
            steps = row.history[-length:][::-1]
            columns = self._actions.columns(row, [action for _, action in steps])
            for line, ((seat, _), column) in enumerate(zip(steps, columns, strict=True)):
                who = relative(seat, row.viewer, seats) if seat >= 0 else seats
                ones[number, line, who] = 1
                ones[number, line, seats + 1 + column] = 1
