"""The true states of many tables, for critics in training."""

import numpy as np
import pytest

from cardhub import EVERYTHING, Observation
from cardhub.learning import vector_env
from cardhub.learning.adapters.episode import Episode


@pytest.mark.parametrize("workers", [0, 1])
def test_true_states_are_seen_by_nobody_at_the_table(workers: int) -> None:
    with vector_env("leduc", 3, true_states=True, workers=workers) as tables:
        layout, arrays = tables.layout, tables.reset(seed=1)
        for seed, state in zip(arrays.seeds.tolist(), arrays.true_states, strict=True):
            game = Episode(layout, seed)
            everything = game.row(EVERYTHING)
            seen = Observation(layout.game, everything.state, EVERYTHING, everything.history)
            assert (layout.encode(seen) == state).all()
            assert layout.read(state, "unseen").sum() == 0


def test_without_the_argument_there_are_none() -> None:
    with vector_env("leduc", 3) as tables:
        assert tables.reset(seed=1).true_states.shape == (0, tables.layout.size)


def test_observations_are_the_same_with_true_states() -> None:
    """The two encodings must not share a cache."""
    with vector_env("gamon", 4) as plain, vector_env("gamon", 4, true_states=True) as both:
        first, second = plain.reset(seed=2), both.reset(seed=2)
        for _ in range(40):
            assert (first.observations == second.observations).all()
            actions = second.masks.argmax(axis=1)
            plain.step(actions)
            both.step(actions)
        assert np.isfinite(second.true_states).all()
