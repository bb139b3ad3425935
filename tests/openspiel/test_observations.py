"""Observations of cardhub games in OpenSpiel, as texts and as tensors."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.exploitability import exploitability
from open_spiel.python.observation import make_observation
from open_spiel.python.policy import TabularPolicy
from tests.games.lanterns import CARDS, TELL, Lanterns
from tests.openspiel.steps import played

from cardhub.base.errors import LayoutError
from cardhub.bots.solving.game_tree import Tree, node_after
from cardhub.model.hidden.observation import Step
from cardhub.testing.random_play import deal, default_trial
from cardhub_openspiel import CardhubState, load
from cardhub_openspiel.exported.pyspiel_game import Utility, game_type
from cardhub_openspiel.exported.views import observation, private_observation

# A game in which all players see a hand except its owner.
LANTERNS = Lanterns()
LANTERNS_TRIAL = default_trial(LANTERNS, 2, 1)


def test_information_states_depend_on_observations_only() -> None:
    game, views = load("kuhn"), Counter[str]()
    for cards in ((0, 1), (0, 2)):
        state = game.new_initial_state()
        for card in cards:
            state.apply_action(card)
        views[state.information_state_string(0)] += 1
        views[state.observation_string(0)] += 1
        assert state.information_state_string(0) != state.information_state_string(1)
    assert list(views.values()) == [2, 2]


def test_public_and_private_observations_make_the_whole_observation() -> None:
    state = played(load("gargon"), 3)
    public = [seen(state, seat, public=True, private="NONE") for seat in range(3)]
    assert public[0] == public[1] == public[2]
    private = [seen(state, seat, public=False, private="SINGLE_PLAYER") for seat in range(3)]
    assert len(set(private)) == 3
    names = [card.partition("=")[2] for card in private[0].split()]
    assert len(names) == 10
    assert all(name in state.observation_string(0) and name not in public[0] for name in names)
    assert seen(state, 0, public=True, private="ALL_PLAYERS") == str(state)
    assert seen(state, 0, public=False, private="NONE") == ""


def seen(state: CardhubState, seat: int, *, public: bool, private: str) -> str:
    """Return the observation string of a kind of OpenSpiel observer."""
    kind = pyspiel.IIGObservationType(
        public_info=public,
        perfect_recall=False,
        private_info=getattr(pyspiel.PrivateInfoType, private),
    )
    text: str = make_observation(state.get_game(), kind).string_from(state, seat)
    return text


def test_observations_are_tensors_with_named_slots() -> None:
    """It equals the array of `cardhub.learning.arrays`, and does not depend on hidden cards."""
    game = load("kuhn")
    tensors = []
    for cards in ((0, 1), (0, 2), (1, 2)):
        state = game.new_initial_state()
        for card in cards:
            state.apply_action(card)
        tensors.append(state.observation_tensor(0))
        known_cards = game.layout.read(np.array(tensors[-1], np.float32), "known")
        assert known_cards[0].nonzero()[0].tolist() == [cards[0]]
    assert tensors[0] == tensors[1] != tensors[2]
    assert game.observation_tensor_shape() == [game.layout.size]
    assert not any(load("gargon").new_initial_state().observation_tensor(0))


def decisions(state: CardhubState) -> Iterator[CardhubState]:
    """Yield all states below one in which a player is to act."""
    if not state.is_terminal():
        if not state.is_chance_node():
            yield state
        for action in state.legal_actions():
            yield from decisions(state.child(action))


def test_each_information_state_of_leduc_poker_has_a_tensor_of_its_own() -> None:
    """OpenSpiel's observer with perfect recall also has 936 different tensors."""
    game = load("leduc")
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    tensors = dict[str, bytes]()
    for state in decisions(game.new_initial_state()):
        player = state.current_player()
        text = state.information_state_string(player)
        if text not in tensors:
            observer.set_from(state, player)
            tensors[text] = observer.tensor.tobytes()
    assert (len(tensors), len({*tensors.values()})) == (936, 936)
    assert game.information_state_tensor_shape() == [game.information_layout.size]
    observer.set_from(state, player)
    assert state.information_state_tensor(player) == observer.tensor.tolist()
    assert game.get_type().provides_information_state_tensor


def test_regrets_by_information_state_tensor_solve_kuhn_poker() -> None:
    game = load("kuhn")
    regrets, sums = defaultdict[bytes, Any](lambda: np.zeros(4)), dict[bytes, Any]()

    def policy(state: CardhubState) -> tuple[bytes, Any]:
        key = np.array(state.information_state_tensor(), np.float32).tobytes()
        positive = np.maximum(regrets[key], 0) * state.legal_actions_mask()
        total = positive.sum()
        return key, positive / total if total else np.array(state.legal_actions_mask()) / 2

    def value(state: CardhubState, reach: Any) -> Any:
        if state.is_terminal():
            return np.array(state.returns())
        if state.is_chance_node():
            return sum(p * value(state.child(a), reach) for a, p in state.chance_outcomes())
        player, (key, chances) = state.current_player(), policy(state)
        sums[key] = sums.get(key, 0) + reach[player] * chances
        weights = {a: np.where([player == 0, player == 1], chances[a], 1) for a in range(4)}
        values = {a: value(state.child(a), reach * weights[a]) for a in state.legal_actions()}
        mean = sum(chances[a] * mean_after for a, mean_after in values.items())
        for action, mean_after in values.items():
            regrets[key][action] += reach[1 - player] * (mean_after - mean)[player]
        return mean

    for _ in range(50):
        value(game.new_initial_state(), np.ones(2))
    table = TabularPolicy(game)
    for state in table.states:
        key = np.array(state.information_state_tensor(), np.float32).tobytes()
        table.policy_for_key(state.information_state_string())[:] = sums[key] / sums[key].sum()
    assert len(sums) == 12
    assert exploitability(game, table) < 0.08


def test_a_game_that_is_longer_than_its_tensor_is_an_error_with_a_remedy() -> None:
    """Deep CFR would otherwise train on equal tensors of different information states."""
    game = load("pig", recall_room=1)
    actions = game.information_layout.part("history").shape[0]
    ends = (played(game, seed, 1000) for seed in range(100))
    state = next(end for end in ends if len(end.node.history) > actions)
    with pytest.raises(LayoutError, match=r"pig: a game with .* fix: recall_room=2 or more"):
        state.information_state_tensor(0)


def test_a_hand_that_its_owner_cannot_see_is_private_to_the_others() -> None:
    """The public observation hides both hands, which a spectator sees."""
    state = deal(LANTERNS, LANTERNS_TRIAL)
    LANTERNS.apply(state, TELL)
    node = node_after(Tree(LANTERNS, 2, LANTERNS_TRIAL.settings), state, [Step(0, TELL)])
    names = {t: CARDS.faces[state.face[t]].name for hand in state.hand for t in hand}
    for seat in (0, 1):
        private = private_observation(node, seat)
        for token in state.hand[1 - seat]:
            assert f"#{token}={names[token]}" in private
        assert not any(f"#{token}={names[token]}" in private for token in state.hand[seat])
    public = observation(node, 2)
    assert not any(name in public for name in names.values())


def test_such_a_game_has_imperfect_information() -> None:
    kind = game_type(LANTERNS, Utility.of(LANTERNS, "places", 2, LANTERNS_TRIAL.settings))
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
