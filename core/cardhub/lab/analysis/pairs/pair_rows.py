"""Rows of the pairs of a contest, with their verdicts."""

from collections.abc import Sequence

from cardhub.lab.analysis.accumulate import ContestTotals
from cardhub.lab.analysis.pairs.pair_result import PairResult
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts, PairDecision
from cardhub.lab.analysis.schema import OPPOSITE, CrosstableCell, PairRow
from cardhub.lab.estimate import OpenEstimate, PointEstimate
from cardhub.lab.stats import (
    as_elo,
    likelihood_of_superiority,
    mean_points,
    normalized_elo,
    undecided_share,
)


def pair_rows(
    results: Sequence[PairResult], totals: ContestTotals, verdicts: MatchVerdicts, level: float
) -> tuple[PairRow, ...]:
    """Return a row for each pair, in the order of the file."""
    game = totals.contest.id
    return tuple(
        _row(
            result,
            verdicts.of(game, result.pair),
            totals,
            level,
            verdicts.estimate(mean_points(result.margins, level)),
        )
        for result in results
    )


def crosstable(
    results: Sequence[PairResult], game: str, verdicts: MatchVerdicts
) -> tuple[CrosstableCell, ...]:
    """Return two cells for each pair, sorted by index of bot and opponent."""
    cells = []
    for result in results:
        (a, b), decision = result.pair, verdicts.of(game, result.pair)
        estimate = decision.evidence.score if decision.evidence else None
        score, low, high = (
            (estimate.value, estimate.low, estimate.high) if estimate else (None,) * 3
        )
        back, bottom, top = (
            None if end is None else 2 * result.even - end for end in (score, high, low)
        )
        opposite = OPPOSITE[decision.verdict]
        cells += [
            CrosstableCell(a, b, score, low, high, result.blocks, decision.verdict),
            CrosstableCell(b, a, back, bottom, top, result.blocks, opposite),
        ]
    order = list(dict.fromkeys(bot for result in results for bot in result.pair))
    cells.sort(key=lambda cell: (order.index(cell.bot), order.index(cell.against)))
    return tuple(cells)


def _row(
    result: PairResult,
    decision: PairDecision,
    totals: ContestTotals,
    level: float,
    margin: OpenEstimate | None,
) -> PairRow:
    counts = result.totals
    always, fixed = result.always(level), result.fixed(level)
    return PairRow(
        game=totals.contest.id,
        bots=result.pair,
        deals=(int(result.deals[0]), int(result.deals[-1])) if result.blocks else None,
        a=result.pair[0],
        b=result.pair[1],
        blocks=result.blocks,
        games=counts.games,
        verdict=decision.verdict,
        evidence=decision.evidence,
        # anytime-valid: under optional stopping as well
        score=always,
        elo=_logistic(always, result),
        p_always=result.p_always() if result.blocks else None,
        # valid only for a number of blocks that was fixed in advance
        is_as_planned=result.is_as_planned,
        score_fixed=fixed,
        elo_fixed=_logistic(fixed, result),
        nelo_fixed=normalized_elo(result.scores, _games(result, totals), level, result.even),
        los=likelihood_of_superiority(result.scores, result.even),
        p_value=result.p_value.value if result.p_value else None,
        p_is_exact=result.p_value.is_exact if result.p_value else None,
        undecided_share=undecided_share(result.scores, result.even),
        wins=counts.wins,
        draws=counts.draws,
        losses=counts.losses,
        luck_share=result.spread.luck_share if result.spread else None,
        factor_saved=result.spread.factor_saved if result.spread else None,
        margin=margin,
        margins=counts.margins.rows(),
    )


def _games(result: PairResult, totals: ContestTotals) -> float:
    """Return the number of games behind a score, as sequential tests count them."""
    games = result.totals.games / max(1, result.blocks)
    # In a common cause a difference has a game of each bot.
    return games / 2 if totals.contest.is_common else games


def _logistic(estimate: PointEstimate | None, result: PairResult) -> OpenEstimate | None:
    # A difference in points has no logistic Elo.
    return None if estimate is None or result.in_points else as_elo(estimate)
