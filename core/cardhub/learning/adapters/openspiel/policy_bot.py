"""Policies of OpenSpiel as bots."""

from collections.abc import Mapping
from random import Random
from typing import Any

from typing_extensions import override

from cardhub.bots import Bot, MixedBot
from cardhub.bots.solved_bot import sampled_action
from cardhub.bots.solving.game_tree import node_after
from cardhub.learning.adapters.openspiel.pyspiel_game import CardhubGame
from cardhub.learning.adapters.openspiel.pyspiel_state import CardhubState
from cardhub.model.hidden.observation import Observation


class OpenSpielBot(Bot, MixedBot):
    """A bot that plays a policy of OpenSpiel, for example a network, for a game from `load`.

    `policy`: an object with a method `action_probabilities(state)`, which OpenSpiel's policies in
    Python and C++ have.
    """

    def __init__(self, rng: Random, game: CardhubGame, policy: Any) -> None:
        self._rng = rng
        self._game = game
        self._policy = policy

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        return sampled_action(self.policy(observation), self._rng)

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        state = self._state(observation)
        chances: Mapping[int, float] = self._policy.action_probabilities(state)
        return {state.meant(number): chance for number, chance in chances.items() if chance > 0}

    def _state(self, observation: Observation[Any]) -> CardhubState:
        # Use any state of the information state: the policy's probabilities are equal in all.
        whole = observation.determinize_whole(Random(0))
        state = self._game.new_initial_state()
        for step in node_after(self._game.tree, whole, observation.history).path():
            state.apply_step(step)
        return state
