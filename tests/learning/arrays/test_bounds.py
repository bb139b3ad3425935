"""Bounds of values, categories one-hot, and the compact form."""

from typing import Any

import numpy as np
import pytest
from tests.learning.arrays.conftest import NAMES, layout_of, observations, positions

from cardhub import Game
from cardhub.base.errors import LayoutError
from cardhub.learning.arrays import Layout
from cardhub.testing import ByHand
from kuhn import Kuhn
from spades import Spades


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_bounds_hold_and_compact_forms_are_exact(game: Game[Any]) -> None:
    layout = layout_of(game, history=2)
    seen = [o for p in positions(game, layout.seats, every=9) for o in observations(game, p)]
    arrays = layout.encode_many(seen)
    low, high = layout.bounds
    assert (low.shape, high.shape) == ((layout.size,), (layout.size,))
    assert (low <= arrays).all()
    assert (arrays <= high).all()
    packed = layout.compact(arrays)
    assert packed.shape == (len(seen), layout.compact_size)
    assert np.array_equal(layout.expand(packed), arrays)
    assert np.array_equal(layout.expand(packed[0]), arrays[0])
    assert layout.compact_size < arrays[0].nbytes * 0.6


def test_only_numbers_can_be_below_zero() -> None:
    """A field of numbers has no declared range; everything else is 0 at least."""
    layout = Layout(Kuhn())
    below = {part.name for part in layout.parts if part.low < 0}
    assert below == {"stakes", "scores"}
    low = layout.read(layout.bounds[0], "scores")
    assert low.tolist() == [-1, -1, -1]


def test_fields_with_few_values_are_also_one_hot() -> None:
    """Single ints, lists by seat from the viewer's on, and lists of changing length."""
    table = ByHand(Spades(), 4)
    state = table.state
    state.put_all(range(52), state.hand, 0)
    state.leader, state.bids = 2, [5, 0]
    layout = Layout(table.game)
    array = layout.encode(table.observe(0))
    assert layout.read(array, "leader_one_hot").tolist() == [0, 0, 1, 0]
    bids = layout.read(array, "bids_one_hot")
    meaning = layout.part("bids_one_hot").meaning
    lowest = int(meaning.split()[2])
    values = [(int(row.argmax()) + lowest if row.any() else None) for row in bids]
    assert values[:3] == [5, 0, None]
    state.leader = 9  # no probe game has it: only the number tells it
    array = layout.encode(table.observe(0))
    assert not layout.read(array, "leader_one_hot").any()
    assert layout.read(array, "leader")[0] > 0.5


def test_arrays_of_another_size_have_no_compact_form() -> None:
    layout = Layout(Kuhn())
    with pytest.raises(LayoutError, match=f"fix: the last axis has {layout.size} values"):
        layout.compact(np.zeros((2, 3), np.float32))
    with pytest.raises(LayoutError, match=f"fix: the last axis has {layout.compact_size} values"):
        layout.expand(np.zeros(3, np.uint8))
