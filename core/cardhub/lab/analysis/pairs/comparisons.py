"""Comparisons of two bots that rest on more than their own games.

Within a game the bots of a pair are compared through all opponents, by the difference of their
ratings on each deal (`cardhub.lab.stats.joint_fit`). Over several games they are compared by the
mean of their differences in all games, deal by deal. Every comparison is one number for each deal,
and has the same tests as a pair. An even result is 0.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import fsum, sqrt

import numpy as np

from cardhub.lab.analysis.pairs.pair_result import PairResult, always_points, fixed_points
from cardhub.lab.estimate import PointEstimate
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.stats import (
    AsymptoticSequence,
    ConfidenceSequence,
    fit_by_deal,
    p_of_mean,
    p_of_symmetry,
    with_all,
)
from cardhub.lab.stats.types import Floats, Ints

Pair = tuple[str, str]
# With two bots there are no other opponents.
FEWEST_BOTS = 3
# An even result is 0, and a score from 0 to 1 is at most this far from it.
HALF = 0.5


@dataclass(frozen=True)
class Comparison:
    """Two bots, and by how much the first is ahead on each deal.

    `reach`: the largest possible difference, or None for points, which have no bound.
    `is_as_planned`: the number of deals was set in advance and was played.
    """

    pair: Pair
    deals: Ints
    differences: Floats
    reach: float | None
    is_as_planned: bool
    level: float
    even: float = 0.0
    race: None = None
    has_elo: bool = False

    def p_fixed(self) -> float:
        """Return the p-value for a number of deals set in advance, 1 without deals.

        It is the larger of the p-values of the sign-flip test and of Student's t.
        """
        if not len(self.differences):
            return 1.0
        return max(p_of_symmetry(self.differences), p_of_mean(self.differences, self.even))

    def p_always(self) -> float:
        """Return the anytime-valid p-value, 1 without deals."""
        return self._sequence.p_value()

    def fixed(self, level: float) -> PointEstimate | None:
        """Return the mean difference with Student's t interval; None without deals."""
        return fixed_points(self.differences, level)

    def always(self, level: float) -> PointEstimate | None:
        """Return the mean difference with its anytime-valid interval; None without deals."""
        if not len(self.differences):
            return None
        sequence = self._sequence
        if isinstance(sequence, ConfidenceSequence) and self.reach is not None:
            _, low, high = sequence.interval(level)
            ends = (2 * self.reach * (end - HALF) for end in (low, high))
            return PointEstimate(float(self.differences.mean()), *ends)
        return always_points(self.differences, level, self.level)

    @cached_property
    def _sequence(self) -> ConfidenceSequence | AsymptoticSequence:
        # Only where it is needed, because it takes longer than all other tests.
        if self.reach is None:
            return with_all(AsymptoticSequence(self.level), self.differences)
        shares = HALF + self.differences / (2 * self.reach)
        return with_all(ConfidenceSequence(self.level), np.clip(shares, 0.0, 1.0))


Values = Callable[[PairResult], Floats]


def scores_above_even(result: PairResult) -> Floats:
    """Return by how much the first bot of a pair is ahead on each deal, in scores or points."""
    return np.asarray(result.scores - result.even, np.float64)


def places_above_even(result: PairResult) -> Floats:
    """Return by how much the first bot of a pair is ahead on each deal, in scores by places."""
    return result.by_places - HALF


def through_opponents(
    match: Match,
    contest: Contest,
    results: Sequence[PairResult],
    values: Values = scores_above_even,
) -> list[Comparison]:
    """Return the comparisons of all pairs of a game through all opponents, on complete deals.

    Empty if there are none: with two bots; if results decide who meets, because then not all pairs
    play a deal; in the game of a sequential test, which alone decides its pair; and in a common
    cause, in which tables have no opponents.
    """
    if match.order.is_adaptive or contest.is_common:
        return []
    if match.sprt is not None and match.sprt.contest == contest.id:
        return []
    bots = list(dict.fromkeys(bot for result in results for bot in result.pair))
    if len(bots) < FEWEST_BOTS:
        return []
    numbers = {bot: number for number, bot in enumerate(bots)}
    pairs = [(numbers[first], numbers[second]) for first, second in (r.pair for r in results)]
    met = {
        pair: (result.deals, values(result))
        for pair, result in zip(pairs, results, strict=True)
        if result.blocks
    }
    fit = fit_by_deal(met, len(bots))
    if fit is None:
        # The family keeps its size while no deal is complete: verdicts do not come and go.
        return [_comparison(match, r.pair, np.zeros(0, np.int64), np.zeros(0), 1) for r in results]
    is_bounded = values is places_above_even or all(result.is_bounded for result in results)
    reaches = [fit.reach(pair) if is_bounded else None for pair in pairs]
    return [
        _comparison(match, result.pair, fit.deals, fit.differences(pair), reach)
        for pair, result, reach in zip(pairs, results, reaches, strict=True)
    ]


def _comparison(
    match: Match, pair: Pair, deals: Ints, differences: Floats, reach: float | None
) -> Comparison:
    is_as_planned = not match.order.is_adaptive and len(deals) == match.order.blocks
    return Comparison(pair, deals, differences, reach, is_as_planned, match.rating.level)


def by_places(match: Match, contest: Contest, results: Sequence[PairResult]) -> list[Comparison]:
    """Return the comparisons by places in a game played for winning; empty for two seats.

    With more than two seats, places have information that wins lack.
    """
    if not contest.is_won_by_one:
        return []
    return compared(match, contest, results, places_above_even)


def compared(
    match: Match, contest: Contest, results: Sequence[PairResult], values: Values
) -> list[Comparison]:
    """Return the comparisons through all opponents, else of each pair by its own games."""
    joint = through_opponents(match, contest, results, values)
    if joint:
        return joint
    return [
        _comparison(
            match,
            result.pair,
            result.deals,
            values(result),
            HALF if values is places_above_even or result.is_bounded else None,
        )
        for result in results
    ]


def sets_of_games(match: Match) -> list[tuple[str, ...]]:
    """Return the games over which bots are compared: all, and those that all bots play."""
    contests = [contest.id for contest in match.contests if not contest.is_common]
    shared = [game for game in contests if all(game in bot.plays for bot in match.entrants)]
    sets = [tuple(contests)] + ([tuple(shared)] if shared != contests else [])
    return [games for games in sets if len(games) > 1]


def over_games(
    match: Match, games: Sequence[str], results: Mapping[str, Sequence[PairResult]]
) -> list[Comparison]:
    """Return the comparisons of all bots that play these games by their mean over the games.

    With `missing: loss`, a bot that does not play a game loses there by half the largest score.
    """
    values = places_above_even if match.overall.verdict == "mean_rank" else scores_above_even
    by_game = [
        {
            comparison.pair: _scaled(comparison, match.contest(game), results[game])
            for comparison in compared(match, match.contest(game), results[game], values)
        }
        for game in games
    ]
    pairs = dict.fromkeys(pair for comparisons in by_game for pair in comparisons)
    plays = {bot.id: {*bot.plays} for bot in match.entrants}
    return [
        over
        for pair in pairs
        if (over := _over_games(match, pair, [plays[bot] for bot in pair], games, by_game))
    ]


def _over_games(
    match: Match,
    pair: Pair,
    plays: Sequence[set[str]],
    games: Sequence[str],
    by_game: Sequence[Mapping[Pair, Comparison]],
) -> Comparison | None:
    parts: list[Comparison] = []
    lead = 0.0
    for game, comparisons in zip(games, by_game, strict=True):
        first, second = (game in played for played in plays)
        if pair in comparisons:
            parts.append(comparisons[pair])
        elif (first and second) or match.rating.missing != "loss":
            return None
        else:
            lead += HALF * (first - second)
    deals = reduce(np.intersect1d, (part.deals for part in parts))
    total = sum(part.differences[np.searchsorted(part.deals, deals)] for part in parts)
    reaches = [part.reach for part in parts]
    known = [reach for reach in reaches if reach is not None]
    missing = HALF * (len(games) - len(parts))
    reach = (fsum(known) + missing) / len(games) if len(known) == len(parts) else None
    differences = np.asarray((total + lead) / len(games), np.float64)
    return _comparison(match, pair, deals, differences, reach)


def _scaled(comparison: Comparison, contest: Contest, results: Sequence[PairResult]) -> Comparison:
    """Return a comparison on the scale of scores: points in units of the typical difference.

    The typical difference of a game is the root mean square over all pairs, and counts as much as a
    win of one game.
    """
    if comparison.reach is not None or not contest.in_points:
        return comparison
    games = sum(result.totals.singles.total() for result in results)
    squares = fsum(
        ahead * ahead * count
        for result in results
        for ahead, count in result.totals.singles.items()
    )
    unit = 2 * sqrt(squares / games) if squares else 1.0
    return replace(comparison, differences=comparison.differences / unit)
