"""What bots probably hold after their past actions, and how a game continues with them."""

from collections.abc import Callable, Collection, Sequence
from math import inf
from random import Random
from typing import Any

from cardhub.bots.asking import choose
from cardhub.bots.bot import Bot
from cardhub.bots.search.simulation import Playout
from cardhub.bots.solving.game_tree import Tree, TreeNode, node_after
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.chance import advance, sample_action
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.state import CHANCE, OVER, State
from cardhub.play.setup import MakeBot, closing

# Returns the probability of an action at a node.
ChanceOf = Callable[[TreeNode[Any], int], float]


def past_likelihood(
    tree: Tree[Any],
    whole: State,
    observation: Observation[Any],
    silent: Collection[int],
    chance_of: ChanceOf,
    memory: float = inf,
) -> float:
    """Return the probability of the last `memory` past actions in a determinization.

    Actions of the seats `silent` do not count.
    """
    remaining, likelihood = memory, 1.0
    node = node_after(tree, whole, observation.history) if remaining else tree.root
    while remaining and likelihood and node.parent is not None:
        before, action = node.parent, node.last
        if before.due.kind == "turn" and before.state.seat not in silent:
            likelihood *= chance_of(before, action)
            remaining -= 1
        node = before
    return likelihood


class Continuation:
    """A determinization in which bots continue; `makes` are their makers by seat."""

    def __init__(
        self, observation: Observation[Any], whole: State, makes: Sequence[MakeBot], rng: Random
    ) -> None:
        self._game: Game[Any] = observation.game
        self._seat = observation.seat
        self._state = whole.clone()
        self._history = [*observation.history]
        self._makes = makes
        self._rng = rng

    def step(self, action: int) -> None:
        """Apply an action."""
        self._history.append(Step(self._state.seat, action))
        advance(self._game, self._state, action, self._rng)

    def ask_bots(self, most: int) -> int:
        """Play at most `most` decisions, with a new bot at each seat; return their number."""
        bots: dict[int, Bot] = {}
        decisions = 0
        with closing(bots):
            while decisions < most and self._state.seat != OVER:
                seat = self._state.seat
                if seat == CHANCE:
                    self.step(sample_action(self._game, self._state, self._rng))
                    continue
                observation = Observation(self._game, self._state, seat, self._history)
                legal = observation.legal()
                if len(legal) > 1 and seat not in bots:
                    bots[seat] = self._makes[seat](Random(self._rng.random()))
                self.step(choose(bots[seat], observation) if len(legal) > 1 else legal[0])
                decisions += len(legal) > 1
        return decisions

    def utility(self) -> float:
        """Return the seat's utility after a playout."""
        state = self._state
        Playout(self._game, self._rng).play(state)
        scoring = game_scoring(self._game, state.settings, state.seats)
        return scoring.returns(self._game.scores(state))[self._seat]
