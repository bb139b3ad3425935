"""Rows that are alike: which slots and actions of a layout they have."""

import numpy as np
import pytest

from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.alike_rows import ABSENT
from cardhub.learning.arrays.learner_slots import LearnerInputs, learner_inputs
from cardhub.plugins.registry import find_plugins
from cardhub_gargon import Gargon

COLOURS = ("white", "blue", "violet", "red", "yellow", "green")


@pytest.fixture(scope="module")
def gargon() -> Layout:
    """Return the arrays of Gargon for three players."""
    return Layout(Gargon(), 3)


def test_a_column_of_actions_means_the_same_in_each_colour(gargon: Layout) -> None:
    texts = [[gargon.action_text(number) for number in row] for row in gargon.alike_rows.actions]
    for colour, row in zip(COLOURS, texts, strict=True):
        letter = colour[0].upper()
        lays = [f"lay {letter}{value}" for value in range(16)]
        assert row == [*lays, f"lay a {colour} card", f"fight {colour}"]


def test_a_column_of_slots_means_the_same_in_each_colour(gargon: Layout) -> None:
    rows = gargon.alike_rows.slots
    assert rows.shape[0] == len(COLOURS)
    assert len(np.unique(rows)) == rows.size
    for name, width, of_row in (("known", 96, 16), ("unseen", 6, 1), ("colour_one_hot", 6, 1)):
        part = gargon.part(name)
        in_part = (rows >= part.slots.start) & (rows < part.slots.stop)
        assert (in_part == in_part[0]).all()
        places = rows[:, in_part[0]] - part.slots.start
        assert (places // of_row % (width // of_row) == np.arange(6)[:, None]).all()
        assert (places[1:] - places[:-1] == of_row).all()


def test_a_network_sees_every_slot_once_but_the_numbers_of_rows_and_seats(gargon: Layout) -> None:
    inputs = learner_inputs(gargon)
    drawers = gargon.part("drawers").start
    numbers = [gargon.part("colour").start, gargon.part("leader").start]
    numbers += range(drawers, drawers + gargon.seats)
    assert sorted([*inputs.gathered, *numbers]) == [*range(gargon.size)]


def test_sets_of_faces_are_in_the_rows_of_their_faces() -> None:
    layout = Layout(find_plugins().game("hearts"))
    rows, part = layout.alike_rows.slots, layout.part("excluded")
    in_part = (rows[0] >= part.slots.start) & (rows[0] < part.slots.stop)
    of_seats = rows[:, in_part].reshape(4, 13, 4) - part.slots.start
    faces = np.array(layout.game.heuristics.face_rows)
    assert (of_seats == faces[..., np.newaxis] + 52 * np.arange(4)).all()


def test_rows_differ_if_other_numbers_are_printed_in_the_same_place() -> None:
    hearts = learner_inputs(Layout(find_plugins().game("hearts")))
    assert hearts.differ  # the queen of spades counts points, other queens do not
    assert not learner_inputs(Layout(Gargon(), 3)).differ


def test_a_game_without_rows_has_none() -> None:
    inputs = learner_inputs(Layout(find_plugins().game("kuhn")))
    assert not inputs.has_rows
    assert inputs.gathered.tolist() == inputs.slots.tolist()


def test_what_a_row_lacks_is_absent() -> None:
    rows = np.array([[3, 4], [5, ABSENT]])
    inputs = LearnerInputs(np.array([0, 1]), rows, rows)
    assert inputs.gathered.tolist() == [0, 1, 3, 4, 5, 0]
    assert inputs.present.tolist() == [[1, 1], [1, 0]]
