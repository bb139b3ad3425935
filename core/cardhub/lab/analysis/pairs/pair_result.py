"""Two bots of a contest: their scores by deal, and the tests that need only these scores."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from cardhub.lab.analysis.accumulate import ContestTotals
from cardhub.lab.analysis.pairs.partner_totals import PairTotals
from cardhub.lab.analysis.schema import PairVerdict
from cardhub.lab.estimate import PointEstimate
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.stats import (
    AsymptoticSequence,
    ConfidenceSequence,
    PairOrder,
    Payoffs,
    VarianceComponents,
    bound_of_equal,
    likelihood_of_superiority,
    mean_points,
    mean_score,
    p_of_mean,
    payoffs_of_scores,
    score_of_lead,
    sign_flip,
    variance_of,
    with_all,
)
from cardhub.lab.stats.significance import PValue
from cardhub.lab.stats.types import Floats, Ints

# The range of differences in points that count as equal.
SAME = 1e-9
# The share of a variance that is due to rounding.
NO_LUCK = 1e-9
# The fewest blocks with a variance.
FEWEST = 2

RACE_VERDICTS: dict[PairOrder, PairVerdict] = {
    PairOrder.FIRST: "better",
    PairOrder.SECOND: "worse",
    PairOrder.EQUAL: "equal",
    PairOrder.OPEN: "open",
}


@dataclass(frozen=True)
class PairResult:
    """Two bots, their scores and margins by deal, and the tests that depend on these alone.

    `has_elo`: scores can be shown as logistic Elo. Differences in points cannot, and no scores of
    games that one of more than two bots wins: there a score depends on the others at the table.
    `plain` has the scores as played: without the terms against luck that `scores` may have.
    `by_places` has the scores by places on the same deals; it is `scores` if these are by places.
    `race` is the verdict of a race, and `sequence` is then the sequence of the race; `race` is None
    in other matches.
    """

    pair: tuple[str, str]
    totals: PairTotals
    deals: Ints
    scores: Floats
    plain: Floats
    by_places: Floats
    margins: Floats
    sequence: ConfidenceSequence | AsymptoticSequence
    p_value: PValue | None
    spread: VarianceComponents | None
    is_as_planned: bool
    even: float
    race: PairVerdict | None
    has_elo: bool = True

    @property
    def blocks(self) -> int:
        """The number of deals on which the two bots met."""
        return len(self.scores)

    @property
    def is_bounded(self) -> bool:
        """Whether scores are from 0 to 1: not differences in points, and without terms."""
        return isinstance(self.sequence, ConfidenceSequence)

    def p_always(self) -> float:
        """Return the anytime-valid p-value, 1 without blocks."""
        return self.sequence.p_value()

    def p_fixed(self) -> float:
        """Return the p-value for a number of blocks set in advance, 1 without blocks.

        It is the larger of the p-values of the sign-flip test and of Student's t: a verdict needs
        both, because it must not contradict the interval.
        """
        return 1.0 if self.p_value is None else max(self.p_value.value, self.p_of_interval())

    def p_of_interval(self) -> float:
        """Return the p-value of Student's t alone."""
        return p_of_mean(self.scores, self.even)

    def always(self, level: float) -> PointEstimate | None:
        """Return the mean score with its anytime-valid interval; None without blocks."""
        if not self.blocks:
            return None
        if isinstance(self.sequence, ConfidenceSequence):
            return self.sequence.interval(level)
        lead = always_points(self.scores - self.even, level, self.sequence.tuned)
        return score_of_lead(lead) if self.even else lead

    def fixed(self, level: float) -> PointEstimate | None:
        """Return the mean score with Student's t interval; None without blocks."""
        if self.is_bounded:
            return mean_score(self.scores, level)
        lead = fixed_points(self.scores - self.even, level)
        return score_of_lead(lead) if lead is not None and self.even else lead

    def as_played(self, level: float) -> PointEstimate | None:
        """Return the mean of the plain scores with Student's t interval; None without blocks."""
        return mean_score(self.plain, level) if self.even else fixed_points(self.plain, level)

    def superiority(self) -> float | None:
        """Return the likelihood of superiority of the first bot."""
        if self.is_bounded:
            return likelihood_of_superiority(self.scores, self.even)
        return likelihood_of_superiority(self.scores - self.even, 0.0)

    @property
    def saved(self) -> float | None:
        """How many times as many plain blocks are as precise; None if no luck is left."""
        if self.blocks < FEWEST:
            return 1.0
        before, after = (float(values.var(ddof=1)) for values in (self.plain, self.scores))
        if after <= NO_LUCK * before:
            return None if before else 1.0
        return before / after


def fixed_points(differences: Floats, level: float) -> PointEstimate | None:
    """Return the mean difference with Student's t interval; None without differences.

    If all differences are equal, the interval is a bound (`bound_of_equal`).
    """
    if _are_equal(differences):
        return bound_of_equal(float(differences[0]), len(differences), level)
    return mean_points(differences, level)


def always_points(differences: Floats, level: float, tuned: float) -> PointEstimate:
    """Return the mean difference with its anytime-valid interval, or a bound as `fixed_points`.

    `tuned`: the level of the sequence whose bets the interval repeats.
    """
    count = len(differences)
    if _are_equal(differences):
        # The error rate is divided among all numbers of blocks: 1/2 + 1/6 + 1/12 + ... = 1.
        error = (1 - level) / (count * (count + 1))
        return bound_of_equal(float(differences[0]), count, 1 - error)
    # The same bets at another level: a sequence keeps the intervals of one level only.
    return with_all(AsymptoticSequence(level, tuned), differences).interval()


def _are_equal(differences: Floats) -> bool:
    return len(differences) > 1 and float(np.ptp(differences)) < SAME


def pair_results(match: Match, totals: ContestTotals, rng: Random) -> list[PairResult]:
    """Return all pairs that may meet; `rng` samples signs if a test cannot be exact."""
    return [_result(match, pair, totals, rng) for pair in totals.pairs]


def without_bots(results: Sequence[PairResult], bots: Collection[str]) -> list[PairResult]:
    """Return the results of the pairs that have none of these bots."""
    return [result for result in results if not {*result.pair} & {*bots}]


def _result(match: Match, pair: tuple[str, str], totals: ContestTotals, rng: Random) -> PairResult:
    contest, counts = totals.contest, totals.pairs[pair]
    deals, plain, margins = counts.deals()
    adjusted = counts.adjusted_scores()
    scores = plain if adjusted is None else adjusted
    singles = sorted(counts.singles.items())
    values = np.asarray([value for value, _ in singles], np.float64)
    numbers = np.asarray([count for _, count in singles], np.float64)
    return PairResult(
        pair=pair,
        totals=counts,
        deals=deals,
        scores=scores,
        plain=plain,
        by_places=counts.scores_by_places() if counts.counts_places else scores,
        margins=margins,
        sequence=_sequence(match, pair, totals, scores),
        p_value=sign_flip(scores - contest.even, rng),
        # In a common cause a difference is between two tables, so no single game has its luck.
        spread=None if contest.is_common else variance_of(plain, values, numbers),
        # Fewer blocks mean that results stopped the match, more that they were added after a look.
        is_as_planned=not match.order.is_adaptive and len(scores) == match.order.blocks,
        even=contest.even,
        race=_race_verdict(pair, totals),
        has_elo=not contest.in_points and not contest.is_won_by_one,
    )


def _sequence(
    match: Match, pair: tuple[str, str], totals: ContestTotals, scores: Floats
) -> ConfidenceSequence | AsymptoticSequence:
    if totals.race is not None:
        # The sequence on which the schedule was based.
        first, second = map(totals.racers.index, pair)
        return totals.race.sequence((first, second))
    if totals.contest.in_points or match.corrects(totals.contest):
        return with_all(AsymptoticSequence(match.rating.level), scores - totals.contest.even)
    return with_all(ConfidenceSequence(match.rating.level), scores)


def _race_verdict(pair: tuple[str, str], totals: ContestTotals) -> PairVerdict | None:
    if totals.race is None:
        return None
    first, second = map(totals.racers.index, pair)
    return RACE_VERDICTS[totals.race.orders()[first, second]]


def mean_of_scores(scores: Floats, contest: Contest, level: float) -> PointEstimate | None:
    """Return the mean of block scores with an interval for a number of blocks fixed in advance."""
    return mean_points(scores, level) if contest.in_points else mean_score(scores, level)


def payoffs_between(bots: Sequence[str], results: Sequence[PairResult]) -> Payoffs:
    """Return the block scores of pairs, or their differences in points, by index of the bots."""
    numbers = {bot: number for number, bot in enumerate(bots)}
    return payoffs_of_scores(
        {
            (numbers[result.pair[0]], numbers[result.pair[1]]): (
                result.deals,
                # Mixtures and cycles need scores from 0 to 1.
                result.plain if result.even else result.scores,
            )
            for result in results
            if result.blocks
        },
        len(bots),
    )
