"""Policies of bots in Kuhn and Leduc poker, as OpenSpiel's solvers take them.

A policy is the mean, over seeds, of the choices of a new bot at every information set. It is
exact for these bots, so the seeds are the only sampling error of its exploitability and of the
results of two bots against each other. OpenSpiel's own games and solvers compute both. Information
sets that differ in suits only, which do not matter in Leduc poker, share a choice.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from statistics import stdev
from typing import Any, NamedTuple

import pyspiel

from cardhub.bots.solving.game_tree import TreeNode
from cardhub.model.hidden.observation import Observation
from cardhub_openspiel import load

# Number of times that the seeds are drawn again for an interval.
RESAMPLES = 40

Weights = Mapping[int, float]
"""Weights of OpenSpiel's actions."""

Mixture = list[tuple[int, float]]
"""OpenSpiel's actions with their probabilities."""

Policy = dict[str, Mixture]
"""Mixtures by OpenSpiel's names of information sets."""

Choices = dict[str, list[Mixture]]
"""The mixtures of several new bots, one for each seed, by the same names."""


class Poker(NamedTuple):
    """A game that cardhub and OpenSpiel have in common; `actions` are OpenSpiel's of ours.

    `without_suits` is OpenSpiel's game whose cards are ranks, for games in which suits do not
    matter.
    """

    ours: str
    theirs: str
    actions: Mapping[int, int]
    suits: int = 1
    without_suits: str = ""

    def ranked(self, state: Any) -> Any:
        """Return the state of `without_suits` after the same history as a state of `theirs`."""
        return _ranked(self.without_suits, self.suits, tuple(state.history()))


# Cached, because it must not count in the time of bots.
@cache
def _ranked(game: str, suits: int, history: tuple[int, ...]) -> Any:
    state = pyspiel.load_game(game).new_initial_state()
    for step in history:
        state.apply_action(step // suits if state.is_chance_node() else step)
    return state


KUHN = Poker("kuhn", "kuhn_poker", {0: 0, 1: 1, 2: 0, 3: 1})
LEDUC = Poker(
    "leduc",
    "leduc_poker",
    {0: 0, 1: 1, 2: 2},
    suits=2,
    without_suits="leduc_poker(suit_isomorphism=True)",
)


class Decision(NamedTuple):
    """An information set: OpenSpiel's name and state, the name without suits, and our node."""

    name: str
    plain: str
    node: TreeNode[Any]
    state: Any

    @property
    def observation(self) -> Observation[Any]:
        """The observation of the seat to act."""
        node = self.node
        return Observation(node.tree.game, node.state, node.state.seat, node.history)


Chooser = Callable[[Decision, int], Weights]
"""The choice of a new bot with this seed."""


def interval(figure: Callable[..., float], *bots: Choices, sign: str = "") -> str:
    """Return a figure of the bots' mean policies, and its interval over seeds."""
    rng, values = Random(0), []
    seeds = range(len(next(iter(bots[0].values()))))
    for _ in range(RESAMPLES):
        policies = [mean(choices, rng.choices(seeds, k=len(seeds))) for choices in bots]
        values.append(figure(*policies))
    return f"{figure(*map(mean, bots)):{sign}.3f} ± {2 * stdev(values):.3f}"


def mean_policy(poker: Poker, choose: Chooser, seeds: Sequence[int]) -> Policy:
    """Return the mean choice over seeds at every information set."""
    return mean(sample(poker, choose, seeds))


def mean(choices: Choices, positions: Sequence[int] = ()) -> Policy:
    """Return the mean choice over the seeds at these positions, over all without positions."""
    return {
        name: _mean([by_seed[position] for position in positions] or by_seed)
        for name, by_seed in choices.items()
    }


def sample(poker: Poker, choose: Chooser, seeds: Sequence[int]) -> Choices:
    """Return the choices at all information sets that the mean policy reaches.

    The choice at others matters to no result; there it is uniform.
    """
    choices: Choices = {}
    known: dict[str, list[Mixture]] = {}
    game = pyspiel.load_game(poker.theirs)
    left = [_Place(load(poker.ours).tree.root, game.new_initial_state(), (True, True))]
    while left:
        place = left.pop()
        if place.node.due.kind == "turn":
            decision = place.decision(poker.suits)
            if not place.is_reached[place.node.state.seat]:
                uniform = dict.fromkeys(decision.state.legal_actions(), 1.0)
                known.setdefault(decision.plain, [_mixture(decision, uniform)] * len(seeds))
            elif decision.plain not in known:
                known[decision.plain] = [
                    _mixture(decision, choose(decision, seed)) for seed in seeds
                ]
            choices[decision.name] = known[decision.plain]
        left += place.following(poker, choices)
    return choices


def all_decisions(poker: Poker) -> list[Decision]:
    """Return a decision of every information set, those that differ in suits only once."""
    decisions: dict[str, Decision] = {}

    def choose(decision: Decision, _: int) -> Weights:
        decisions[decision.plain] = decision
        return dict.fromkeys(decision.state.legal_actions(), 1.0)

    sample(poker, choose, [0])
    return list(decisions.values())


class _Place(NamedTuple):
    """The same node in both trees, and by seat whether its policy leads there."""

    node: TreeNode[Any]
    state: Any
    is_reached: tuple[bool, ...]

    def decision(self, suits: int) -> Decision:
        """Return the information set of the seat to act."""
        name = self.state.information_state_string()
        return Decision(name, _without_suits(name, suits), self.node, self.state)

    def following(self, poker: Poker, choices: Choices) -> Iterator["_Place"]:
        """Yield the nodes after this one."""
        node = self.node
        if node.due.kind != "turn":
            for step, _ in node.odds:
                yield _Place(node.child(step), self.state.child(step), self.is_reached)
            return
        chances = dict(_mean(choices[self.state.information_state_string()]))
        for step, _ in node.odds:
            action = poker.actions[step]
            reached = list(self.is_reached)
            reached[node.state.seat] &= chances[action] > 0
            yield _Place(node.child(step), self.state.child(action), tuple(reached))


def _without_suits(name: str, suits: int) -> str:
    # OpenSpiel numbers cards by rank, then by suit.
    card = r"(Private|Public): (\d+)"
    return re.sub(card, lambda match: f"{match[1]}: {int(match[2]) // suits}", name)


def _mixture(decision: Decision, weights: Weights) -> Mixture:
    total = sum(weights.values())
    return [(action, weights.get(action, 0) / total) for action in decision.state.legal_actions()]


def _mean(mixtures: Sequence[Mixture]) -> Mixture:
    total = dict.fromkeys((action for action, _ in mixtures[0]), 0.0)
    for mixture in mixtures:
        for action, chance in mixture:
            total[action] += chance / len(mixtures)
    # Rounding up to more than 1 would be an error for OpenSpiel's solvers.
    return [(action, min(chance, 1.0)) for action, chance in total.items()]


def head_to_head(game: Any, one: Policy, other: Policy) -> float:
    """Return the exact mean result of the first policy against the other, in both seats."""
    root = game.new_initial_state()
    first, second = pyspiel.TabularPolicy(one), pyspiel.TabularPolicy(other)
    ahead = pyspiel.expected_returns(root, [first, second], -1, True)[0]
    behind = pyspiel.expected_returns(root, [second, first], -1, True)[1]
    return float(ahead + behind) / 2
