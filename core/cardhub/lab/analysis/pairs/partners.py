"""Results of bots as partners of themselves and of others.

Intervals come from Student's t over deals. If the number of blocks may depend on results, they are
anytime-valid, as for all pairs of the match.
"""

from collections.abc import Collection
from dataclasses import dataclass

from cardhub.lab.analysis.accumulate import ContestTotals
from cardhub.lab.analysis.pairs.pair_result import mean_of_scores
from cardhub.lab.analysis.pairs.partner_totals import Pair, mean_of
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts
from cardhub.lab.analysis.schema import AdHocRow, PartnersRow
from cardhub.lab.estimate import Estimate, OpenEstimate, PointEstimate
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.stats import (
    AsymptoticSequence,
    ConfidenceSequence,
    mean_points,
    mean_score,
    with_all,
)
from cardhub.lab.stats.types import Floats


def partner_rows(
    totals: ContestTotals, verdicts: MatchVerdicts, level: float, withdrawn: Collection[str]
) -> tuple[PartnersRow, ...]:
    """Return a row for each pair of partners; empty without mixed partners."""
    if totals.contest.partners == "same":
        return ()
    pairs = totals.partners.partners()
    means = _DealMeans(totals.contest, level, verdicts.is_fixed)
    return tuple(_partners(totals, pair, means, withdrawn) for pair in pairs)


def ad_hoc_rows(
    totals: ContestTotals, verdicts: MatchVerdicts, level: float, withdrawn: Collection[str]
) -> tuple[AdHocRow, ...]:
    """Return a row for each bot; empty without mixed partners."""
    if totals.contest.partners == "same":
        return ()
    means = _DealMeans(totals.contest, level, verdicts.is_fixed)
    return tuple(_ad_hoc(totals, bot, means, withdrawn) for bot in totals.racers)


@dataclass(frozen=True)
class _DealMeans:
    """Means over deals with intervals; `is_fixed`: the number of deals was set in advance."""

    contest: Contest
    level: float
    is_fixed: bool

    def of_scores(self, values: Floats) -> OpenEstimate | None:
        if self.is_fixed:
            return mean_of_scores(values, self.contest, self.level)
        if self.contest.in_points:
            return self._asymptotic(values)
        return self._by_bets(values)

    def of_shares(self, values: Floats) -> OpenEstimate | None:
        return mean_score(values, self.level) if self.is_fixed else self._by_bets(values)

    def of_differences(self, values: Floats) -> OpenEstimate | None:
        if self.is_fixed:
            return mean_points(values, self.level)
        if self.contest.in_points:
            return self._asymptotic(values)
        # Differences of scores are from -1 to 1, but bets need values from 0 to 1.
        estimate = self._by_bets((values + 1) / 2)
        return None if estimate is None else Estimate(*(2 * end - 1 for end in estimate))

    def _by_bets(self, values: Floats) -> Estimate | None:
        sequence = with_all(ConfidenceSequence(self.level), values)
        return sequence.interval() if len(values) else None

    def _asymptotic(self, values: Floats) -> PointEstimate | None:
        sequence = with_all(AsymptoticSequence(self.level), values)
        return sequence.interval() if len(values) else None


def _partners(
    totals: ContestTotals, pair: Pair, means: _DealMeans, withdrawn: Collection[str]
) -> PartnersRow:
    contest = totals.contest
    deals, scores = totals.partners.scores(pair, withdrawn)
    reached = totals.partners.reached(pair).values if contest.target is not None else scores[:0]
    return PartnersRow(
        game=contest.id,
        bots=pair,
        deals=(int(deals[0]), int(deals[-1])) if len(deals) else None,
        blocks=len(deals),
        games=totals.partners.games(pair),
        score=means.of_scores(scores),
        reached=means.of_shares(reached),
    )


def _ad_hoc(
    totals: ContestTotals, bot: str, means: _DealMeans, withdrawn: Collection[str]
) -> AdHocRow:
    mixed = totals.partners.with_others(bot, withdrawn)
    same = totals.partners.scores((bot, bot), withdrawn)
    # On the same deals, because their luck then cancels in the difference.
    common = mean_of([mixed, same]).deals
    difference = mixed.on(common) - same.on(common)
    return AdHocRow(
        game=totals.contest.id,
        bot=bot,
        blocks=len(mixed.deals),
        score=means.of_scores(mixed.values),
        difference=means.of_differences(difference),
    )
