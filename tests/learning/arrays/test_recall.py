"""Perfect recall: arrays are equal exactly if information states are."""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.games.magpie import Magpie
from tests.learning.arrays.conftest import NAMES, game_named, observations, positions

from cardhub import Game, Observation, OptionError
from cardhub.base.errors import LayoutError
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.recall_features import room_for_recall
from cardhub.model.game.initial_state import resolve_options
from cardhub.testing.random_play import Position
from kuhn import Kuhn


def information(observation: Observation[Any]) -> tuple[object, ...]:
    """Return the information state with the backs of all tokens, which everybody sees."""
    state = observation.state
    shuffled = tuple(shuffle.backs for shuffle in state.shuffle_log)
    return (observation.information_state(), state.back, shuffled)


def recalled(game: Game[Any], sample: list[Position[Any]]) -> Iterator[tuple[bytes, object]]:
    """Yield the array and the information state of all viewers in some positions."""
    seats = sample[0].state.seats
    layout = Layout(game, seats, recall="perfect", tokens=False)
    for position in sample:
        for observation in observations(game, position):
            array = layout.encode(observation)
            packed = layout.compact(array)
            assert np.array_equal(layout.expand(packed), array)
            yield packed.tobytes(), information(observation)


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_arrays_are_equal_exactly_if_information_states_are(game: Game[Any]) -> None:
    sample = positions(game, game.seats.high, every=15)
    sample += positions(game, game.seats.high, games=2)[:9]
    by_array, by_information = dict[bytes, object](), dict[object, bytes]()
    for array, information in recalled(game, sample):
        assert by_array.setdefault(array, information) == information
        assert by_information.setdefault(information, array) == array
    assert len(by_array) > 5


def test_actions_are_told_from_the_first_one_on() -> None:
    """A row for each: who took it, from the viewer's seat on, and which."""
    game = Magpie()
    layout = Layout(game, 3, recall="perfect")
    position = positions(game, 3)[5]
    for viewer in range(3):
        observation = Observation(game, position.state, viewer, position.history)
        rows = layout.read(layout.encode(observation), "history")
        assert [(int(row[:4].argmax()), int(row[4:].argmax())) for row in rows[:5]] == [
            (3 if step.seat < 0 else (step.seat - viewer) % 3, step.action)
            for step in position.history
        ]
        assert not rows[5:].any()


def test_the_room_is_twice_what_the_longest_probe_game_needs() -> None:
    """Exactly that where all of them are equally long; a factor of one's own counts for all."""
    kuhn = Kuhn()
    settings = resolve_options(kuhn, {}, 2)
    assert room_for_recall(kuhn, 2, settings).lengths == (6, 0, 0)
    assert room_for_recall(kuhn, 2, settings, 3).lengths == (9, 3, 1)
    goofspiel = game_named("goofspiel")
    room = room_for_recall(goofspiel, 2, resolve_options(goofspiel, {}, 2))
    assert room.lengths.actions == 26


def test_a_game_that_is_longer_than_the_room_is_refused() -> None:
    """An array without its first actions would be another information state."""
    game = Kuhn()
    position = positions(game, 2)[-1]
    history = position.history * 7
    observation = Observation(game, position.state, 0, history)
    with pytest.raises(LayoutError, match=r"with \d+ actions .*room for 6. fix: recall_room=4"):
        Layout(game, recall="perfect").encode(observation)
    layout = Layout(game, recall="perfect", recall_room=9)
    assert layout.read(layout.encode(observation), "history").any(axis=1).sum() == len(history)


def test_other_values_of_recall_are_refused() -> None:
    """The message has the valid ones; huge arrays are refused before they are made."""
    with pytest.raises(OptionError, match="it is 'current' or 'perfect'"):
        Layout(Kuhn(), recall="all")
    with pytest.raises(OptionError, match="recall_room cannot be 0"):
        Layout(Kuhn(), recall="perfect", recall_room=0)
    with pytest.raises(OptionError, match=r"slots, more than .*fix: leave out `recall`"):
        Layout(Kuhn(), recall="perfect", recall_room=10**7)


def test_a_layout_with_recall_survives_pickling() -> None:
    layout = Layout(Kuhn(), recall="perfect")
    assert pickle.loads(pickle.dumps(layout)).fingerprint == layout.fingerprint
