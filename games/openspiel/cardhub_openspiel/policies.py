"""Policies of OpenSpiel as bots.

For a policy in a file see the bot `policy` in `cardhub.learning.learn.policy_bot`.
"""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from cardhub.base.errors import BotError
from cardhub.bots.bot import policy_problem
from cardhub.bots.solved_bot import PolicyBot
from cardhub.model.hidden.observation import Observation

# Imported late, because numpy and OpenSpiel take long to load and this plugin is imported at every
# start.
if TYPE_CHECKING:
    from cardhub_openspiel.exported.pyspiel_game import CardhubGame
    from cardhub_openspiel.exported.pyspiel_state import CardhubState


class OpenSpielBot(PolicyBot):
    """A bot that plays a policy of OpenSpiel, for example a network, for a game from `load`.

    `policy`: an object with a method `action_probabilities(state)`, which OpenSpiel's policies in
    Python and C++ have; at a simultaneous node the second argument is the player.
    """

    def __init__(self, rng: Random, game: "CardhubGame", policy: Any) -> None:
        super().__init__(rng)
        self._game = game
        self._policy = policy

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        state = self._state(observation)
        seat = observation.seat
        player = [] if state.current_player() == seat else [seat]
        chances: Mapping[int, float] = self._policy.action_probabilities(state, *player)
        if problem := policy_problem(chances.values()):
            raise BotError(f"{self._policy!r} is not a policy: {problem}")
        return {
            state.meant(number, seat): chance for number, chance in chances.items() if chance > 0
        }

    def _state(self, observation: Observation[Any]) -> "CardhubState":
        # Imported late: see above.
        from cardhub.bots.solving.game_tree import node_after

        # Use any state of the information state: the policy's probabilities are equal in all.
        whole = observation.determinize_whole(Random(0))
        node = node_after(self._game.tree, whole, observation.history)
        while self._game.is_turn_based and node.state.seat != observation.seat:
            node = node.child(node.odds[0][0])  # a choice of this round, which the seat cannot see
        state = self._game.new_initial_state()
        state.follow(node.path())
        return state
