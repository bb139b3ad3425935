"""Arrays reveal no hidden face: states that a viewer cannot distinguish have equal arrays."""

from random import Random
from typing import Any

import numpy as np
import pytest
from tests.games.leaking_magpies import NotesHiddenCard
from tests.learning.arrays.conftest import NAMES, layout_of, positions

from cardhub import Game, Observation
from cardhub.learning.arrays import Layout, Row
from cardhub.learning.arrays.layout import known_scores
from cardhub.model.hidden.masked_rules import under_mask
from cardhub.model.table.state import State
from cardhub.testing.deal_replay import replay
from cardhub.testing.random_play import Position

HISTORY = 2


def alike(layout: Layout, position: Position[Any], viewer: int, rng: Random) -> bool:
    """Return whether the true state and a determinization are one array and one mask.

    The determinization is replayed from its own deal.
    """
    game = layout.game
    truth = Observation(game, position.state, viewer, position.history)
    state = replay(game, position.trial, truth.determinize_whole(rng), position.history).after
    sampled = Observation(game, state, viewer, position.history)
    assert truth.information_state() == sampled.information_state()
    same_mask = np.array_equal(layout.mask(truth), layout.mask(sampled))
    if truth.is_to_act:
        same_mask &= all(
            layout.number_of(truth, action) == layout.number_of(sampled, action)
            for action in truth.legal()
        )
    # Environments encode true states without an observation.
    rows = layout.encode_rows(
        [true_row(game, variant, viewer, position) for variant in (position.state, state)]
    )
    same_rows = np.array_equal(*rows)
    return same_mask and same_rows and np.array_equal(layout.encode(truth), layout.encode(sampled))


def true_row(game: Game[Any], state: State, viewer: int, position: Position[Any]) -> Row:
    """Return the row of a true state for one viewer."""
    scores = under_mask(state, viewer, lambda state: known_scores(game, state))
    return Row(state, viewer, position.history, scores)


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_the_same_information_is_the_same_array(game: Game[Any]) -> None:
    rng = Random(3)
    for seats in range(game.seats.low, game.seats.high + 1):
        layout = layout_of(game, seats, history=HISTORY)
        course = positions(game, seats)
        for position in rng.sample(course, min(len(course), 3)):
            assert all(alike(layout, position, viewer, rng) for viewer in range(seats + 1))


def test_a_secret_that_a_game_writes_into_its_state_is_noticed() -> None:
    """The test above would fail if a game kept a hidden card's face among its public ints."""
    game, rng = NotesHiddenCard(), Random(5)
    layout = Layout(game, 2)
    results = [
        alike(layout, p, p.state.seats, rng) for p in positions(game, 2, games=3) if p.number
    ]
    assert not all(results)
