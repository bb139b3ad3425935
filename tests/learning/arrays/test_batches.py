"""A batch of observations equals its rows encoded one by one; the caller may provide arrays."""

from typing import Any

import numpy as np
import pytest
from tests.learning.arrays.conftest import FEW, layout_of, observations, positions

from cardhub import Game, Observation
from cardhub.learning.arrays import Layout, Row
from cardhub.learning.arrays.layout import known_scores
from cardhub.model.hidden.masked_rules import under_mask
from kuhn import Kuhn


def seen_in(game: Game[Any], seats: int, every: int) -> list[Observation[Any]]:
    """Return the observations of all viewers in some positions of a random game."""
    sample = positions(game, seats, every=every)
    return [view for position in sample for view in observations(game, position)]


@pytest.mark.parametrize("game", FEW, indirect=True)
def test_a_row_does_not_depend_on_its_batch(game: Game[Any]) -> None:
    for tokens in (False, True):
        layout = layout_of(game, history=2, tokens=tokens)
        # So many that even small games are not encoded value by value.
        seen = 8 * seen_in(game, layout.seats, every=19)
        batch = layout.encode_many(seen)
        assert batch.shape == (len(seen), layout.size)
        for observation, row in zip(seen, batch, strict=True):
            assert np.array_equal(layout.encode(observation), row)


@pytest.mark.parametrize("game", FEW, indirect=True)
def test_a_true_state_is_encoded_as_its_viewer_has_seen_it(game: Game[Any]) -> None:
    """Environments encode true states; the result equals an observation's array."""
    layout = layout_of(game, history=2)
    for position in positions(game, layout.seats, every=5):
        state, before = position.state, position.state.clone()
        for seen in observations(game, position):
            scores = under_mask(state, seen.seat, lambda state: known_scores(game, state))
            row = layout.encode_rows([Row(state, seen.seat, position.history, scores)])
            assert np.array_equal(row[0], layout.encode(seen))
        assert state == before


def test_arrays_of_the_caller_are_filled_and_returned() -> None:
    game = Kuhn()
    layout = Layout(game)
    seen = seen_in(game, 2, every=1)
    out = np.full((len(seen) + 2, layout.size), 7, np.float32)
    part = out[1:-1]
    assert layout.encode_many(seen, part) is part
    assert np.array_equal(part, layout.encode_many(seen))
    assert (out[[0, -1]] == 7).all()
    legal = [[0, 1], [], [2]]
    masks = np.ones((3, 4), np.int8)
    assert layout.mask_many(legal, masks) is masks
    assert masks.tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]
    assert layout.encode_many([]).shape == (0, layout.size)


def test_an_array_that_does_not_fit_is_refused() -> None:
    """Numpy would convert values, or write some of them, without an error."""
    layout = Layout(Kuhn())
    seen = seen_in(Kuhn(), 2, every=1)[:3]
    turned = np.zeros((layout.size, 3), np.float32).T
    fix = r"fix: pass a contiguous array of float32 with shape \(3, 28\)"
    for wrong in (np.zeros((2, layout.size), np.float32), np.zeros((3, layout.size)), turned):
        with pytest.raises(ValueError, match=fix):
            layout.encode_many(seen, wrong)  # type: ignore[arg-type]  # of another type
