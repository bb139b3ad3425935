"""Features of the turn: the viewer, the seat to act, the phase, and the last actions."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from cardhub.learning.arrays.card_positions import Kinds
from cardhub.learning.arrays.feature_spec import Part, Row, Section, Slots, consecutive, relative
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.actions import Players, Tokens


class TurnFeatures:
    """The parts `viewer`, `seat` and, in games with phases, `phase`; each is one-hot."""

    def __init__(self, game: Game[Any], seats: int) -> None:
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
        self.size = sum(part.size for part in self.parts)
        self._has_phases = bool(phases)
        viewers = [*range(seats + 1), EVERYTHING]
        # The last viewer is -1 (EVERYTHING); the last two seats are -2 (chance) and -1 (game over).
        self.acting = [
            [*(relative(seat, viewer, seats) for seat in range(seats)), seats, seats + 1]
            for viewer in viewers
        ]
        """The slot of the part `seat`, by viewer and seat to act."""

    def ones(self, values: Sequence[int], no_slot: int) -> list[list[int]]:
        """Return the slot that is 1 by column of the turn and value, counted from `first_ones`."""
        # The viewer's number is absolute, because ints in the state may mean absolute seats.
        viewers = [no_slot, *values[:-1]]
        return [viewers, [*values], [*values] if self._has_phases else [no_slot] * len(values)]

    def first_ones(self) -> list[int]:
        """Return the first slot of each column of the turn."""
        return [part.start for part in self.parts] + [0] * (not self._has_phases)


class PastActions:
    """The columns of past actions; `size` is their number.

    An action on a card has a column for each kind: the face if the viewer knows it, else the back.
    One more column is for cards that were shuffled since, because their tokens may be other cards.
    `kinds`: the kinds of cards, or None for one column per action as the game numbers them.
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
        """Return the columns of these past actions for the row's viewer."""
        kinds = self._kinds
        if kinds is None:
            return actions
        of_kind = kinds.of_row(row)
        shuffled = {token for shuffle in row.state.shuffle_log for token in shuffle.tokens}
        columns = []
        for action in actions:
            group, index = self._actions.by_action[action]
            if isinstance(group, Players):
                index = relative(index, row.viewer, self._seats)
            elif isinstance(group, Tokens):
                index = kinds.size if index in shuffled else of_kind[index] - kinds.first
            columns.append(self._starts[action] + index)
        return columns


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
                actor = relative(seat, row.viewer, seats) if seat >= 0 else seats
                ones[number, line, actor] = 1
                ones[number, line, seats + 1 + column] = 1
