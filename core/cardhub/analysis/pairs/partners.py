"""Results of bots as partners of themselves and of others."""

from collections.abc import Collection

from cardhub.analysis.accumulate import ContestTotals
from cardhub.analysis.game_schema import AdHocRow, PartnersRow
from cardhub.analysis.pair_schema import IntervalEstimate
from cardhub.analysis.pairs.pair_result import mean_of_scores
from cardhub.analysis.pairs.partner_totals import Pair, mean_of
from cardhub.stats import mean_points, mean_score


def partner_rows(
    totals: ContestTotals, level: float, withdrawn: Collection[str]
) -> tuple[PartnersRow, ...]:
    """Return a row for each two partners; none without mixed partners."""
    if totals.contest.partners == "same":
        return ()
    pairs = totals.partners.partners()
    return tuple(_partners(totals, pair, level, withdrawn) for pair in pairs)


def ad_hoc_rows(
    totals: ContestTotals, level: float, withdrawn: Collection[str]
) -> tuple[AdHocRow, ...]:
    """Return a row for each bot; none without mixed partners."""
    if totals.contest.partners == "same":
        return ()
    return tuple(_ad_hoc(totals, bot, level, withdrawn) for bot in totals.racers)


def _partners(
    totals: ContestTotals, pair: Pair, level: float, withdrawn: Collection[str]
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
        score=IntervalEstimate.of(mean_of_scores(scores, contest, level)),
        reached=IntervalEstimate.of(mean_score(reached, level)),
    )


def _ad_hoc(totals: ContestTotals, bot: str, level: float, withdrawn: Collection[str]) -> AdHocRow:
    mixed = totals.partners.with_others(bot, withdrawn)
    same = totals.partners.scores((bot, bot), withdrawn)
    # On the same deals, so that their luck leaves the difference.
    both = mean_of([mixed, same]).deals
    difference = mixed.on(both) - same.on(both)
    return AdHocRow(
        game=totals.contest.id,
        bot=bot,
        blocks=len(mixed.deals),
        score=IntervalEstimate.of(mean_of_scores(mixed.values, totals.contest, level)),
        difference=IntervalEstimate.of(mean_points(difference, level)),
    )
