"""Rows of the pairs of a contest, with their verdicts."""

from collections.abc import Sequence
from typing import TypedDict

from cardhub.lab.analysis.accumulate import ContestTotals
from cardhub.lab.analysis.pairs.pair_result import PairResult
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts, PairDecision
from cardhub.lab.analysis.schema import (
    OPPOSITE,
    CrosstableCell,
    IntervalEstimate,
    PairRow,
)
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.stats import (
    Estimate,
    PointEstimate,
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
            one,
            verdicts.of(game, one.pair),
            totals,
            level,
            verdicts.estimate(mean_points(one.margins, level)),
        )
        for one in results
    )


def crosstable(
    results: Sequence[PairResult], game: str, verdicts: MatchVerdicts
) -> tuple[CrosstableCell, ...]:
    """Return two cells for each pair, sorted by index of bot and opponent."""
    cells = []
    for one in results:
        (a, b), decision = one.pair, verdicts.of(game, one.pair)
        found = decision.evidence.score if decision.evidence else None
        score, low, high = (found.value, found.low, found.high) if found else (None,) * 3
        back, bottom, top = (_reversed(end, one.even) for end in (score, high, low))
        opposite = OPPOSITE[decision.verdict]
        cells += [
            CrosstableCell(a, b, score, low, high, one.blocks, decision.verdict),
            CrosstableCell(b, a, back, bottom, top, one.blocks, opposite),
        ]
    order = list(dict.fromkeys(bot for one in results for bot in one.pair))
    cells.sort(key=lambda cell: (order.index(cell.bot), order.index(cell.against)))
    return tuple(cells)


def _reversed(score: float | None, even: float) -> float | None:
    return None if score is None else 2 * even - score


def _row(
    one: PairResult,
    decision: PairDecision,
    totals: ContestTotals,
    level: float,
    margin: IntervalEstimate | None,
) -> PairRow:
    counts = one.totals
    return PairRow(
        game=totals.contest.id,
        bots=one.pair,
        deals=(int(one.deals[0]), int(one.deals[-1])) if one.blocks else None,
        a=one.pair[0],
        b=one.pair[1],
        blocks=one.blocks,
        games=counts.games,
        verdict=decision.verdict,
        evidence=decision.evidence,
        **_estimates(one, totals.contest, level),
        los=likelihood_of_superiority(one.scores, one.even),
        p_value=one.p_value.value if one.p_value else None,
        p_is_exact=one.p_value.is_exact if one.p_value else None,
        # plain counts
        undecided_share=undecided_share(one.scores, one.even),
        wins=counts.wins,
        draws=counts.draws,
        losses=counts.losses,
        luck_share=one.spread.luck_share if one.spread else None,
        factor_saved=one.spread.factor_saved if one.spread else None,
        margin=margin,
        margins=counts.margins.rows(),
    )


class _Estimates(TypedDict):
    score: IntervalEstimate | None
    elo: IntervalEstimate | None
    p_always: float | None
    is_as_planned: bool
    score_fixed: IntervalEstimate | None
    elo_fixed: IntervalEstimate | None
    nelo_fixed: IntervalEstimate | None


def _estimates(one: PairResult, contest: Contest, level: float) -> _Estimates:
    always = one.always(level)
    games = one.totals.games / max(1, one.blocks)
    if contest.is_common:
        games /= 2  # a difference has a game of each bot, and sequential tests count differences
    nelo = normalized_elo(one.scores, games, level, one.even)
    fixed = one.fixed(level)
    return {
        # anytime-valid: under optional stopping as well
        "score": IntervalEstimate.of(always),
        "elo": _logistic(always),
        "p_always": one.p_always() if one.blocks else None,
        # valid only for a number of blocks that was fixed in advance
        "is_as_planned": one.is_as_planned,
        "score_fixed": IntervalEstimate.of(fixed),
        "elo_fixed": _logistic(fixed),
        "nelo_fixed": IntervalEstimate.of(nelo),
    }


def _logistic(found: Estimate | PointEstimate | None) -> IntervalEstimate | None:
    # A difference in points has no logistic Elo.
    return IntervalEstimate.of(as_elo(found)) if isinstance(found, Estimate) else None
