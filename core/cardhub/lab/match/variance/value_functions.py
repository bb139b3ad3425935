"""Value functions: estimates of what a position is worth to each seat.

The terms of a game have the mean 0 with any function, and a better function removes more luck.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import fsum
from random import Random
from typing import Any, Generic

from cardhub.base.errors import BotFaultError, SolvingError
from cardhub.bots.asking import policy_of
from cardhub.bots.bot import MixedBot, SamplingBot
from cardhub.bots.search.simulation import Playout
from cardhub.bots.solving.game_tree import MAX_CACHED, Tree, TreeNode, estimate
from cardhub.lab.match.match_spec import Score
from cardhub.lab.match.seat_scores import final_places, seat_scores
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.settings import Settings, Value

# Playouts for the value of one position.
PLAYOUTS = 2

Values = tuple[float, ...]
Odds = list[tuple[int, float]]


def contest_scores(scores: Sequence[int], scoring: Scoring, score: Score) -> Values:
    """Return what final scores count in a match without faults: points, or scores from 0 to 1."""
    if score == "points":
        sign = -1.0 if scoring.lowest_wins else 1.0
        return tuple(sign * points for points in scores)
    places = final_places(scores, (), scoring, has_ended=True)
    return tuple(map(float, seat_scores(places, score, scoring.shared_teams)))


class KnownPolicy:
    """The policy of a bot."""

    def __init__(self, bot: MixedBot) -> None:
        self._bot = bot
        # By the tree as well, because equal states of tables with other options are different.
        self._odds: dict[tuple[Tree[Any], str], Odds] = {}

    def ask(self, observation: Observation[Any]) -> Mapping[int, float]:
        """Return the probability of each legal action; empty where the bot fails."""
        try:
            return policy_of(self._bot, observation)
        except BotFaultError:
            return {}

    def odds(self, node: TreeNode[Any]) -> Odds:
        """Return the probabilities at a node; the bot is asked once in each information state."""
        observation = Observation(node.tree.game, node.state, node.state.seat, node.history)
        state = node.tree, observation.information_text()
        if state not in self._odds:
            self._odds[state] = [*self.ask(observation).items()]
        return self._odds[state]


class PartlyRandomPolicy:
    """A policy that is followed in a share of decisions; the others are random."""

    def __init__(self, policy: KnownPolicy, share: float) -> None:
        self._policy = policy
        self._share = share

    def odds(self, node: TreeNode[Any]) -> Odds:
        """Return the probabilities at a node; empty where the policy has none."""
        odds = self._policy.odds(node)
        rest = (1 - self._share) / max(len(odds), 1)
        return [(action, self._share * chance + rest) for action, chance in odds]


class SampledPolicy:
    """The policy of a bot at one decision after its answers: it draws one of them."""

    def __init__(self, bot: SamplingBot) -> None:
        self._bot = bot

    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        """Return the share of each action among the answers."""
        actions = self._bot.sample(observation)
        return {action: count / len(actions) for action, count in Counter(actions).items()}


class StatedPolicy:
    """The policy at one decision, from whose weights cardhub drew the action of a program."""

    def __init__(self, weights: Sequence[tuple[int, int]]) -> None:
        total = sum(weight for _, weight in weights)
        self._chances = {action: weight / total for action, weight in weights}

    def ask(self, _: Observation[Any]) -> Mapping[int, float]:
        """Return the probability of each action that could be drawn."""
        return self._chances

    def odds(self, _: TreeNode[Any]) -> Odds:
        """Return the probabilities at its node."""
        return [*self._chances.items()]


class TreeValues:
    """The exact values of a small game if the seats follow these policies.

    Without a policy all actions of a seat are equally likely.
    """

    def __init__(
        self,
        tree: Tree[Any],
        policies: Sequence[KnownPolicy | PartlyRandomPolicy | None],
        scoring: Scoring,
        score: Score,
    ) -> None:
        self.tree = tree
        self._policies = policies
        self._scoring = scoring
        self._score = score
        self._values: dict[TreeNode[Any], Values] = {}

    def of(self, node: TreeNode[Any]) -> Values:
        """Return the expected score of each seat from a node on."""
        values = self._values.get(node)
        if values is None:
            if node.due.kind == "over":
                values = contest_scores(node.scores, self._scoring, self._score)
            else:
                values = self.mean(node, self._odds(node))
            self._values[node] = values
        return values

    def mean(self, node: TreeNode[Any], odds: Odds) -> Values:
        """Return the mean of the values after a node, by the probabilities of its steps."""
        following = [(chance, self.of(node.child(step))) for step, chance in odds if chance]
        return tuple(
            fsum(chance * values[seat] for chance, values in following)
            for seat in range(self.tree.seats)
        )

    def _odds(self, node: TreeNode[Any]) -> Odds:
        if node.due.kind != "turn":
            return node.odds
        policy = self._policies[node.state.seat]
        odds = policy.odds(node) if policy else []
        return odds or [(action, 1 / len(node.odds)) for action, _ in node.odds]


class PlayoutValues(Generic[S]):
    """Estimates of positions of any game: evaluations by the game after a few playouts."""

    def __init__(self, game: Game[S], rng: Random) -> None:
        self._game = game
        self._playout = Playout(game, rng)
        self._sign = -1.0 if game.lowest_wins else 1.0

    def of(self, state: S) -> Values:
        """Return the mean evaluation of each seat."""
        outcome = self._playout.outcome(state, PLAYOUTS, evaluates_end=True)
        if outcome is not None:
            return tuple(self._sign * total / PLAYOUTS for total in outcome.evaluations)
        totals = [0.0] * state.seats
        for _ in range(PLAYOUTS):
            copy = state.clone()
            self._playout.play(copy)
            for seat, value in enumerate(self._game.heuristics.evaluate(copy)):
                totals[seat] += value
        return tuple(self._sign * total / PLAYOUTS for total in totals)


@lru_cache(maxsize=8)
def small_tree(
    game: Game[Any], seats: int, options: tuple[tuple[str, Value], ...]
) -> Tree[Any] | None:
    """Return the tree of a game if it is small enough to be walked as a whole."""
    if game.state_type.choices_field or game.actions.secret:
        return None  # the tree would show a seat what others have chosen
    try:
        tree = Tree(game, seats, Settings(dict(options)))
    except SolvingError:
        return None
    return tree if estimate(tree.root, MAX_CACHED) <= MAX_CACHED else None
