"""The number of games that a match needs to find out which of two bots is better.

It follows from how much results vary from deal to deal, in a pilot or an earlier match, and from
the rule of verdicts: a test for a number of deals set in advance, corrected for all pairs.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, fsum, inf, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import msgspec

from cardhub.base.errors import MatchError
from cardhub.lab.analysis.accumulate import accumulate
from cardhub.lab.analysis.contests import results_of
from cardhub.lab.analysis.pairs.comparisons import (
    Comparison,
    compared,
    over_games,
    scores_above_even,
    sets_of_games,
)
from cardhub.lab.analysis.pairs.pair_result import SAME
from cardhub.lab.match.blocks import Games, count_games, groups, pairs, statistics_seed
from cardhub.lab.match.log.log_reader import TIMING, explained
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.task import Timing

# With fewer deals nobody knows how much results vary.
FEWEST_DEALS = 8
# Standard deviation of a score that is 0 or 1 with equal chances.
COIN = 0.5
ALL_GAMES = "all games"


class Scatter(NamedTuple):
    """How much the difference of two bots varies from deal to deal.

    `subject`: a game of the match, or ALL_GAMES. `deviation`: the standard deviation of the
    difference, in `unit`. `pairs`: the number of pairs of bots, for whose number verdicts are
    corrected. `deals`: the number of deals that show it, 0 for an assumption. `grain`: the smallest
    difference on a deal that is not 0.
    """

    subject: str
    deviation: float
    pairs: int
    deals: int
    unit: str = ""
    grain: float = 0.0

    def blocks_for(self, effect: float, power: float, level: float) -> int:
        """Return the number of blocks after which a difference is found with this probability."""
        low, high = self._quantiles(power, level)
        # The sum of n differences has to exceed the scatter: effect n = reach sqrt(n) + grain. The
        # grain is half a step of the sums that the sign-flip test compares. Student's test needs
        # about low^2 / 2 blocks more than the normal one.
        reach = self.deviation * (low + high)
        root = (reach + sqrt(reach**2 + 4 * effect * self.grain)) / (2 * effect)
        return max(FEWEST_DEALS, ceil(root**2 + low**2 / 2))

    def effect_for(self, blocks: int, power: float, level: float) -> float:
        """Return the difference that a number of blocks finds with this probability."""
        low, high = self._quantiles(power, level)
        rest = blocks - low**2 / 2
        if rest <= 0:
            return inf
        return self.deviation * (low + high) / sqrt(rest) + self.grain / rest

    def _quantiles(self, power: float, level: float) -> tuple[float, float]:
        normal = NormalDist()
        return normal.inv_cdf(1 - (1 - level) / self.pairs / 2), normal.inv_cdf(power)


def scatters_of(match: Match, folder: Path) -> list[Scatter]:
    """Return how much results vary in each game of a match that was played, and in all of them.

    Raises MatchError if it has too few deals.
    """
    log = accumulate(match, folder)
    results = {game: results_of(match, totals) for game, totals in log.contests.items()}
    scatters = [
        _scatter(
            contest.id,
            compared(match, contest, results[contest.id], scores_above_even),
            contest.unit if contest.in_points else "",
        )
        for contest in match.contests
    ]
    scatters += [
        _scatter(ALL_GAMES, over_games(match, games, results), "")
        for games in sets_of_games(match)[:1]
    ]
    if min(scatter.deals for scatter in scatters) < FEWEST_DEALS:
        raise MatchError(
            f"{folder} has too few deals to show how much results vary\n"
            f"fix: play at least {FEWEST_DEALS} blocks"
        )
    return scatters


def assumed_scatter(match: Match) -> Scatter | None:
    """Return how much results vary if each game is as random as the toss of a coin.

    None if that says nothing: in games scored by points, and in matches whose results decide who
    meets or when they end.
    """
    is_fixed = match.sprt is None and not match.order.is_adaptive
    if not is_fixed or any(contest.in_points or contest.is_common for contest in match.contests):
        return None
    variances, grains = [], []
    for contest in match.contests:
        whole = [group for group in groups(match, contest) if not contest.is_mixed(group)]
        games = Games(match).size(contest.id, whole[0])
        bots = len({bot for group in whole for bot in group})
        # A bot is compared through all opponents: by the difference of two means of scores.
        shared = 2 / bots if bots > 2 else 1.0
        variances.append(COIN**2 / games * shared)
        grains.append(COIN / games)
    subject = match.contests[0].id if len(match.contests) == 1 else ALL_GAMES
    number = max(len(pairs(match, contest)) for contest in match.contests)
    return Scatter(subject, sqrt(fsum(variances)) / len(variances), number, 0, grain=min(grains))


def pilot_of(match: Match, blocks: int) -> Match:
    """Return a match with other deals that shows how much results vary."""
    seed = statistics_seed(match.seed, "pilot")
    mode = "round_robin" if match.order.is_adaptive else match.order.mode
    order = replace(match.order, blocks=blocks, mode=mode)
    return replace(match, seed=seed, order=order, sprt=None)


def seconds_of_game(folder: Path) -> float:
    """Return the mean duration of a game of a match, 0 if it is unknown."""
    path = folder / TIMING
    if not path.exists():
        return 0.0
    with explained(path):
        lines = path.read_bytes().splitlines()
    try:
        timings = [msgspec.json.decode(line, type=Timing) for line in lines]
    except msgspec.MsgspecError as error:
        raise MatchError(f"{path}: {error}\nfix: remove this file") from error
    return fsum(timing.seconds for timing in timings) / max(len(timings), 1)


def games_in(match: Match, blocks: int) -> int:
    """Return the number of games of a match with this number of blocks, 0 if it is open."""
    return count_games(replace(match, order=replace(match.order, blocks=blocks)))


def _scatter(subject: str, comparisons: Sequence[Comparison], unit: str) -> Scatter:
    met = [comparison.differences for comparison in comparisons if len(comparison.differences) > 1]
    variances = [float(differences.var(ddof=1)) for differences in met]
    deals = min((len(comparison.differences) for comparison in comparisons), default=0)
    deviation = sqrt(fsum(variances) / max(len(variances), 1))
    sizes = [size for differences in met for size in abs(differences).tolist() if size > SAME]
    return Scatter(subject, deviation, max(len(comparisons), 1), deals, unit, min(sizes, default=0))
