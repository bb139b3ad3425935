"""Search bots of cardhub and of OpenSpiel as choosers of poker policies, and their CPU time."""

from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from time import process_time

import pyspiel

from cardhub.bots.search.search_bot import SearchBot
from cardhub.plugins.registry import find_plugins
from poker_policies import Choices, Chooser, Decision, Mixture, Poker, Weights, all_decisions

ALL = -1  # no limit
# Decisions by which two bots are given equal time, and measurements of each bot.
DECISIONS, ROUNDS = 40, 5

REGISTRY = find_plugins()


class Timed:
    """A chooser that measures the CPU time of its choices."""

    def __init__(self, choose: Chooser) -> None:
        self._choose = choose
        self.seconds = 0.0
        self.choices = 0

    def __call__(self, decision: Decision, seed: int) -> Weights:
        """Choose, and add the CPU time."""
        started = process_time()
        weights = self._choose(decision, seed)
        self.seconds += process_time() - started
        self.choices += 1
        return weights

    @property
    def milliseconds(self) -> float:
        """The mean CPU time of a choice."""
        return 1000 * self.seconds / max(self.choices, 1)


def ours(poker: Poker, spec: str, iterations: int) -> Chooser:
    """Return the choices of a search bot of cardhub; bluffs count by their probabilities."""
    joined = f"{spec}{',' if ':' in spec else ':'}iterations={iterations}"

    def choose(decision: Decision, seed: int) -> Weights:
        bot = REGISTRY.make_bot(joined, poker.ours, Random(f"{seed} {decision.plain}"))
        assert isinstance(bot, SearchBot)
        weights = bot.weights(decision.observation)
        return {poker.actions[action]: weight for action, weight in weights.items()}

    return choose


def theirs(constant: float, iterations: int, poker: Poker | None = None) -> Chooser:
    """Return the choices of OpenSpiel's search in C++, in proportion to visits.

    With a game it searches that one without suits.
    """
    final = pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT

    def choose(decision: Decision, seed: int) -> Weights:
        number = Random(f"{seed} {decision.plain}").getrandbits(31)
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        bot = pyspiel.ISMCTSBot(number, evaluator, constant, iterations, ALL, final, False, False)
        state = decision.state if poker is None else poker.ranked(decision.state)
        return dict(bot.get_policy(state))

    return choose


def most_visited(choices: Choices) -> Choices:
    """Return the choices of a bot that takes the most visited action, the first of equals.

    They are from the same searches as choices in proportion to visits, which reach more.
    """
    return {
        name: [_best_only(mixture) for mixture in mixtures] for name, mixtures in choices.items()
    }


def _best_only(mixture: Mixture) -> Mixture:
    best = max(mixture, key=lambda pair: pair[1])
    return [(action, float(action == best[0])) for action, _ in mixture]


class Calibration:
    """Iterations of OpenSpiel's search that take the same CPU time as ours.

    Both decide at the same information sets, in turns; times are medians over rounds. `other`
    returns OpenSpiel's search with a number of iterations.
    """

    def __init__(
        self, poker: Poker, mine: Chooser, other: Callable[[int], Chooser], iterations: int
    ) -> None:
        decisions = all_decisions(poker)
        self._decisions = decisions[:: max(1, len(decisions) // DECISIONS)]
        self._mine = mine
        self._other = other
        self.iterations = iterations
        for rounds in (1, ROUNDS, 0):
            self._measure(rounds or ROUNDS)
            factor = self.ours_ms / self.theirs_ms
            if rounds:
                self.iterations = max(1, round(self.iterations * factor))

    def _measure(self, rounds: int) -> None:
        other = self._other(self.iterations)
        times = [
            (_milliseconds(self._mine, self._decisions), _milliseconds(other, self._decisions))
            for _ in range(rounds)
        ]
        self.ours_ms, self.theirs_ms = (median(seconds) for seconds in zip(*times, strict=True))


def _milliseconds(choose: Chooser, decisions: Sequence[Decision]) -> float:
    timed = Timed(choose)
    for decision in decisions:
        timed(decision, 0)
    return timed.milliseconds
