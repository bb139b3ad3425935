"""Values of states in batches: long and short lists, large ints, bit sets of any width."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardhub.base.errors import LayoutError
from cardhub.learning.arrays.feature_spec import Row, indices, joined, wide_ints
from cardhub.learning.arrays.field_ranges import SCORES, Extent
from cardhub.learning.arrays.number_features import NumberFeatures, TurnFeatures
from cardhub.learning.arrays.state_features import BitFeatures, StateReader, field_slots, fitted
from kuhn import Kuhn

SEATS = 2
TURN = TurnFeatures(Kuhn(), SEATS)
EXTENTS = {
    "stage": Extent(is_single=True, shortest=1, longest=1, low=0, high=5),
    "year": Extent(is_single=True, shortest=1, longest=1, low=300, high=340),
    "bids": Extent(shortest=2, longest=2, low=-1, high=4),
    "drawn": Extent(shortest=0, longest=6, low=-2, high=3),
    "chips": Extent(shortest=2, longest=2, low=-400, high=900),
    "flags": Extent(shortest=3, longest=3, low=0, high=1),
    "money": Extent(is_single=True, is_declared=False),
    SCORES: Extent(shortest=2, longest=2, low=-7, high=9),
}


@pytest.mark.parametrize("great", [5, 255, 256, 2**40])
def test_ints_of_any_size_become_an_array(great: int) -> None:
    """Bytes are converted in another way than greater ints and negative ones."""
    for values in ([0, great, 3], [great, -1], []):
        assert indices(values).tolist() == values
        assert indices(values).dtype == np.intp
    assert joined([[1, 2], [], [great]]).tolist() == [1, 2, great]
    assert wide_ints([great, -(2**70)]).tolist() == [great, -(2**70)]


def test_lists_are_filled_up_and_longer_ones_refused() -> None:
    """In lists of changing length, the number of values follows the values."""
    drawn = field_slots("drawn", EXTENTS["drawn"], SEATS)
    chips = field_slots("chips", EXTENTS["chips"], SEATS)
    assert drawn.room == 6
    assert fitted([1, 2], drawn) == [1, 2, 0, 0, 0, 0, 2]
    with pytest.raises(LayoutError, match=r"drawn has 9 numbers, declared are at most 6\. fix:"):
        fitted([*range(9)], drawn)
    assert fitted([5], chips) == [5, 0]


# 251 and 255 would be what stands after the last value of `drawn`, and in other columns.
some = (
    st.integers(-5, 6)
    | st.sampled_from([251, 255])
    | st.integers(-1000, 1000)
    | st.integers(-(2**70), 2**70)
)


@st.composite
def some_rows(draw: st.DrawFn) -> list[Row]:
    """Return rows of which most values are as declared, and some are not."""
    count = draw(st.integers(1, 6))
    is_usual = draw(st.booleans())
    rows = []
    for _ in range(count):
        fields: dict[str, Any] = {}
        for name, extent in EXTENTS.items():
            values = st.integers(extent.low, extent.high)
            shortest = extent.shortest if is_usual else 0
            value = values if is_usual else values | some
            fields[name] = draw(
                value
                if extent.is_single
                else st.lists(value, min_size=shortest, max_size=extent.longest)
            )
        fields[SCORES] = draw(st.sampled_from([[], fields[SCORES]]))
        rows.append(row_of(draw(st.integers(-1, SEATS)), **fields))
    return rows


@given(some_rows())
@settings(max_examples=60, deadline=None)
def test_numbers_are_scaled_and_one_hot_whatever_they_are(rows: list[Row]) -> None:
    features = NumberFeatures(dict(EXTENTS), SEATS, TURN)
    size = TURN.size + sum(part.size for part in features.parts)
    read = StateReader(features.fields, [], [], 0, TURN.acting)
    batch, alone = np.zeros((len(rows), size), np.float32), np.zeros((1, size), np.float32)
    features.fill(batch, read(rows))
    for number, row in enumerate(rows):
        alone.fill(0)
        features.fill(alone, read([row]))
        expected = np.array([*turn_of(row), *expected_of(row)], np.float32)
        assert np.array_equal(batch[number], expected)
        assert np.array_equal(alone[0], expected)


def turn_of(row: Row) -> list[int]:
    """Return the slots of the viewer and of the seat to act, which is seat 0."""
    viewers = [int(row.viewer == seat) for seat in range(SEATS + 1)]
    first = row.viewer if row.viewer in range(SEATS) else 0
    return [*viewers, *(int((0 - first) % SEATS == seat) for seat in range(SEATS + 2))]


def expected_of(row: Row) -> list[float]:
    """Return the slots of all numbers, then the one-hot slots, by the definition of a layout."""
    numbers: list[float] = []
    ones: list[float] = []
    for name, extent in EXTENTS.items():
        value: Any = row.scores if name == SCORES else getattr(row.state, name)
        values = [value] if extent.is_single else [*value]
        is_fixed = extent.shortest == extent.longest
        room, count = extent.longest, len(values)
        filled = [*values, *[0] * (room - count)]
        turn = row.viewer if not extent.is_single and room == SEATS and row.viewer == 1 else 0
        filled = filled[turn:] + filled[:turn]
        most = 1 if extent.is_flag else extent.greatest
        numbers += [scaled(number, most, 1 if extent.is_flag else 2 * most) for number in filled]
        if name == SCORES or not is_fixed:
            numbers.append(count / room)
        if name in ("stage", "year", "bids", "drawn"):
            places = count if not is_fixed else room
            for place, number in enumerate(filled):
                choices = range(extent.low, extent.high + 1)
                ones += [float(place < places and number == choice) for choice in choices]
    return numbers + ones


def scaled(value: int, most: int, scale: int) -> float:
    """Return a number as it is scaled."""
    if abs(value) <= most:
        return value / scale
    return (1 if value > 0 else -1) - most / (2 * value)


@pytest.mark.parametrize("width", [3, 21, 56, 62, 64, 91])
def test_bits_of_sets_are_in_order_from_the_lowest(width: int) -> None:
    extent = Extent(shortest=SEATS, longest=SEATS, low=0, high=(1 << width) - 1, bits=width)
    features = BitFeatures({"suits": extent}, SEATS)
    (part,) = features.parts
    assert part.shape == (SEATS, width)
    most = 1 << width - 1
    # A bit beyond the set is no slot of the next value.
    sets = [most | 1 << width, 5]
    rows = [row_of(viewer, suits=sets) for viewer in (0, 1, -1)]
    reading = StateReader([], ["suits"], [], 0, TURN.acting)(rows)
    first, second = bits(most, width), bits(5, width)
    for caches in (None, features.new_caches()):
        slots = np.zeros((3, part.size), np.float32)
        features.fill(slots, 0, reading.sets, reading.viewers, caches)
        assert slots.tolist() == [first + second, second + first, first + second]


def row_of(viewer: int, scores: Sequence[int] = (), **fields: Any) -> Row:
    """Return a row whose state has only these fields, `seat` and `phase`."""
    state: Any = SimpleNamespace(seat=0, phase=0, **fields)
    return Row(state, viewer, (), scores)


def bits(value: int, width: int) -> list[int]:
    """Return the lowest bits, the lowest one first."""
    return [value >> place & 1 for place in range(width)]
