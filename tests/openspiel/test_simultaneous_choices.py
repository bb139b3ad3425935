"""Games in which several seats choose at the same time, in OpenSpiel."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability
from open_spiel.python.observation import make_observation
from tests.games.throws import PAPER, ROCK, SCISSORS, Throws

from cardhub import Observation
from cardhub.base.errors import OptionError
from cardhub.testing import initial_state, resolve_options
from cardhub_openspiel import CardhubState, OpenSpielBot, load, tabular

THROWS = Throws()


def after_throw(throw: int) -> CardhubState:
    """Return the state after the first seat's throw, which is secret."""
    state = load(THROWS, turn_based=True).new_initial_state()
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
    return [make_observation(load(THROWS, turn_based=True), kind) for kind in kinds]


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


def steps(state: Any) -> list[Any]:
    """Return the actions that can follow: an action, or one of each player in order."""
    if state.is_simultaneous_node():
        return [[a, b] for a in state.legal_actions(0) for b in state.legal_actions(1)]
    return list(state.legal_actions())


def after(state: Any, step: Any) -> Any:
    """Return the state after one of the `steps`."""
    following = state.clone()
    if isinstance(step, list):
        following.apply_actions(step)
    else:
        following.apply_action(step)
    return following


def pairs(ours: Any, theirs: Any) -> Iterator[tuple[Any, Any]]:
    """Yield all pairs of states that the same steps lead to; both games must offer as many."""
    if theirs.is_terminal() and not ours.is_terminal():
        ours = after(ours, *steps(ours))  # OpenSpiel plays the last card of each hand by itself
    yield ours, theirs
    for step, other_step in zip(steps(ours), steps(theirs), strict=True):
        yield from pairs(after(ours, step), after(theirs, other_step))


def dealt(game: Any) -> Any:
    """Return a state after a deal."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def goofspiel(cards: int, **options: Any) -> Any:
    """Return cardhub's Goofspiel with prizes in descending order."""
    return load("goofspiel", cards=cards, order="descending", **options)


def openspiels(cards: int) -> Any:
    """Return the same game of OpenSpiel."""
    return pyspiel.load_game(f"goofspiel(num_cards={cards},points_order=descending)")


def test_goofspiel_is_openspiels_goofspiel_node_by_node() -> None:
    ours, theirs = goofspiel(3), openspiels(3)
    assert ours.get_type().dynamics == theirs.get_type().dynamics
    count = 0
    for state, other in pairs(dealt(ours), theirs.new_initial_state()):
        count += 1
        assert state.is_terminal() == other.is_terminal()
        assert state.is_simultaneous_node() == other.is_simultaneous_node()
        assert np.sign(state.returns()).tolist() == other.returns()
    assert count == 1 + 9 + 36


@pytest.mark.parametrize("dynamics", ["converted", "turn_based", "tabular"])
def test_goofspiel_is_as_exploitable_as_openspiels(dynamics: str) -> None:
    values = []
    for game in (turn_based(dynamics), pyspiel.convert_to_turn_based(openspiels(2))):
        table = policy.TabularPolicy(game)
        values.append(exploitability.exploitability(game, table))
    assert values[0] == pytest.approx(values[1])
    assert values[1] == 0.5


def turn_based(dynamics: str) -> Any:
    """Return Goofspiel with two cards, in one of the ways in which it becomes turn-based."""
    if dynamics == "converted":
        return pyspiel.convert_to_turn_based(goofspiel(2, returns="places"))
    game = goofspiel(2, turn_based=True, returns="places")
    return tabular(game) if dynamics == "tabular" else game


@pytest.mark.parametrize("is_turn_based", [True, False])
def test_openspiels_own_checks_pass(is_turn_based: bool) -> None:
    game = goofspiel(3, players=3, turn_based=is_turn_based)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_state_is_resampled_at_a_simultaneous_node() -> None:
    state = after(dealt(goofspiel(3)), [3, 8])
    again = state.resample_from_infostate(1, lambda: 0.3)
    assert again.information_state_string(1) == state.information_state_string(1)
    assert again.is_simultaneous_node()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("is_turn_based", [True, False])
def test_a_policy_is_a_bot_at_every_seat(seat: int, is_turn_based: bool) -> None:
    game = load(THROWS, turn_based=is_turn_based)
    table, observation = policy.TabularPolicy(game), Observation(THROWS, begin(), seat)
    table.policy_for_key(observation.information_text())[:] = [0, 1, 0]
    assert OpenSpielBot(Random(1), game, table).policy(observation) == {PAPER: 1.0}


def begin() -> Any:
    """Return the table at which both seats are asked."""
    settings = resolve_options(THROWS, {}, 2)
    return initial_state(THROWS, settings, 2, THROWS.pack(settings, 2))


def test_only_games_with_simultaneous_choices_can_be_turn_based() -> None:
    with pytest.raises(OptionError, match="turn_based"):
        load("kuhn", turn_based=True)


def test_a_turn_based_game_without_hands_has_imperfect_information() -> None:
    kinds = [load(THROWS, turn_based=is_turn_based).get_type() for is_turn_based in (True, False)]
    information = pyspiel.GameType.Information
    assert [kind.information for kind in kinds] == [
        information.IMPERFECT_INFORMATION,
        information.PERFECT_INFORMATION,
    ]
