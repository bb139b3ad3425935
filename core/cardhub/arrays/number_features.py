"""Features of the scores and of the ints that a game's states declare: scaled, and one-hot."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.arrays.feature_spec import Part, Row, Section, Slots, consecutive, field_reader
from cardhub.arrays.list_slots import ListSlots
from cardhub.arrays.probe import SCORES, Extent, Extents
from cardhub.arrays.state_features import FieldSlots, field_slots, is_set, owner_text

# Fields with at most this many values, from the lowest to the highest, are also encoded one-hot.
MOST_VALUES, MOST_VALUES_OF_LISTS = 64, 16
# Number of values in a batch from which numpy is faster than a loop.
FEW_VALUES = 60


class OneHot(NamedTuple):
    """The one-hot slots, from `start` on, of the number in the slot `source`.

    Its values are `low` and the `values` - 1 above it. Of a list of changing length it is the
    number at `place`, and `length` is the slot of the length.
    """

    source: int
    low: int
    values: int
    start: int
    place: int = -1
    length: int = 0


class NumberFeatures(Section):
    """A part for each field of numbers, and `scores`; then one-hot parts of those with few values.

    A number takes one slot: 0.5 at the greatest value of the probe games, always below 1; a bool
    is 0 or 1. Lists with one value for each seat begin with the viewer's own. One-hot slots have
    the values of the probe games; of any other value all are 0.
    """

    def __init__(self, extents: Extents, seats: int) -> None:
        self._rows: list[FieldSlots] = []
        usual: list[float] = []
        scales: list[float] = []
        parts = []
        one_hot: list[tuple[FieldSlots, Extent, int]] = []
        for name, extent in extents.items():
            # A large int is a set of bits, and its size as a number means nothing.
            if extent is not None and extent.longest and not is_set(name, extent):
                row = field_slots(name, extent, seats)
                if is_enumeration(name, extent):
                    one_hot.append((row, extent, len(usual)))
                self._rows.append(row)
                parts.append(_number_part(row, extent))
                most = 1 if extent.is_flag else max(extent.greatest, 1)
                usual += [most] * row.room + [inf] * row.is_counted
                scales += [most if extent.is_flag else 2 * most] * row.room
                scales += [row.room] * row.is_counted
        self.scales = scales
        self._numbers = len(scales)
        parts += [_one_hot_part(row, extent) for row, extent, _ in one_hot]
        self.parts = consecutive(parts)
        self._one_hot = [*_one_hot_slots(one_hot, self._numbers)]
        self._one_hot_columns = np.array(self._one_hot, np.intp).reshape(-1, 6).T
        self._usual, self._scales = np.array(usual), np.array(scales)
        # Single values are read at once, and come before the lists.
        singles = [field for field in self._rows if field.is_single]
        lists = [field for field in self._rows if not field.is_single]
        self._lists = ListSlots(lists, len(singles), self._numbers)
        self._read_singles = field_reader([field.name for field in singles])
        # Scores are no field of the state, and come last: they are in each row.
        self._read_lists = field_reader([f.name for f in lists if f.name != SCORES])
        self._has_scores = any(field.name == SCORES for field in lists)
        viewers = range(-1, seats + 1)
        self._orders = [_order(self._rows, viewer, seats) for viewer in viewers]
        self._order = np.array(self._orders)
        self._usual_list, self._scale_list = usual, scales

    @override
    def fill(self, slots: Slots, rows: Sequence[Row]) -> None:
        singles: list[int] = []
        lists: list[Sequence[int]] = []
        for row in rows:
            singles += self._read_singles(row.state)
            lists += self._read_lists(row.state)
            if self._has_scores:
                lists.append(row.scores)
        if len(rows) * self._numbers < FEW_VALUES:
            self._fill_few(slots, singles, lists, rows)
            return
        collected = self._lists.collected(singles, lists, len(rows))
        first = np.arange(0, collected.size, self._numbers)[:, np.newaxis]
        raw = collected.take(self._order.take([row.viewer + 1 for row in rows], axis=0) + first)
        numbers = slots[:, : self._numbers]
        np.divide(raw, self._scales, out=numbers, casting="same_kind")
        # Within the range of the probe games the scale is linear. Beyond it values approach 1 or
        # -1, so that an array never leaves its bounds, however long a real game goes on.
        beyond = np.abs(raw) > self._usual
        if beyond.any():
            far = raw[beyond]
            usual = np.broadcast_to(self._usual, raw.shape)[beyond]
            numbers[beyond] = np.sign(far) - usual / (2 * far)
        if len(rows) * len(self._one_hot) > FEW_VALUES:
            self._fill_one_hot(slots, raw)
        elif self._one_hot:
            for number, of_row in enumerate(raw.astype(int).tolist()):
                self._mark_one_hot(slots, number, of_row)

    def _fill_one_hot(self, slots: Slots, raw: NDArray[np.float64]) -> None:
        source, low, values, start, place, length = self._one_hot_columns
        value = raw.take(source, axis=1) - low
        is_usual = (value >= 0) & (value < values) & (raw.take(length, axis=1) > place)
        # Of a flat array numpy finds the ones in a fraction of the time.
        found = is_usual.ravel().nonzero()[0]
        row_of, which = np.divmod(found, len(source))
        slots[row_of, start.take(which) + value.take(found).astype(np.intp)] = 1

    def _fill_few(
        self,
        slots: Slots,
        singles: Sequence[int],
        lists: Sequence[Sequence[int]],
        rows: Sequence[Row],
    ) -> None:
        """Write the same as `fill`, value by value: for few, numpy takes longer."""
        count = self._numbers
        by_row = self._lists.by_row(singles, lists, len(rows))
        for number, (row, values) in enumerate(zip(rows, by_row, strict=True)):
            raw = [values[place] for place in self._orders[row.viewer + 1]]
            scaled = map(_scaled, raw, self._scale_list, self._usual_list)
            slots[number, :count] = [*scaled]
            self._mark_one_hot(slots, number, raw)

    def _mark_one_hot(self, slots: Slots, number: int, raw: Sequence[int]) -> None:
        for source, low, values, start, place, length in self._one_hot:
            value = raw[source] - low
            if 0 <= value < values and (place < 0 or raw[length] > place):
                slots[number, start + value] = 1


def is_enumeration(name: str, extent: Extent) -> bool:
    """Return whether a field of numbers has so few values that it is also encoded one-hot."""
    most = MOST_VALUES if extent.is_single else MOST_VALUES_OF_LISTS
    is_short = 1 < extent.high - extent.low + 1 <= most
    return name != SCORES and not extent.is_flag and is_short


def _number_part(row: FieldSlots, extent: Extent) -> Part:
    size = row.room + row.is_counted
    measured = range(row.room if extent.is_flag else 0, size)
    low = 0.0 if extent.is_flag else -1.0
    return Part(row.name, (size,), _words(row, extent), low=low, measured=(*measured,))


def _one_hot_part(row: FieldSlots, extent: Extent) -> Part:
    count = extent.high - extent.low + 1
    shape = (count,) if row.is_single else (row.room, count)
    meaning = f"one-hot from {extent.low} to {extent.high}, {owner_text(row)}"
    return Part(f"{row.name}_one_hot", shape, meaning)


def _one_hot_slots(
    fields: Sequence[tuple[FieldSlots, Extent, int]], start: int
) -> Iterator[OneHot]:
    for row, extent, first in fields:
        count = extent.high - extent.low + 1
        for number in range(row.room):
            slots = OneHot(first + number, extent.low, count, start)
            # Lists are filled up with zeros, which are no values of theirs.
            yield slots._replace(place=number, length=first + row.room) if row.is_counted else slots
            start += count


def _scaled(value: int, scale: float, usual: float) -> float:
    if -usual <= value <= usual:
        return value / scale
    return (1 if value > 0 else -1) - usual / (2 * value)


def _order(fields: Sequence[FieldSlots], viewer: int, seats: int) -> list[int]:
    """Return for each slot the index of its value, singles first, as a viewer's array has them."""
    order, single = list[int](), 0
    first = sum(field.is_single for field in fields)
    for field in fields:
        if field.is_single:
            order.append(single)
            single += 1
            continue
        turn = viewer if field.is_by_seat and 0 < viewer < seats else 0
        order += [first + (turn + place) % field.room for place in range(field.room)]
        first += field.room
        if field.is_counted:
            order.append(first)
            first += 1
    return order


def _words(row: FieldSlots, extent: Extent) -> str:
    kind = "false or true" if extent.is_flag else f"0.5 is {max(extent.greatest, 1)}"
    meaning = f"{kind}, {owner_text(row)}"
    if row.name == SCORES:
        return meaning + "; then 1 if they are known"
    return meaning + f"; then how many, 1 is {row.room}" if row.is_counted else meaning
