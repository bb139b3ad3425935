"""Features of the fields that a game's states declare, and a generated function that reads them.

The lists of many states are scattered in memory. Reading them takes longer than most of the
computation with their values, so a single pass reads each list once, for all sections.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, compress
from operator import is_not, ne
from struct import error as struct_error
from struct import pack
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import LayoutError
from cardhub.learning.arrays.feature_spec import Indices, Part, Row, Slots, consecutive, narrow_ints
from cardhub.learning.arrays.field_ranges import SCORES, Extent, Extents
from cardhub.model.table.faces import Faces
from cardhub.model.table.state_declaration import Zone
from cardhub.model.table.state_source import run_source

# The bytes of a word; most values fit into one.
WORD = 8
# Fields with at most this many values, from the lowest to the highest, are also encoded one-hot.
MOST_VALUES, MOST_VALUES_OF_LISTS = 64, 16
# Longer lists are not unpacked into variables.
MOST_VARIABLES = 16
# Values of narrow columns are from 0 to FILLER, in their declared range at most MOST_NARROW. In
# enumerations of changing length, FILLER follows the last value.
MOST_NARROW = 200
FILLER = 255


class FieldSlots(NamedTuple):
    """The slots of one field: `room` values, one for each seat if `is_by_seat`.

    `is_counted`: one more slot holds the number of values. `is_enumeration`: the values are also
    encoded one-hot. `is_wide`: the columns hold values as they are; otherwise they are narrow, one
    byte with the value minus `low`. Enumerations are narrow.
    """

    name: str
    is_single: bool
    room: int
    is_by_seat: bool
    is_counted: bool
    is_enumeration: bool = False
    is_wide: bool = False
    low: int = 0

    @property
    def is_unpacked(self) -> bool:
        """Whether each value is read into its own variable."""
        return self.is_single or (not self.is_counted and self.room <= MOST_VARIABLES)

    @property
    def filler(self) -> int:
        """The content of the columns after a list's last value."""
        return FILLER if self.is_enumeration else -self.low

    def places(self, viewer: int, seats: int) -> list[int]:
        """Return the column of each slot's value in a viewer's array."""
        turn = viewer if self.is_by_seat and 0 < viewer < seats else 0
        places = [(turn + place) % self.room for place in range(self.room)]
        return [*places, self.room] if self.is_counted else places

    @property
    def width(self) -> int:
        """The number of slots, which is the number of columns."""
        return self.room + self.is_counted


class BitFeatures:
    """A part for each field of sets, which are declared by `BitsOf`: one slot per bit."""

    def __init__(self, extents: Extents, seats: int) -> None:
        self.fields: list[FieldSlots] = []
        parts = []
        for name, extent in extents.items():
            if extent is not None and extent.bits:
                row = field_slots(name, extent, seats)
                self.fields.append(row)
                meaning = f"the {extent.bits} bits from the lowest on, {owner_text(row)}"
                parts.append(Part(name, (row.room, extent.bits), meaning))
        self.parts = consecutive(parts)

    def new_caches(self) -> "list[BitCache]":
        """Return an empty cache for each field."""
        fields = zip(self.fields, self.parts, strict=True)
        return [BitCache(field, part.shape[1]) for field, part in fields]

    def fill(
        self,
        slots: Slots,
        start: int,
        sets: Sequence[Sequence[Any]],
        viewers: Indices,
        caches: "Sequence[BitCache] | None",
    ) -> None:
        """Write the bits into complete arrays, from slot `start`.

        `sets`: for each field the values of all rows. `viewers`: each row's viewer + 1.
        """
        fields = zip(self.parts, self.fields, sets, caches or self.new_caches(), strict=True)
        for part, field, values, bits in fields:
            rows, ones, _ = bits.of(values) if caches else bits.all_of(values)
            if not len(ones):
                continue
            if field.is_by_seat:
                turns = np.maximum(viewers - 1, 0) * part.shape[1]
                ones = (ones - turns.take(rows)) % part.size
            slots.reshape(-1)[rows * slots.shape[1] + ones + (start + part.start)] = 1


class Ones(NamedTuple):
    """The slots of a field that are 1, unordered: rows, slots in the field, and cells.

    A cell is one value of one row.
    """

    rows: Indices
    slots: Indices
    cells: Indices


NO_ONES = Ones(*(np.zeros(0, np.intp) for _ in Ones._fields))


class BitCache:
    """A cache of one field's ones in a batch of rows; an entry is valid for the same int object.

    Ints are immutable, so the same object has the same bits. The cache holds copies of the lists,
    because the states change their lists in place. Large ints are scattered in memory: reading all
    of them, or copying their lists, takes many times as long as comparing the objects of two lists.
    """

    def __init__(self, field: FieldSlots, width: int) -> None:
        self._field, self._width = field, width
        self._values: list[list[Any]] = []
        self._ones = NO_ONES

    def of(self, values: Sequence[Any]) -> Ones:
        """Return the ones of a batch; `values`: the field's value in each row."""
        room = self._field.room
        if len(self._values) != len(values):
            # None differs from each value, so all values are read.
            self._values, self._ones = [[None] * room for _ in values], NO_ONES
        lists = [[value] for value in values] if self._field.is_single else values
        cells: list[int] = []
        changed_values: list[int] = []
        for row in compress(range(len(lists)), map(ne, lists, self._values)):
            new, old = lists[row], self._values[row]
            if len(new) != room:
                new = fitted(new, self._field)[:room]
            for place in compress(range(room), map(is_not, new, old)):
                old[place] = value = new[place]
                cells.append(row * room + place)
                changed_values.append(value)
        if cells:
            changed = np.array(cells, np.intp)
            is_same = np.ones(len(values) * room, bool)
            is_same[changed] = False
            still = is_same.take(self._ones.cells)
            pairs = zip(self._ones, self._read(changed, changed_values), strict=True)
            self._ones = Ones(*(np.concatenate([old[still], new]) for old, new in pairs))
        return self._ones

    def all_of(self, values: Sequence[Any]) -> Ones:
        """Return the ones of a batch without use of the cache."""
        all_values: list[int] = []
        if self._field.is_single:
            all_values += values
        else:
            for value in values:
                is_fit = len(value) == self._field.room
                all_values += value if is_fit else fitted(value, self._field)[: self._field.room]
        return self._read(np.arange(len(all_values)), all_values) if any(all_values) else NO_ONES

    def _read(self, cells: Indices, values: list[int]) -> Ones:
        """Return the ones of `values`, which are the values of these cells."""
        size = -(-self._width // 8)
        places, octets = _octets(values, size)
        ones = np.unpackbits(octets.ravel(), bitorder="little").view(bool).nonzero()[0]
        which, bits = np.divmod(ones, 8 * size)
        if self._width % 8:
            # The last byte has more bits than the set.
            is_bit = bits < self._width
            which, bits = which[is_bit], bits[is_bit]
        cells = cells.take(places.take(which))
        rows, in_row = np.divmod(cells, self._field.room)
        return Ones(rows, in_row * self._width + bits, cells)


def _octets(values: list[int], size: int) -> tuple[Indices, NDArray[np.uint8]]:
    """Return the indices of all values except 0, and the lowest `size` bytes of each."""
    # Most values are 0, for example if no cards are ruled out.
    if size <= WORD:
        with suppress(struct_error):  # a value does not fit into a word
            # Masks of few faces need no loop in Python.
            words = np.frombuffer(pack(f"{len(values)}q", *values), np.int64)
            places = words.nonzero()[0]
            octets = words.take(places).astype("<i8").view(np.uint8)
            return places, octets.reshape(-1, WORD)[:, :size]
    lowest = (1 << 8 * size) - 1
    nonzero = [place for place, value in enumerate(values) if value]
    lows = b"".join([(values[place] & lowest).to_bytes(size, "little") for place in nonzero])
    return np.array(nonzero, np.intp), np.frombuffer(lows, np.uint8).reshape(-1, size)


def field_slots(name: str, extent: Extent, seats: int) -> FieldSlots:
    """Return the slots of a field with this extent."""
    is_fixed, room = extent.shortest == extent.longest, extent.longest
    is_by_seat = not extent.is_single and room == seats and (is_fixed or name == SCORES)
    is_counted = name == SCORES or not is_fixed
    low = min(2 * extent.low, 0)
    if is_enumeration(name, extent) and extent.high - low > MOST_NARROW:
        low = extent.low - MOST_VALUES // 2
    # Without a declared range values may be of any size: columns hold them as they are.
    is_wide = not extent.is_declared or extent.high - low > MOST_NARROW
    kind = is_enumeration(name, extent), is_wide, 0 if is_wide else low
    return FieldSlots(name, extent.is_single, room, is_by_seat, is_counted, *kind)


def is_enumeration(name: str, extent: Extent) -> bool:
    """Return whether a field of numbers has so few values that it is also encoded one-hot."""
    is_long = not (extent.is_single or extent.is_category)
    most = MOST_VALUES_OF_LISTS if is_long else MOST_VALUES
    is_short = 1 < extent.high - extent.low + 1 <= most
    return name != SCORES and extent.is_declared and not extent.is_flag and is_short


def fitted(value: Any, field: FieldSlots) -> list[int]:
    """Return the values of a field in its columns, padded with zeros.

    Raises LayoutError for a list that is longer than declared.
    """
    values = [value] if field.is_single else [*value]
    missing = field.room - len(values)
    if missing < 0:
        raise LayoutError(
            f"{field.name} has {len(values)} numbers, declared are at most {field.room}. "
            f"fix: declare the greatest length, such as `most={len(values)}`"
        )
    return values + [0] * missing + [len(values)] * field.is_counted


def left_out(extents: Extents) -> tuple[str, ...]:
    """Return the fields that are not encoded."""
    return tuple(name for name, extent in extents.items() if extent is None or extent.is_constant)


def owner_text(row: FieldSlots) -> str:
    """Return a text that says to whom a field's values belong."""
    if row.is_single:
        return "one for the table"
    return "seats from the viewer's on" if row.is_by_seat else "in the game's order"


# By viewer and `State.seat`, the number of the seat to act. The values OVER (-1) and chance (-2)
# index the last two entries.
Acting = Sequence[Sequence[int]]
# The first columns. The viewer EVERYTHING is -1.
TURN = ("viewer + 1", "acting[viewer][state.seat]", "state.phase")


@dataclass
class Reading:
    """Some rows, and the values read from them for all sections, row by row.

    `narrow` and `wide`: the columns of numbers. `odd`: the rows whose values do not fit into the
    columns, which are 0 in these rows. `sets`: for each field the values of all rows. `cards`: the
    tokens of all piles, with the number `end`, which is not a token, after each pile.
    """

    rows: Sequence[Row]
    narrow: list[int]
    wide: list[int]
    sets: tuple[list[Any], ...]
    cards: list[int]
    seen: list[int]
    faces: list[Faces]
    backs: list[tuple[int, ...]]
    end: int
    odd: Sequence[int] = ()  # known after `octets`

    @cached_property
    def octets(self) -> NDArray[np.uint8]:
        """The narrow columns, with one line per row."""
        return np.frombuffer(self._octets(), np.uint8).reshape(len(self.rows), -1)

    def octets_by_row(self) -> Iterator[bytearray]:
        """Yield the narrow columns of each row, without numpy."""
        octets = self._octets()
        width = len(octets) // len(self.rows)
        for row in range(len(self.rows)):
            yield octets[row * width : (row + 1) * width]

    @cached_property
    def viewers(self) -> Indices:
        """Each row's viewer + 1."""
        return self.octets[:, 0].astype(np.intp)

    @cached_property
    def seen_bits(self) -> NDArray[Any]:
        """The bits of `seen`, with one line per row."""
        return narrow_ints(self.seen).reshape(len(self.rows), -1)

    def _octets(self) -> bytearray:
        try:
            return bytearray(self.narrow)
        except (ValueError, OverflowError):
            return self._fitting_octets()

    def _fitting_octets(self) -> bytearray:
        """Return the narrow columns, and add rows that do not fit into bytes to `odd`."""
        octets, odd = bytearray(), {*self.odd}
        width = len(self.narrow) // len(self.rows)
        for row in range(len(self.rows)):
            values = self.narrow[row * width : (row + 1) * width]
            if min(values) < 0 or max(values) > FILLER:
                odd.add(row)
                values = values[: len(TURN)] + [0] * (width - len(TURN))
            octets += bytes(values)
        self.odd = sorted(odd)
        return octets


class StateReader:
    """Reads the `fields` of states as numbers, the fields `sets`, and the piles of `zones`.

    `zones`: pairs of a zone and its number of piles. `tokens`: the number of tokens. `acting`: the
    number that is read for a seat to act, by viewer and seat.
    """

    def __init__(
        self,
        fields: Sequence[FieldSlots],
        sets: Sequence[str],
        zones: Sequence[tuple[Zone, int]],
        tokens: int,
        acting: Acting,
    ) -> None:
        fields = in_columns(fields)
        self._arguments = fields, sets, zones, tokens, acting
        self._read = _function("\n".join(_lines(fields, sets, zones, tokens)))
        self._rests = [_rests(field) for field in fields]
        self._widths = [
            sum(field.width for field in fields if field.is_wide == is_wide)
            for is_wide in (False, True)
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        return StateReader, self._arguments  # a generated function cannot be pickled

    def __call__(self, rows: Sequence[Row]) -> Reading:
        """Read the states of these rows."""
        _, _, _, _, acting = self._arguments
        try:
            return self._read(rows, self._rests, acting)
        except (ValueError, LookupError):
            # A list does not have its declared length.
            return self._read_row_by_row(rows)

    def _read_row_by_row(self, rows: Sequence[Row]) -> Reading:
        """Read the states row by row, and add rows with lists of another length to `odd`."""
        _, sets, zones, end, acting = self._arguments
        reading = Reading(rows, [], [], tuple([] for _ in sets), [], [], [], [], end)
        narrow, wide = self._widths
        odd = []
        for number, row in enumerate(rows):
            state = row.state
            try:
                single = self._read([row], self._rests, acting)
            except (ValueError, LookupError):
                odd.append(number)
                turn = [row.viewer + 1, acting[row.viewer][state.seat], state.phase]
                single = Reading([row], turn + [0] * narrow, [0] * wide, (), [], [], [], [], end)
            reading.narrow += single.narrow
            reading.wide += single.wide
            for name, values in zip(sets, reading.sets, strict=True):
                values.append(getattr(state, name))
            if zones:
                for pile in chain.from_iterable([zone.piles(state) for zone, _ in zones]):
                    reading.cards += (*pile, end)
                reading.seen += state.seen
                reading.faces.append(state.face)
                reading.backs.append(state.back)
        reading.odd = odd
        return reading


_Read = Callable[[Sequence[Row], Sequence[Any], Acting], Reading]


@cache  # equal tables share the function
def _function(source: str) -> _Read:
    read: _Read = run_source(source, "reading of states", {"Reading": Reading})["read"]
    return read


def in_columns(fields: Sequence[FieldSlots]) -> list[FieldSlots]:
    """Return the fields in the order of columns: enumerations, other narrow fields, wide fields."""
    return sorted(fields, key=lambda field: (field.is_wide, not field.is_enumeration))


def _rests(field: FieldSlots) -> dict[int, list[int]]:
    """Return, for each length of a list that fits, the content of the columns after it."""
    room = field.room
    if not field.is_counted:
        return {room: []}
    most = room if field.is_wide else min(room, FILLER)
    return {count: [field.filler] * (room - count) + [count] for count in range(most + 1)}


def _lines(
    fields: Sequence[FieldSlots],
    sets: Sequence[str],
    zones: Sequence[tuple[Zone, int]],
    tokens: int,
) -> Iterator[str]:
    """Yield the source of the function, which raises an error if a list does not fit."""
    columns: dict[bool, list[str]] = {False: [*TURN], True: []}
    loop: list[str] = []
    for number, field in enumerate(fields):
        columns[field.is_wide] += _columns(number, field, loop)
    cards: list[str] = []
    for number, (zone, count) in enumerate(zones):
        piles = [f"pile_{number}_{pile}" for pile in range(count)]
        if zone.count is None:
            piles = [f"state.{zone.name}"]
        else:
            loop.append(f"{', '.join(piles)}, = state.{zone.name}")
        cards += [f"*{pile}, {tokens}" for pile in piles]
    loop.append(f"narrow += [{', '.join(columns[False])}]")
    if columns[True]:
        loop.append(f"wide += [{', '.join(columns[True])}]")
    loop += [f"set_{number}.append(state.{name})" for number, name in enumerate(sets)]
    if cards:
        loop.append(f"cards += [{', '.join(cards)}]")
        loop += ["seen += state.seen", "faces.append(state.face)", "backs.append(state.back)"]
    names = [f"set_{number}" for number in range(len(sets))]
    yield "def read(rows, rests, acting):"
    for name in ("narrow", "wide", *names, "cards", "seen", "faces", "backs"):
        yield f"    {name} = []"
    yield "    for state, viewer, _, scores in rows:"
    yield from (f"        {line}" for line in loop)
    listed = "".join(f"{name}, " for name in names)
    yield f"    return Reading(rows, narrow, wide, ({listed}), cards, seen, faces, backs, {tokens})"


def _columns(number: int, field: FieldSlots, loop: list[str]) -> list[str]:
    """Return the source of the columns of a field; `loop` gets the statements before them."""
    value = "scores" if field.name == SCORES else f"state.{field.name}"
    if not field.is_unpacked:
        values = f"list_{number}"
        loop.append(f"{values} = {value}")
        if field.is_enumeration and field.is_counted:
            loop.append(f"if {FILLER + field.low} in {values}: raise ValueError")
        rest = f"*rests[{number}][len({values})]"
        if field.low:
            values = f"[value - {field.low} for value in {values}]"
        return [f"*{values}", rest]
    names = [value]
    if not field.is_single:
        # Unpacking is fast, and fails for another length.
        names = [f"value_{number}_{index}" for index in range(field.room)]
        loop.append(f"{', '.join(names)}, = {value}")
    return [f"{name} - {field.low}" if field.low else name for name in names]
