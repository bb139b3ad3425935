"""Read all encoded fields of states, by a function generated for the fields of one layout.

The lists of many states are scattered in memory. Reading them takes longer than most of the
computation with their values, so a single pass reads each list once, for all sections.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardhub.learning.arrays.feature_spec import Indices, Row, narrow_ints
from cardhub.learning.arrays.probe import SCORES
from cardhub.learning.arrays.state_features import FILLER, FieldSlots
from cardhub.model.table.faces import Faces
from cardhub.model.table.state_source import run_source
from cardhub.model.table.zones import Zone

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
            # A list does not have the length that it had in all probe games.
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
