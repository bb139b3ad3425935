"""Features of the scores and of the ints that a game's states declare."""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import override

from cardhub.arrays.feature_spec import Part, Section, Slots, consecutive
from cardhub.arrays.probe import SCORES, Extent, Extents
from cardhub.errors import HiddenFaceError
from cardhub.hidden.observation import Observation

# Fields with greater ints are treated as bit sets.
GREATEST_NUMBER = 999
# The least number of bits of such a field, and of one that was 0 in all probe games.
LEAST_BITS = 32


class FieldSlots(NamedTuple):
    """The slots of one field: `room` values, one for each seat if `is_by_seat`.

    If `is_counted`, one more slot holds the number of values.
    """

    name: str
    is_single: bool
    room: int
    is_by_seat: bool
    is_counted: bool


class NumberFeatures(Section):
    """A part for each field of numbers, and `scores`.

    A number takes one slot: 0.5 at the greatest value of the probe games, always below 1; a bool
    is 0 or 1. Lists with one value for each seat begin with the viewer's own.
    """

    def __init__(self, extents: Extents, seats: int) -> None:
        self._rows: list[FieldSlots] = []
        self._usual: list[float] = []
        self._scales: list[float] = []
        parts = []
        for name, extent in extents.items():
            # A large int is a set of bits, and its size as a number means nothing.
            if extent is not None and extent.longest and not _is_set(name, extent):
                row = _row(name, extent, seats)
                self._rows.append(row)
                parts.append(Part(name, (row.room + row.is_counted,), _words(row, extent)))
                usual = inf if extent.is_flag else max(extent.greatest, 1)
                scale = 1 if extent.is_flag else 2 * usual
                self._usual += [usual] * row.room + [inf] * row.is_counted
                self._scales += [scale] * row.room + [row.room] * row.is_counted
        self.parts = consecutive(parts)

    @override
    def fill(self, slots: Slots, observation: Observation[Any]) -> None:
        values: list[int] = []
        for row in self._rows:
            found = _values(observation, row)
            values += found
            if len(found) < row.room:
                values += [0] * (row.room - len(found))
            if row.is_counted:
                values.append(len(found))
        slots[:] = list(map(_scaled, values, self._scales, self._usual))


class BitFeatures(Section):
    """A part for each field of large ints, which games use as sets: a slot for each bit."""

    def __init__(self, extents: Extents, seats: int) -> None:
        self._rows: list[tuple[FieldSlots, int]] = []
        parts = []
        for name, extent in extents.items():
            if extent is not None and extent.longest and _is_set(name, extent):
                row = _row(name, extent, seats)
                # Whole bytes, for unpackbits, with a bit to spare for values above those of the
                # probe games.
                width = max(LEAST_BITS, 8 * -(-(extent.greatest.bit_length() + 1) // 8))
                self._rows.append((row, width))
                meaning = f"the {width} lowest bits, {_owner(row)}"
                parts.append(Part(name, (row.room, width), meaning))
        self.parts = consecutive(parts)

    @override
    def fill(self, slots: Slots, observation: Observation[Any]) -> None:
        for part, (row, width) in zip(self.parts, self._rows, strict=True):
            found, lowest = _values(observation, row), (1 << width) - 1
            packed = b"".join([(value & lowest).to_bytes(width // 8, "little") for value in found])
            bits = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")
            slots[part.start : part.start + len(bits)] = bits


def left_out(extents: Extents) -> tuple[str, ...]:
    """Return the fields that are not encoded."""
    return tuple(name for name, extent in extents.items() if extent is None or not extent.longest)


def _scaled(value: int, scale: float, usual: float) -> float:
    # Within the range of the probe games the scale is linear. Beyond it values approach 1 or -1, so
    # that an array never leaves its bounds, however long a real game goes on.
    if -usual <= value <= usual:
        return value / scale
    return (1 if value > 0 else -1) - usual / (2 * value)


def _is_set(name: str, extent: Extent) -> bool:
    is_unknown = extent.greatest == 0 and not extent.is_flag
    return name != SCORES and (is_unknown or extent.greatest > GREATEST_NUMBER)


def _row(name: str, extent: Extent, seats: int) -> FieldSlots:
    if extent.shortest == extent.longest or name == SCORES:
        by_seat = not extent.is_single and extent.longest == seats
        return FieldSlots(name, extent.is_single, extent.longest, by_seat, name == SCORES)
    room = 2 * extent.longest  # real games may have longer lists than the probe games
    return FieldSlots(name, extent.is_single, room, False, True)


def _words(row: FieldSlots, extent: Extent) -> str:
    kind = "false or true" if extent.is_flag else f"0.5 is {max(extent.greatest, 1)}"
    meaning = f"{kind}, {_owner(row)}"
    if row.name == SCORES:
        return meaning + "; then 1 if they are known"
    return meaning + f"; then how many, 1 is {row.room}" if row.is_counted else meaning


def _owner(row: FieldSlots) -> str:
    if row.is_single:
        return "one for the table"
    return "seats from the viewer's on" if row.is_by_seat else "in the game's order"


def _values(observation: Observation[Any], row: FieldSlots) -> Sequence[int]:
    """Return at most `room` values, the viewer's own first if there is one for each seat."""
    if row.is_single:
        return (vars(observation.state)[row.name],)
    is_score, viewer = row.name == SCORES, observation.seat
    values = _scores(observation) if is_score else vars(observation.state)[row.name]
    if row.is_by_seat and viewer > 0:
        values = [*values[viewer:], *values[:viewer]]
    return values[: row.room]


def _scores(observation: Observation[Any]) -> Sequence[int]:
    try:
        return observation.game.scores(observation.state)
    except HiddenFaceError:
        # The scores depend on faces that this seat has not seen: all of them count as unknown.
        return ()
