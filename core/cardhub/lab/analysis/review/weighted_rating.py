"""Rate decisions by sampling, where the policies of all bots at a table are known.

The weight of a determinization is the likelihood of the other seats' past actions. In each of them
the bots themselves play on after each action, with equal luck.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from math import fsum, sqrt
from random import Random
from statistics import fmean, stdev
from sys import maxsize
from typing import Any, NamedTuple

from typing_extensions import override

from cardhub.bots.bot import Bot
from cardhub.bots.solving.game_tree import Tree, TreeNode
from cardhub.lab.analysis.bot_policies import BotPolicy, is_mixed
from cardhub.lab.analysis.continuations import Continuation, past_likelihood
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import State
from cardhub.play.setup import MakeBot

# The answers from which the policy of a bot without probabilities is estimated.
ANSWERS = 4
# The probability that an action was random: a surprise must not make a determinization impossible.
UNIFORM = 0.02
# Determinizations are drawn by `BATCH` until their weights are worth ENOUGH equal ones. If MOST are
# worth less than LEAST, the weights are flattened.
BATCH, ENOUGH, MOST, LEAST = 32, 24, 96, 8
# Halvings of the interval in which the power of flattened weights lies.
HALVINGS = 20
# The number of the other seats' past actions that count, the last ones.
MEMORY = 16
# The bots play this number of decisions; then the game's own playout follows.
DEPTH = 12
# A comparison has FEWEST to GREATEST continuations, and ends after EFFORT decisions of bots.
FEWEST, GREATEST, EFFORT = 8, 384, 3000
# Another action must be better by this number of standard errors to be compared further.
CAUTION = 1.5


class Belief(NamedTuple):
    """How a decision weighs its determinizations: see `worlds` and `trust` of ScreenedDecision."""

    worlds: float
    trust: float


# All unseen cards are equally likely.
UNKNOWN = Belief(0.0, 0.0)


class BestAction(NamedTuple):
    """The best action by a model, and what the action taken seems to lose against it."""

    loss: float
    best: int
    model: "TableModel"
    belief: Belief


class WeightedWorlds(NamedTuple):
    """Determinizations of an observation with their weights, which are above 0.

    `trust` is the power to which the weights have been raised.
    """

    worlds: list[State]
    weights: list[float]
    trust: float = 1.0

    @property
    def effective(self) -> float:
        """The number of equally likely determinizations that would be as good."""
        if not self.weights:
            return 0.0
        most = max(self.weights)
        scaled = [weight / most for weight in self.weights]  # squares of small numbers can be 0
        return fsum(scaled) ** 2 / fsum(weight**2 for weight in scaled)

    @property
    def belief(self) -> Belief:
        """What a review says about these weights."""
        return Belief(self.effective, self.trust)

    def flattened(self) -> "WeightedWorlds":
        """Return the same determinizations with weights that are worth LEAST equal ones or more.

        A few deals that seem likely would decide alone, and another sample would accuse another
        action. Weights between these and equal ones still believe a part of what others did.
        """
        if self.effective >= LEAST:
            return self
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._raised(middle).effective >= LEAST else (low, middle)
        return self._raised(low)

    def _raised(self, power: float) -> "WeightedWorlds":
        return WeightedWorlds(self.worlds, [weight**power for weight in self.weights], power)


class PolicyPlayer(Bot):
    """A player that follows a policy; all its games share the answers of the policy."""

    def __init__(self, policy: BotPolicy, rng: Random) -> None:
        self._policy = policy
        self._rng = rng

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        odds = self._policy(observation)
        return self._rng.choices(list(odds), list(odds.values()))[0]


class TableModel:
    """The bots by seat that are assumed at a table; `makers` make them by their names."""

    def __init__(self, bots: Sequence[str], makers: Mapping[str, MakeBot], seed: str) -> None:
        policies = {bot: BotPolicy(makers[bot], ANSWERS, f"{seed} {bot}", maxsize) for bot in bots}
        players = {
            bot: partial(PolicyPlayer, policy) if is_mixed(makers[bot]) else makers[bot]
            for bot, policy in policies.items()
        }
        self._policies = [policies[bot] for bot in bots]
        self._makes = [players[bot] for bot in bots]

    def worlds(self, observation: Observation[Any], rng: Random) -> WeightedWorlds:
        """Return determinizations, weighted by what the other seats did."""
        state = observation.state
        tree = Tree(observation.game, state.seats, state.settings)
        drawn = WeightedWorlds([], [])
        while drawn.effective < ENOUGH and len(drawn.worlds) < MOST:
            for _ in range(BATCH):
                whole = observation.determinize_whole(rng)
                drawn.worlds.append(whole)
                drawn.weights.append(
                    past_likelihood(
                        tree, whole, observation, {observation.seat}, self._chance_of, MEMORY
                    )
                )
        return drawn.flattened()

    def values(
        self,
        observation: Observation[Any],
        drawn: WeightedWorlds,
        actions: Sequence[int],
        rng: Random,
    ) -> list[list[float]]:
        """Return the utilities of actions by continuation, a row for each.

        The actions of a row share cards and luck.
        """
        rows: list[list[float]] = []
        decisions = 0
        while len(rows) < FEWEST or (len(rows) < GREATEST and decisions < EFFORT):
            whole, seed = rng.choices(drawn.worlds, drawn.weights)[0], rng.random()
            row = []
            for action in actions:
                continuation = Continuation(observation, whole, self._makes, Random(seed))
                continuation.step(action)
                decisions += 1 + continuation.ask_bots(DEPTH)
                row.append(continuation.utility())
            rows.append(row)
        return rows

    def _chance_of(self, node: TreeNode[Any], action: int) -> float:
        legal = [option for option, _ in node.odds]
        if len(legal) == 1:
            return 1.0
        seat = node.state.seat
        odds = self._policies[seat](Observation(node.tree.game, node.state, seat, node.history))
        chance: float = odds[action]
        return (1 - UNIFORM) * chance + UNIFORM / len(legal)


def has_beliefs(game: Game[Any]) -> bool:
    """Return whether what the seats did can weigh the cards of a game."""
    is_secret = game.actions.secret or game.state_type.choices_field
    return not is_secret and not game.no_determinizations


class WeightedRater:
    """Rates a decision of a bot by models of its table: the actual bots, and copies of itself.

    The loss is the loss by the model in which the action loses less: neither safe play nor play
    that exploits an opponent is a mistake.
    """

    def __init__(
        self,
        observation: Observation[Any],
        taken: int,
        bots: Sequence[str],
        makers: Mapping[str, MakeBot],
        seed: str,
    ) -> None:
        self._observation = observation
        self._taken = taken
        self._seed = seed
        copies = [bots[observation.seat]] * len(bots)
        tables = dict.fromkeys([tuple(bots), tuple(copies)])
        choices = [self._choice(TableModel(table, makers, seed)) for table in tables]
        self.choice = min(choices, key=lambda choice: choice.loss)

    def values(self, purpose: str) -> tuple[float, float]:
        """Return the values of the action taken and of the best one.

        Their determinizations are new ones, which did not choose the best action.
        """
        rng, model = Random(f"{self._seed} {purpose}"), self.choice.model
        drawn = model.worlds(self._observation, rng)
        actions = [self._taken, self.choice.best]
        rows = model.values(self._observation, drawn, actions, rng)
        taken, best = (fmean(column) for column in zip(*rows, strict=True))
        return taken, best

    def _choice(self, model: TableModel) -> BestAction:
        """Return the best action by a model: the action taken unless another one is better."""
        rng = Random(f"{self._seed} choice")
        legal = self._observation.legal()
        drawn = model.worlds(self._observation, rng)
        rows = model.values(self._observation, drawn, legal, rng)
        own = legal.index(self._taken)
        gains = [[row[n] - row[own] for row in rows] for n in range(len(legal))]
        best = max(range(len(legal)), key=lambda n: fsum(gains[n]))
        error = stdev(gains[best]) / sqrt(len(rows))
        if fmean(gains[best]) <= CAUTION * error:
            return BestAction(0.0, self._taken, model, drawn.belief)
        return BestAction(fmean(gains[best]), legal[best], model, drawn.belief)
