"""Exploitability of search in Kuhn and Leduc poker, printed as tables for docs/bots.md.

A policy is the mean, over seeds, of the choices of a new bot at every information set. It is
exact for these bots, so its exploitability and the results of two bots against each other have no
sampling error beyond that of the seeds. OpenSpiel's own games and solvers compute both. Information
sets that differ in suits only, which count for nothing in Leduc poker, share one choice.

"±" is two standard deviations of the figure when seeds are drawn again from these, with replacement
(bootstrap): of the seeds of both bots where two play.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from statistics import stdev
from typing import Any, NamedTuple

import pyspiel

from cardhub.adapters.openspiel import load
from cardhub.adapters.openspiel.tree import TreeNode
from cardhub.bots.search.search_bot import SearchBot
from cardhub.hidden.observation import Observation
from cardhub.plugins.registry import find_plugins
from speed import surroundings

# Exploration constants of OpenSpiel's search; the best one is compared.
CONSTANTS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
ALL = -1  # no limit
# Number of times that the seeds are drawn again for an interval.
RESAMPLES = 40

REGISTRY = find_plugins()

Weights = Mapping[int, float]
"""Weights of OpenSpiel's actions."""

Mixture = list[tuple[int, float]]
"""OpenSpiel's actions with their probabilities."""

Policy = dict[str, Mixture]
"""Mixtures by OpenSpiel's names of information sets."""

Choices = dict[str, list[Mixture]]
"""The mixtures of several new bots, one for each seed, by the same names."""


class Poker(NamedTuple):
    """A game that cardhub and OpenSpiel have in common; `actions` are OpenSpiel's of ours."""

    ours: str
    theirs: str
    actions: Mapping[int, int]
    suits: int = 1


KUHN = Poker("kuhn", "kuhn_poker", {0: 0, 1: 1, 2: 0, 3: 1})
LEDUC = Poker("leduc", "leduc_poker", {0: 0, 1: 1, 2: 2}, suits=2)


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


def main() -> None:
    """Run the benchmark and print its tables."""
    arguments = read_arguments()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    print(surroundings())
    print(f"seeds {seeds[0]} to {seeds[-1]}; OpenSpiel's ISMCTS: 1 rollout, most visits, best c")
    for poker in (KUHN, LEDUC):
        if poker.ours in arguments.games:
            for iterations in arguments.iterations:
                print_rows(poker, iterations, seeds, arguments.spec, arguments.constants)


def read_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["kuhn", "leduc"])
    parser.add_argument("--iterations", nargs="+", type=int, default=[300, 1000])
    parser.add_argument("--seeds", type=int, default=24)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--spec", default="ismcts", help="a search bot, without its iterations")
    parser.add_argument("--constants", nargs="*", type=float, default=CONSTANTS)
    return parser.parse_args()


def print_rows(
    poker: Poker, iterations: int, seeds: Sequence[int], spec: str, constants: Sequence[float]
) -> None:
    """Print our bot, OpenSpiel's with each constant, and the best of these against ours."""
    game = pyspiel.load_game(poker.theirs)
    measure = partial(pyspiel.exploitability, game)
    mine = sample(poker, ours(poker, spec, iterations), seeds)
    print(f"\n{poker.ours}, {iterations} iterations")
    print(f"  {spec}: {interval(measure, mine)}", flush=True)
    found = []
    for constant in constants:
        choices = sample(poker, theirs(constant, iterations), seeds)
        found.append((measure(mean(choices)), constant, choices))
        print(f"  OpenSpiel, c = {constant:g}: {found[-1][0]:.3f}", flush=True)
    if found:
        _, constant, best = min(found, key=lambda each: each[:2])
        gain = interval(partial(head_to_head, game), mine, best, sign="+")
        print(f"  OpenSpiel, best c = {constant:g}: {interval(measure, best)}")
        print(f"  {spec} against it: {gain} a game")


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
    return list(total.items())


def ours(poker: Poker, spec: str, iterations: int) -> Chooser:
    """Return the choices of a search bot of cardhub; bluffs count by their probabilities."""
    joined = f"{spec}{',' if ':' in spec else ':'}iterations={iterations}"

    def choose(decision: Decision, seed: int) -> Weights:
        bot = REGISTRY.make_bot(joined, poker.ours, Random(f"{seed} {decision.plain}"))
        assert isinstance(bot, SearchBot)
        weights = bot.weights(decision.observation)
        return {poker.actions[action]: weight for action, weight in weights.items()}

    return choose


def theirs(constant: float, iterations: int) -> Chooser:
    """Return the choices of OpenSpiel's search in C++, by most visits."""
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

    def choose(decision: Decision, seed: int) -> Weights:
        number = Random(f"{seed} {decision.plain}").getrandbits(31)
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        bot = pyspiel.ISMCTSBot(number, evaluator, constant, iterations, ALL, final, False, False)
        return {bot.step(decision.state): 1.0}

    return choose


def head_to_head(game: Any, one: Policy, other: Policy) -> float:
    """Return the exact mean result of the first policy against the other, in both seats."""
    root = game.new_initial_state()
    first, second = pyspiel.TabularPolicy(one), pyspiel.TabularPolicy(other)
    ahead = pyspiel.expected_returns(root, [first, second], -1, True)[0]
    behind = pyspiel.expected_returns(root, [second, first], -1, True)[1]
    return float(ahead + behind) / 2


if __name__ == "__main__":
    main()
