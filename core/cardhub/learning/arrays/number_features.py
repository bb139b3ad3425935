"""Features of the turn, of the scores and of the ints that a game's states declare.

Ints are scaled, and also one-hot if they have few values; the turn is one-hot. Nearly all values
fit into bytes, so the encoding of a byte is looked up in tables. This needs few operations of
numpy, each of which costs as much as the encoding of several rows.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.learning.arrays.card_features import Kinds
from cardhub.learning.arrays.feature_spec import (
    Part,
    Row,
    Section,
    Slots,
    consecutive,
    relative,
    wide_ints,
)
from cardhub.learning.arrays.field_ranges import SCORES, Extent, Extents
from cardhub.learning.arrays.state_features import (
    FILLER,
    TURN,
    FieldSlots,
    Reading,
    field_slots,
    fitted,
    in_columns,
    owner_text,
)
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


# From this number of rows on, numpy is faster than a loop.
FEW_ROWS = 3
# The values of a narrow column, which is one byte.
BYTES = range(FILLER + 1)
# In tables, the one-hot slot of a value that has none: far below all slots.
NO_SLOT = int(np.iinfo(np.intp).min) // 2


class NumberFeatures:
    """A part for each field of numbers, and `scores`; then one-hot parts for fields of few values.

    A number takes one slot: 0.5 for the greatest declared value, always below 1; a bool is 0 or 1.
    Lists with one value per seat begin with the viewer's value. One-hot slots exist for the
    declared values; for other values all of them are 0. The slots of the turn, which
    come before all others, are filled here as well.
    """

    def __init__(self, extents: Extents, seats: int, turn: TurnFeatures) -> None:
        # `BitFeatures` encodes sets; a constant tells nothing.
        numeric = {n: e for n, e in extents.items() if e and not e.bits and not e.is_constant}
        self.fields = [field_slots(name, extent, seats) for name, extent in numeric.items()]
        of_numbers = [_number_part(field, numeric[field.name]) for field in self.fields]
        of_ones = [
            _one_hot_part(field, numeric[field.name])
            for field in self.fields
            if field.is_enumeration
        ]
        self.parts = consecutive([*of_numbers, *of_ones])
        self._seats, self._start = seats, turn.size
        self._count = sum(part.size for part in of_numbers)
        starts = {part.name: turn.size + part.start for part in self.parts}
        self.numbers = [_number(field, numeric[field.name], starts) for field in self.fields]
        self.scales = [scale for number in self.numbers for scale in number.scales()]
        self._tabulate(turn)

    def _tabulate(self, turn: TurnFeatures) -> None:
        ordered = in_columns(self.fields)
        numbers = sorted(self.numbers, key=lambda number: ordered.index(number.field))
        viewers = range(-1, self._seats + 1)
        # Two tables by narrow column and byte: the value of a number's slot, and the number of the
        # one-hot slot, counted from the first one-hot slot of the viewer and column.
        self._value_lists = [[0.0 for _ in BYTES] for _ in TURN]
        self._one_lists = turn.ones(BYTES, NO_SLOT)
        self._first_lists = [turn.first_ones() for _ in viewers]
        for number in numbers:
            if not number.field.is_wide:
                self._value_lists += number.value_tables()
            if number.field.is_enumeration:
                self._one_lists += number.one_tables()
                for viewer, first in zip(viewers, self._first_lists, strict=True):
                    first += number.first_ones(viewer, self._seats)
        self._wide = [number for number in numbers if number.field.is_wide]
        # By viewer and number's slot: the column of its value.
        ends = accumulate([field.width for field in ordered], initial=len(TURN))
        first_of = {field.name: end for field, end in zip(ordered, ends, strict=False)}
        self._order_lists = [
            [
                first_of[number.field.name] + place
                for number in self.numbers
                for place in number.field.places(viewer, self._seats)
            ]
            for viewer in viewers
        ]
        self._values = np.array(self._value_lists, np.float32)
        self._ones = np.array(self._one_lists, np.intp)
        self._first_ones = np.array(self._first_lists, np.intp)
        self._orders = np.array(self._order_lists, np.intp)
        self._bases = np.arange(0, self._values.size, len(BYTES))
        scales = [scale for number in self._wide for scale in number.scales()]
        usual = [most for number in self._wide for most in number.usual_values()]
        self._wide_scales, self._wide_usual = np.array(scales), np.array(usual)

    def fill(self, slots: Slots, reading: Reading) -> None:
        """Write the numbers and the one-hot slots into complete arrays."""
        if len(reading.rows) < FEW_ROWS:
            self._fill_few(slots, reading)
        else:
            self._fill_many(slots, reading)
        for number in reading.odd:
            self._fill_odd(slots[number], reading.rows[number])

    def _fill_many(self, slots: Slots, reading: Reading) -> None:
        codes, viewers = reading.octets + self._bases, reading.viewers
        first = np.arange(0, slots.size, slots.shape[1])[:, np.newaxis]
        ones = self._ones.take(codes[:, : len(self._ones)])
        ones += self._first_ones.take(viewers, axis=0)
        ones += first
        slots.reshape(-1)[ones[ones >= 0]] = 1
        scaled = self._values.take(codes)
        if self._wide:
            scaled = np.concatenate([scaled, self._scaled(reading.wide, len(slots))], axis=1)
        order = self._orders.take(viewers, axis=0)
        order += np.arange(0, scaled.size, scaled.shape[1])[:, np.newaxis]
        slots[:, self._start : self._start + self._count] = scaled.take(order)

    def _scaled(self, wide: list[int], rows: int) -> NDArray[np.float32]:
        """Return the encoded values of the wide columns."""
        raw = wide_ints(wide).reshape(rows, -1).astype(float)
        scaled: NDArray[np.float32] = (raw / self._wide_scales).astype(np.float32)
        # Within the declared range the scale is linear. Beyond it values approach 1 or
        # -1, so arrays stay within their bounds in games of any length.
        beyond = np.abs(raw) > self._wide_usual
        if beyond.any():
            far, usual = raw[beyond], np.broadcast_to(self._wide_usual, raw.shape)[beyond]
            scaled[beyond] = np.sign(far) - usual / (2 * far)
        return scaled

    def _fill_few(self, slots: Slots, reading: Reading) -> None:
        """Write the same value by value, because numpy is slower for few rows."""
        wide = iter(reading.wide)
        octets_by_row = reading.octets_by_row()
        for slots_of_row, row, octets in zip(slots, reading.rows, octets_by_row, strict=True):
            values = [table[octet] for table, octet in zip(self._value_lists, octets, strict=True)]
            for number in self._wide:
                values += number.written([next(wide) for _ in range(number.field.width)])
            order = self._order_lists[row.viewer + 1]
            slots_of_row[self._start : self._start + self._count] = [values[c] for c in order]
            # Not strict, because only enumerations, the first columns, have tables.
            tables = zip(self._one_lists, octets, self._first_lists[row.viewer + 1], strict=False)
            for table, octet, first in tables:
                if table[octet] >= 0:
                    slots_of_row[first + table[octet]] = 1

    def _fill_odd(self, slots: Slots, row: Row) -> None:
        """Write the numbers and the one-hot slots of a row that does not fit into the columns."""
        slots[self._start : self._start + sum(part.size for part in self.parts)] = 0
        start = self._start
        for number in self.numbers:
            field = number.field
            values = fitted(
                row.scores if field.name == SCORES else getattr(row.state, field.name), field
            )
            places = field.places(row.viewer, self._seats)
            slots[start : start + field.width] = [number.written(values)[place] for place in places]
            start += field.width
            if field.is_enumeration:
                count = values[field.room] if field.is_counted else field.room
                for place, first in enumerate(number.first_ones(row.viewer, self._seats)[:count]):
                    slot = first + number.one(values[place])
                    if slot >= 0:
                        slots[slot] = 1


class NumberSlots(NamedTuple):
    """The encoding of one field: `value / scale` up to `usual`, then a curve that approaches 1.

    `ones`: the field's first one-hot slot. Each value has `values` one-hot slots, the first one
    for `low`.
    """

    field: FieldSlots
    scale: float
    usual: float
    ones: int
    low: int
    values: int

    def scales(self) -> list[float]:
        """Return each slot's divisor."""
        field = self.field
        return [self.scale] * field.room + [float(field.room)] * field.is_counted

    def usual_values(self) -> list[float]:
        """Return each slot's greatest value on the linear scale."""
        return [self.usual] * self.field.room + [float(self.field.room)] * self.field.is_counted

    def written(self, values: Sequence[int]) -> list[float]:
        """Return the encoded values of the field's slots."""
        room = self.field.room
        return [*map(self._scaled, values[:room]), *(count / room for count in values[room:])]

    def _scaled(self, value: int) -> float:
        if -self.usual <= value <= self.usual:
            return value / self.scale
        return (1 if value > 0 else -1) - self.usual / (2 * value)

    def one(self, value: int) -> int:
        """Return the one-hot slot of a value, counted from the slot of the lowest value."""
        return value - self.low if 0 <= value - self.low < self.values else NO_SLOT

    def value_tables(self) -> list[list[float]]:
        """Return the encoded values by column and byte."""
        low, room = self.field.low, self.field.room
        values = [self._scaled(byte + low) for byte in BYTES]
        if self.field.is_counted and self.field.is_enumeration:
            values[FILLER] = 0.0
        counts = [byte / room for byte in BYTES]
        return [values] * room + [counts] * self.field.is_counted

    def one_tables(self) -> list[list[int]]:
        """Return one-hot slots by column and byte, counted from the slot of the lowest value."""
        ones = [self.one(byte + self.field.low) for byte in BYTES]
        if self.field.is_counted:
            ones[FILLER] = NO_SLOT
        return [ones] * self.field.room + [[NO_SLOT for _ in BYTES]] * self.field.is_counted

    def first_ones(self, viewer: int, seats: int) -> list[int]:
        """Return the slot of the lowest value, by column."""
        places = self.field.places(viewer, seats)
        return [self.ones + places.index(column) * self.values for column in range(len(places))]


def _number(field: FieldSlots, extent: Extent, starts: dict[str, int]) -> NumberSlots:
    most = 1 if extent.is_flag else max(extent.greatest, 1)
    scale = most if extent.is_flag else 2 * most
    ones = starts.get(_one_hot_name(field), 0)
    return NumberSlots(field, scale, most, ones, extent.low, extent.high - extent.low + 1)


def _number_part(field: FieldSlots, extent: Extent) -> Part:
    measured = range(field.room if extent.is_flag else 0, field.width)
    low = 0.0 if extent.is_flag else -1.0
    return Part(field.name, (field.width,), _words(field, extent), low=low, measured=(*measured,))


def _one_hot_name(field: FieldSlots) -> str:
    return f"{field.name}_one_hot"


def _one_hot_part(field: FieldSlots, extent: Extent) -> Part:
    count = extent.high - extent.low + 1
    shape = (count,) if field.is_single else (field.room, count)
    meaning = f"one-hot from {extent.low} to {extent.high}, {owner_text(field)}"
    return Part(_one_hot_name(field), shape, meaning)


def _words(field: FieldSlots, extent: Extent) -> str:
    kind = "false or true" if extent.is_flag else f"0.5 is {max(extent.greatest, 1)}"
    kind += "" if extent.is_declared else " as no range is declared"
    meaning = f"{kind}, {owner_text(field)}"
    if field.name == SCORES:
        return meaning + "; then 1 if they are known"
    return meaning + f"; then how many, 1 is {field.room}" if field.is_counted else meaning
