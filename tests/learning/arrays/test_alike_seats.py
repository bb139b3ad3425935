"""Seats that are alike: arrays as counted from the seat to act."""

import numpy as np
import pytest

from cardhub.learning.adapters.vector.factory import tables_of
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.alike_seats import alike_seats
from cardhub.learning.arrays.learner_slots import from_first, from_seat, learner_inputs
from cardhub.plugins.registry import find_plugins

# What a seat does not see of the true state, and the viewer, which a true state lacks.
HIDDEN_PARTS = {"known", "unseen", "excluded", "viewer"}


@pytest.mark.parametrize(
    ("game", "seats"), [("gargon", 3), ("hearts", 4), ("gamon", 2), ("garner", 2)]
)
def test_a_true_state_counts_from_the_seat_to_act_as_the_seat_itself(game: str, seats: int) -> None:
    """In games at random, both arrays agree about everything that the seat sees."""
    layout = Layout(find_plugins().game(game), seats)
    turned, inputs = alike_seats(layout), learner_inputs(layout)
    assert turned is not None
    names = np.array([part.name for part in layout.parts for _ in range(part.size)])
    rng, rows = np.random.default_rng(1), np.arange(8)[:, None]
    with tables_of(TableSpec(layout, true_states=True), len(rows), 0) as tables:
        arrays = tables.reset(1)
        for _ in range(60):
            acting = inputs.acting(arrays.true_states)
            assert acting.tolist() == arrays.seats.tolist()
            own = arrays.observations[rows, turned.observed[acting]]
            true_states = arrays.true_states[rows, turned.true_states[acting]]
            assert {*names[(own != true_states).any(axis=0)]} <= HIDDEN_PARTS
            for seen, slots in (
                (inputs.of_observations(arrays.observations), own),
                (inputs.of_states(arrays.true_states), true_states),
            ):
                assert (seen == inputs.with_sites(slots[:, inputs.gathered])).all()
            tables.step((rng.random(arrays.masks.shape) * arrays.masks).argmax(axis=1))


def test_the_number_of_a_seat_counts_from_the_viewer() -> None:
    layout = Layout(find_plugins().game("gargon"), 4)
    turned = alike_seats(layout)
    assert turned is not None
    leader, passed = layout.part("leader_one_hot").start, layout.part("passed").start
    for seat in range(4):
        others = [(seat + place) % 4 for place in range(4)]
        for first in (leader, passed):
            assert turned.observed[seat, first : first + 4].tolist() == [
                first + other for other in others
            ]
    # Numbers cannot be turned, so a network does not see them beside the one-hot slots.
    assert layout.part("leader").start in turned.unturned
    assert layout.part("leader").start not in learner_inputs(layout).gathered


def test_arrays_with_past_actions_are_not_turned() -> None:
    layout = Layout(find_plugins().game("leduc"), history=2)
    assert alike_seats(layout) is None
    assert learner_inputs(layout).turns is None


def test_values_by_seat_are_turned_and_turned_back() -> None:
    values = np.array([[1, 2, 3], [1, 2, 3]], np.float32)
    turned = from_seat(values, np.array([0, 2]))
    assert turned.tolist() == [[1, 2, 3], [3, 1, 2]]
    assert (from_first(turned, np.array([0, 2])) == values).all()
