"""A search tree with a guide: its policy says where to look, and its values replace playouts."""

from collections.abc import Iterable
from math import fsum, sqrt
from random import Random

from typing_extensions import override

from cardhub.bots.bot import Evaluator, Guide
from cardhub.bots.search.infosets import Edge, InfoSet, Views
from cardhub.bots.search.search_tree import SearchTree
from cardhub.bots.search.simulation import Playout, has_linear_values
from cardhub.model.game.game import S
from cardhub.model.hidden.chance import advance, sample_action
from cardhub.model.hidden.observation import EVERYTHING, Observation, Step
from cardhub.model.table.rounds import count_choices, is_in_round
from cardhub.model.table.state import CHANCE, OVER

# How much the policy's probabilities count against values from 0 to 1 (PUCT).
EXPLORATION = 0.5
# The share of even chances in the probabilities: a network is sometimes sure of a mistake.
EVEN = 0.1
# An untried action is expected to be this much worse than the mean of the tried ones.
DOUBT = 0.1


class GuidedTree(SearchTree[S]):
    """A tree that is extended by one estimate of an Evaluator per iteration, without a playout.

    Its policy is asked once for each information set, in the first determinization that comes back
    there; actions that were not legal in it have even chances.
    """

    def __init__(self, observation: Observation[S], rng: Random, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._prior = evaluator.prior if isinstance(evaluator, Guide) else evaluator.policy
        # The steps to the root as its seat knows them, and those of this iteration.
        self._steps: tuple[Step, ...] = ()
        self._history: list[Step] = []
        super().__init__(observation, rng, Playout(observation.game, rng))
        self._is_linear = has_linear_values(self._scoring.goal)

    @override
    def _start(self, observation: Observation[S], root: InfoSet) -> None:
        super()._start(observation, root)
        self._steps = observation.history

    @override
    def iterate(self, state: S) -> None:
        self._history = [*self._steps]
        super().iterate(state)

    @override
    def iterate_after(self, state: S, action: int) -> None:
        self._history = [*self._steps, Step(state.seat, action)]
        super().iterate_after(state, action)

    @override
    def _descend(self, state: S, views: Views, path: list[Edge]) -> None:
        keys, rng, is_new = self._keys, self._rng, False
        while state.seat != OVER:
            seat = state.seat
            if seat == CHANCE:
                action = sample_action(self._game, state, rng)
            elif is_new and not (keys.has_rounds and count_choices(state)):
                return
            else:
                edge, action = self._choose(state, views.nodes[seat])
                path.append(edge)
                is_new = is_new or not edge.visits
            self._history.append(Step(seat, action))
            keys.step(state, action, views, rng)

    def _choose(self, state: S, infoset: InfoSet) -> tuple[Edge, int]:
        """Return the best edge and its action, by its value and the policy's probability."""
        if self._keys.has_rounds and is_in_round(state):
            return self._selector.select(state, infoset)
        keyed = self._by_key(state)
        tried = [edge for key in keyed if (edge := infoset.edges.get(key)) is not None]
        visits = sum(edge.visits for edge in tried)
        mean = fsum(edge.standardized for edge in tried) / visits if visits else 0.5
        if infoset.priors is None:
            infoset.priors = self._priors(state, keyed)
        even = 1 / len(keyed)
        scale, best_key, top = EXPLORATION * sqrt(1 + visits), -1, -1.0
        for key in keyed:
            edge = infoset.edges.get(key)
            share = (1 - EVEN) * infoset.priors.get(key, even) + EVEN * even
            if edge is None or not edge.visits:
                bound = mean - DOUBT + scale * share
            else:
                bound = edge.standardized / edge.visits + scale * share / (1 + edge.visits)
            if bound > top:
                best_key, top = key, bound
        for edge in tried:
            edge.available += 1
        chosen = infoset.edges.get(best_key)
        if chosen is None:
            chosen = self._selector.add(infoset, best_key, keyed[best_key], state.seat)
        return chosen, keyed[best_key]

    def _by_key(self, state: S) -> dict[int, int]:
        """Return a legal action by each key of an edge: equal cards have one edge."""
        return {self._keys.edge_key(state, action): action for action in self._game.legal(state)}

    def _priors(self, state: S, keyed: Iterable[int]) -> dict[int, float]:
        """Return the policy's probability of each of these keys of edges."""
        observation = Observation(self._game, state, state.seat, self._history)
        priors = dict.fromkeys(keyed, 0.0)
        for action, share in self._prior(observation).items():
            priors[self._keys.edge_key(state, action)] += share
        return priors

    @override
    def _leaf_values(self, state: S) -> list[float]:
        while state.seat == CHANCE:
            action = sample_action(self._game, state, self._rng)
            self._history.append(Step(CHANCE, action))
            advance(self._game, state, action, self._rng)
        if state.seat == OVER:
            utilities = self._scoring.returns(self._game.scores(state))
        else:
            observation = Observation(self._game, state, EVERYTHING, self._history)
            utilities = [*self._evaluator.utilities(observation)]
        return utilities if self._is_linear else [(1 + utility) / 2 for utility in utilities]
