"""The slots of the fields that a game's states declare, and features of fields used as sets."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from typing_extensions import override

from cardhub.arrays.feature_spec import (
    Indices,
    Part,
    Row,
    Section,
    Slots,
    consecutive,
    field_reader,
)
from cardhub.arrays.probe import SCORES, Extent, Extents

# Fields with greater ints are treated as bit sets.
GREATEST_NUMBER = 999
# The least number of bits of such a field, and of one that was 0 in all probe games.
LEAST_BITS = 32
# Bits are unpacked in words of this size.
WORD = 32


class FieldSlots(NamedTuple):
    """The slots of one field: `room` values, one for each seat if `is_by_seat`.

    If `is_counted`, one more slot holds the number of values.
    """

    name: str
    is_single: bool
    room: int
    is_by_seat: bool
    is_counted: bool


class BitFeatures(Section):
    """A part for each field of large ints, which games use as sets: a slot for each bit."""

    def __init__(self, extents: Extents, seats: int) -> None:
        self._rows: list[tuple[FieldSlots, int]] = []
        parts = []
        for name, extent in extents.items():
            if extent is not None and extent.longest and is_set(name, extent):
                row = field_slots(name, extent, seats)
                # Whole bytes, for unpackbits, with a bit to spare for values above those of the
                # probe games.
                width = max(LEAST_BITS, 8 * -(-(extent.greatest.bit_length() + 1) // 8))
                self._rows.append((row, width))
                meaning = f"the {width} lowest bits, {owner_text(row)}"
                parts.append(Part(name, (row.room, width), meaning))
        self.parts = consecutive(parts)
        self._read = field_reader([field.name for field, _ in self._rows])

    @override
    def fill(self, slots: Slots, rows: Sequence[Row]) -> None:
        by_field = zip(*[self._read(row.state) for row in rows], strict=True)
        for part, (field, width), values in zip(self.parts, self._rows, by_field, strict=True):
            found: list[int] = []
            for row, value in zip(rows, values, strict=True):
                of_row = [value] if field.is_single else _values(value, field, row.viewer)
                found += of_row
                if len(of_row) < field.room:
                    found += [0] * (field.room - len(of_row))
            for shift in range(0, width, WORD):
                kept = min(WORD, width - shift)
                place, bit = _set_bits(found, shift, kept)
                row_of, in_row = np.divmod(place, field.room)
                slots[row_of, part.start + in_row * width + shift + bit] = 1


def _set_bits(values: list[int], shift: int, width: int) -> tuple[Indices, Indices]:
    """Return the index of the value, and the bit, of each bit that is 1."""
    lowest = (1 << width) - 1
    try:
        # Without a loop in Python, for masks of few faces.
        words = np.fromiter(values, np.int64, len(values)) >> shift & lowest
    except OverflowError:
        words = np.array([value >> shift & lowest for value in values], np.int64)
    places = words.nonzero()[0]  # most values are 0: no cards are ruled out, for instance
    bits = np.unpackbits(words[places].astype("<u4").view(np.uint8), bitorder="little")
    place, bit = bits.reshape(-1, WORD).nonzero()
    return places[place], bit


def left_out(extents: Extents) -> tuple[str, ...]:
    """Return the fields that are not encoded."""
    return tuple(name for name, extent in extents.items() if extent is None or not extent.longest)


def is_set(name: str, extent: Extent) -> bool:
    """Return whether a field is encoded bit by bit."""
    is_unknown = extent.greatest == 0 and not extent.is_flag
    return name != SCORES and (is_unknown or extent.greatest > GREATEST_NUMBER)


def field_slots(name: str, extent: Extent, seats: int) -> FieldSlots:
    """Return the slots of a field with this extent."""
    if extent.shortest == extent.longest or name == SCORES:
        by_seat = not extent.is_single and extent.longest == seats
        return FieldSlots(name, extent.is_single, extent.longest, by_seat, name == SCORES)
    room = 2 * extent.longest  # real games may have longer lists than the probe games
    return FieldSlots(name, extent.is_single, room, False, True)


def owner_text(row: FieldSlots) -> str:
    """Return whose values a field has, in words."""
    if row.is_single:
        return "one for the table"
    return "seats from the viewer's on" if row.is_by_seat else "in the game's order"


def _values(values: Sequence[int], field: FieldSlots, viewer: int) -> Sequence[int]:
    """Return at most `room` values, the viewer's own first if there is one for each seat."""
    if field.is_by_seat and viewer > 0:
        values = [*values[viewer:], *values[:viewer]]
    return values if len(values) <= field.room else values[: field.room]
