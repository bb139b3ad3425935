"""Rate decisions exactly in small games: against perfect opponents, and against the actual ones."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache, partial
from math import fsum
from typing import Any, NamedTuple

from cardhub.base.errors import BotFaultError, SolvingError
from cardhub.bots.solving.game_tree import Tree
from cardhub.bots.solving.known_opponents import PAST, KnownOpponents, Policy
from cardhub.bots.solving.sequence_form import exploit, sequence_form, solve
from cardhub.lab.analysis.bot_policies import policies_of
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.task import GameResult
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings, Value
from cardhub.plugins.registry import PluginRegistry

# The iterations of CFR+ that solve a game, and the greatest number of nodes of its tree.
ITERATIONS, MOST_NODES = 1000, 20_000
# The answers of a bot from which its policy is estimated, twice.
ANSWERS = 16
# Two seats whose returns have a constant sum: only there are perfect opponents well defined.
SEATS = 2
ROUNDING = 1e-9

Values = Mapping[int, float]


class ExactRating(NamedTuple):
    """The loss of an action, the better action (or the action itself), and the values of both.

    `gains` are estimates of what best play against the actual opponents gains over the action; they
    are empty if an opponent's policy is unknown, and a single exact number if all are known.
    """

    loss: float
    best: int
    values: tuple[float, float]
    gains: tuple[float, ...]


class SolvedTable:
    """A small game with a solution, which plays for perfect opponents.

    Raises SolvingError if its tree is too large, or unless two seats play for a constant sum.
    """

    def __init__(self, game: Game[Any], players: int, settings: Settings) -> None:
        if players != SEATS or game.state_type.choices_field or game.actions.secret:
            raise SolvingError(f"{game.name}: only turns of two seats are rated exactly")
        form = sequence_form(game, players, settings, MOST_NODES)
        sums = form.utilities.sum(axis=1)
        if sums.max() - sums.min() > ROUNDING:
            raise SolvingError(f"{game.name}: the sum of both returns varies")
        solution = solve(form, ITERATIONS)
        gains = exploit(form, solution.strategies)
        # What the solution itself may lose, because it is an approximation.
        self._precision = [r - v for r, v in zip(gains.responses, gains.values, strict=True)]
        self._tree = Tree(game, players, settings)
        self._perfect = self.against(solution.policy)

    def against(self, policy: Policy) -> KnownOpponents:
        """Return the tree of the game against a policy."""
        # The tree is small enough, so that no question about it is too large.
        return KnownOpponents(self._tree, [policy] * SEATS, PAST * MOST_NODES)

    def rate(
        self, observation: Observation[Any], taken: int, estimates: Sequence[KnownOpponents]
    ) -> ExactRating:
        """Return the rating of an action; `estimates` of the actual opponents, or none.

        The loss is the smaller one of the losses against perfect and against the actual opponents:
        neither safe play nor play that exploits an opponent is a mistake.
        """
        belief = self._perfect.belief(observation)
        values: Values = self._perfect.action_values(observation, belief).values
        loss = max(values.values()) - values[taken]
        if loss * belief.reach <= self._precision[observation.seat] + ROUNDING:
            loss = 0.0
        actual = _values_against(observation, estimates)
        gains = gains_of(actual, taken)
        if gains and fsum(gains) / len(gains) < loss:
            loss = max(fsum(gains) / len(gains), 0.0)
            values = _means(actual)
        best = _best(values) if loss else taken
        return ExactRating(loss, best, (values[taken], values[best]), gains)


def gains_of(estimates: Sequence[Values], taken: int) -> tuple[float, ...]:
    """Return what the best action gains over an action, by each of several estimates of values.

    The best action by one estimate is valued by the next one: the maximum of an estimate's own
    values would be too high on average.
    """
    following = [*estimates[1:], *estimates[:1]]
    return tuple(
        valued[_best(chosen)] - valued[taken]
        for chosen, valued in zip(estimates, following, strict=True)
    )


def _best(values: Values) -> int:
    return max(values, key=values.__getitem__)


def _means(estimates: Sequence[Values]) -> Values:
    return {
        action: fsum(values[action] for values in estimates) / len(estimates)
        for action in estimates[0]
    }


def _values_against(
    observation: Observation[Any], estimates: Sequence[KnownOpponents]
) -> list[Values]:
    try:
        return [
            opponents.action_values(observation, opponents.belief(observation)).values
            for opponents in estimates
        ]
    except BotFaultError:
        return []  # a bot that fails in another position than its own has no known policy


class ContestRater:
    """Rates decisions of the games of a contest; it asks the bots `asked` for their policies."""

    def __init__(
        self, match: Match, contest: Contest, asked: Collection[str], registry: PluginRegistry
    ) -> None:
        self._table = solved_table(contest, registry)
        self._match = match
        self._game = contest.game
        self._asked = asked
        self._registry = registry
        self._against: dict[str, list[KnownOpponents]] = {}

    def rate(self, result: GameResult, observation: Observation[Any], taken: int) -> ExactRating:
        """Return the rating of an action in a game of the match."""
        rival = 1 - observation.seat
        bot = result.seats[rival]
        # In the place of a withdrawn bot another one plays.
        is_asked = bot in self._asked and rival not in result.absent
        estimates = self._estimates(bot) if is_asked else []
        return self._table.rate(observation, taken, estimates)

    def _estimates(self, bot: str) -> list[KnownOpponents]:
        if bot not in self._against:
            make = partial(self._registry.make_bot, self._match.entrant(bot).use, self._game)
            policies = policies_of(make, ANSWERS, bot, MOST_NODES)
            self._against[bot] = [self._table.against(policy) for policy in policies]
        return self._against[bot]


def solved_table(contest: Contest, registry: PluginRegistry) -> SolvedTable:
    """Return the solution of a contest, which this process caches; raises SolvingError."""
    game = registry.game(contest.game)
    if contest.mirror:
        raise SolvingError(f"{contest.id}: the options of the game vary")
    settings = resolve_options(game, contest.rules, contest.players)
    return _solved(game, contest.players, tuple(settings.items()))


@lru_cache(maxsize=2)
def _solved(game: Game[Any], players: int, values: tuple[tuple[str, Value], ...]) -> SolvedTable:
    return SolvedTable(game, players, Settings(dict(values)))
