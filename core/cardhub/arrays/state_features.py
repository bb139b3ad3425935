"""The slots of the fields that a game's states declare, and features of fields used as sets."""

from collections.abc import Sequence
from contextlib import suppress
from struct import error as struct_error
from struct import pack
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
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
# The bytes of a word, in which most values fit.
WORD = 8


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
            if field.is_single:
                found += values
            else:
                for value in values:
                    found += value if len(value) == field.room else _fitted(value, field.room)
            places, octets = _octets(found, width // 8)
            if not len(places):
                continue
            row_of, in_row = np.divmod(places, field.room)
            if field.is_by_seat:
                viewers = np.array([max(row.viewer, 0) for row in rows])
                in_row = (in_row - viewers.take(row_of)) % field.room
            by_value = slots[:, part.slots].reshape(len(rows), *part.shape)
            by_value[row_of, in_row] = np.unpackbits(octets, axis=1, bitorder="little")


def _octets(values: list[int], size: int) -> tuple[Indices, NDArray[np.uint8]]:
    """Return the indices of the values besides 0, and their lowest bytes, `size` of each."""
    # Most values are 0: no cards are ruled out, for instance.
    if size <= WORD:
        with suppress(struct_error):  # not all fit into a word
            # Without a loop in Python, for masks of few faces.
            words = np.frombuffer(pack(f"{len(values)}q", *values), np.int64)
            places = words.nonzero()[0]
            octets = words.take(places).astype("<i8").view(np.uint8)
            return places, octets.reshape(-1, WORD)[:, :size]
    lowest = (1 << 8 * size) - 1
    found = [place for place, value in enumerate(values) if value]
    lows = b"".join([(values[place] & lowest).to_bytes(size, "little") for place in found])
    return np.array(found, np.intp), np.frombuffer(lows, np.uint8).reshape(-1, size)


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


def _fitted(values: Sequence[int], room: int) -> list[int]:
    """Return `room` values, the first ones, filled up with zeros."""
    return [*values[:room], *[0] * (room - len(values))]
