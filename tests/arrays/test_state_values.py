"""Values of states in batches: long and short lists, large ints, bit sets of any width."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardhub.arrays.feature_spec import Row, indices, joined
from cardhub.arrays.list_slots import ListSlots
from cardhub.arrays.probe import Extent
from cardhub.arrays.state_features import BitFeatures, FieldSlots

SEATS = 2
# Three values that are counted, and two that are not.
LISTS = ListSlots(
    [FieldSlots("drawn", False, 3, False, True), FieldSlots("won", False, 2, True, False)], 1, 7
)


@pytest.mark.parametrize("great", [5, 255, 256, 2**40])
def test_ints_of_any_size_become_an_array(great: int) -> None:
    """Bytes are converted in another way than greater ints and negative ones."""
    for values in ([0, great, 3], [great, -1], []):
        assert indices(values).tolist() == values
        assert indices(values).dtype == np.intp
    assert joined([[1, 2], [], [great]]).tolist() == [1, 2, great]


@pytest.mark.parametrize("great", [9, -(2**40), 2**70])
def test_lists_are_filled_up_or_cut_off(great: int) -> None:
    """With numpy and without it, whether the ints fit into 64 bits or not."""
    singles = [4, great]
    lists: list[Sequence[int]] = [[1, 2, 3, 9], [7, 8], [great], [5]]
    rows = [[4, 1, 2, 3, 3, 7, 8], [great, great, 0, 0, 1, 5, 0]]
    assert [*LISTS.by_row(singles, lists, 2)] == rows
    assert LISTS.collected(singles, lists, 2).tolist() == rows


@pytest.mark.parametrize("most", [2**20, 2**62, 2**63, 2**90])
def test_bits_of_sets_are_in_order_from_the_lowest(most: int) -> None:
    """By seat, the viewer's own come first; bits above those of the probe games are left out."""
    features = BitFeatures({"suits": Extent(shortest=SEATS, longest=SEATS, high=most)}, SEATS)
    (part,) = features.parts
    width = part.shape[1]
    sets = [most | 1 << width, 5]
    rows = [row_of(viewer, suits=sets) for viewer in (0, 1, -1)]
    slots = np.zeros((3, part.size), np.float32)
    features.fill(slots, rows)
    first, second = bits(most, width), bits(5, width)
    assert slots.tolist() == [first + second, second + first, first + second]


def row_of(viewer: int, **fields: Any) -> Row:
    """Return a row whose state has only these fields."""
    state: Any = SimpleNamespace(**fields)
    return Row(state, viewer, (), ())


def bits(value: int, width: int) -> list[int]:
    """Return the lowest bits, the lowest one first."""
    return [value >> place & 1 for place in range(width)]
