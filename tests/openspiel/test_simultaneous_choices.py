"""Games in which several seats choose at the same time, in OpenSpiel."""

from typing import Any

import pyspiel
from open_spiel.python.observation import make_observation
from tests.games.throws import PAPER, ROCK, SCISSORS, Throws

from cardhub_openspiel import CardhubState, load

THROWS = Throws()


def after_throw(throw: int) -> CardhubState:
    """Return the state after the first seat's throw, which is secret."""
    state = load(THROWS).new_initial_state()
    state.apply_action(throw)
    return state


def observers() -> list[Any]:
    """Return OpenSpiel's observers of public and of one player's information."""
    private = pyspiel.PrivateInfoType
    kinds = [
        pyspiel.IIGObservationType(public, recall, info)
        for public in (True, False)
        for recall in (True, False)
        for info in (private.NONE, private.SINGLE_PLAYER)
    ]
    return [make_observation(load(THROWS), kind) for kind in kinds]


def views(state: CardhubState, player: int) -> list[Any]:
    """Return all that OpenSpiel shows a player."""
    shown: list[Any] = []
    for observer in observers():
        observer.set_from(state, player)
        shown.append(observer.string_from(state, player))
        shown.append(None if observer.tensor is None else observer.tensor.tolist())
    return shown


def test_a_secret_choice_is_in_no_view_of_another_seat() -> None:
    assert views(after_throw(ROCK), 1) == views(after_throw(PAPER), 1)


def test_a_seat_sees_its_own_secret_choice() -> None:
    texts = {after_throw(throw).information_state_string(0) for throw in (ROCK, PAPER, SCISSORS)}
    assert len(texts) == 3


def test_a_state_resampled_for_a_seat_does_not_depend_on_a_secret_choice() -> None:
    def resampled(throw: int, number: float) -> list[int]:
        again = after_throw(throw).resample_from_infostate(1, lambda: number)
        assert again.current_player() == 1
        return list(again.history())

    numbers = [index / 20 for index in range(20)]
    samples = [[resampled(throw, number) for number in numbers] for throw in (ROCK, PAPER)]
    assert samples[0] == samples[1]
    assert len({tuple(history) for history in samples[0]}) == 3
