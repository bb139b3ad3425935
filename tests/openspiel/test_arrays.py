"""Games of OpenSpiel as arrays: with OpenSpiel's own tensors, or as any game."""

import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest

from cardhub import Game, Observation
from cardhub.learning.adapters.pettingzoo import env
from cardhub.learning.arrays import Layout, Row
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.testing.random_play import Position, default_trial, play
from cardhub_openspiel import make

# Without cards, with cards and dice, with a tensor of the information state only, and with none.
NAMES = ("connect_four", "pig", "leduc_poker", "universal_poker", "liars_dice_ir")


def game(name: str) -> Game[Any]:
    """Return a game of OpenSpiel."""
    return make(f"openspiel:{name}", name)


def positions(game: Game[Any]) -> list[Position[Any]]:
    """Return the first, the middle and the last position of a random game."""
    course = [*play(game, default_trial(game, game.seats.default, 3))]
    return [course[0], course[len(course) // 2], course[-1]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("recall", ["current", "perfect"])
def test_arrays_are_made_for_all_viewers_within_their_bounds(name: str, recall: str) -> None:
    played = game(name)
    layout = Layout(played, recall=recall)
    low, high = layout.bounds
    for position in positions(played):
        for viewer in range(EVERYTHING, layout.seats + 1):
            view = Observation(played, position.state, viewer, position.history)
            array = layout.encode(view)
            scores = played.scores(view.state)
            row = Row(position.state, viewer, position.history, scores)
            assert np.array_equal(layout.encode_rows([row])[0], array)
            assert ((low <= array) & (array <= high)).all()
            assert np.array_equal(layout.expand(layout.compact(array)), array)


@pytest.mark.parametrize(
    ("name", "recall", "part"),
    [
        ("leduc_poker", "current", "observation"),
        ("leduc_poker", "perfect", "information_state"),
        ("connect_four", "perfect", "observation"),
    ],
)
def test_a_part_is_openspiels_tensor_of_the_viewer(name: str, recall: str, part: str) -> None:
    played = game(name)
    layout, original = Layout(played, recall=recall), pyspiel.load_game(name)
    state = original.new_initial_state()
    position = positions(played)[1]
    history = [*position.state.moves]
    faces = iter(position.state.face[token] for token in position.state.drawn)
    for step in history:
        state.apply_action(step if step >= 0 else next(faces))
    for seat in range(2):
        array = layout.encode(Observation(played, position.state, seat, position.history))
        tensor = np.array(getattr(state, f"{part}_tensor")(seat), np.float32)
        assert layout.read(array, part).shape == tuple(getattr(original, f"{part}_tensor_shape")())
        assert np.array_equal(layout.read(array, part).ravel(), tensor)
    assert "moves" not in [part.name for part in layout.parts]


def test_a_layout_of_such_a_game_survives_pickling_and_makes_environments() -> None:
    """Workers of vector environments get one; PettingZoo's agents get arrays and masks."""
    leduc = game("leduc_poker")
    layout = pickle.loads(pickle.dumps(Layout(leduc)))
    assert layout.fingerprint == Layout(leduc).fingerprint
    table = env("openspiel:leduc_poker")
    table.reset(seed=1)
    while table.agents:
        observation, _, terminated, truncated, _ = table.last()
        assert observation in table.observation_space(table.agent_selection)
        is_over = terminated or truncated
        table.step(None if is_over else int(observation["action_mask"].argmax()))
