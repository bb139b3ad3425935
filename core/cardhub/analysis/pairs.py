"""Results of every two bots of a contest against each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypedDict

import numpy as np

from cardhub.analysis.accumulate import ContestTotals
from cardhub.analysis.game_schema import (
    CrosstableCell,
    IntervalEstimate,
    PairRow,
    PairVerdict,
    RaceVerdict,
)
from cardhub.analysis.pair_totals import PairTotals
from cardhub.match.match_spec import Contest, Match
from cardhub.stats import (
    AsymptoticSequence,
    ConfidenceSequence,
    Estimate,
    PairOrder,
    Payoffs,
    PointEstimate,
    Spread,
    as_elo,
    holm_rejects,
    likelihood_of_superiority,
    mean_points,
    mean_score,
    normalized_elo,
    payoffs_of_scores,
    sign_flip,
    spread_of,
    undecided_share,
)
from cardhub.stats.significance import PValue
from cardhub.stats.types import Floats, Ints

PValueKind = Literal["sign_flip", "sequence"]

RACE_VERDICTS: dict[PairOrder, RaceVerdict] = {
    PairOrder.FIRST: "better",
    PairOrder.SECOND: "worse",
    PairOrder.EQUAL: "equal",
    PairOrder.OPEN: "open",
}
REVERSED: dict[PairVerdict, PairVerdict] = {"better": "worse", "worse": "better", "open": "open"}


@dataclass(frozen=True)
class PairResult:
    """Two bots, their scores and margins by deal, and the tests that depend on these alone."""

    pair: tuple[str, str]
    totals: PairTotals
    deals: Ints
    scores: Floats
    margins: Floats
    sequence: ConfidenceSequence | AsymptoticSequence
    p_value: PValue | None
    spread: Spread | None
    is_as_planned: bool
    even: float

    @property
    def blocks(self) -> int:
        """The number of deals on which the two bots met."""
        return len(self.scores)

    def p_by(self, kind: PValueKind) -> float:
        """Return the p-value of a kind; 1 if there are no scores to test."""
        if kind == "sequence":
            return self.sequence.p_value()
        return 1.0 if self.p_value is None else self.p_value.value


def pair_results(match: Match, totals: ContestTotals, rng: Random) -> list[PairResult]:
    """Return all pairs that may meet; `rng` samples signs where a test cannot be exact."""
    planned = match.order.blocks if match.order.mode != "racing" else None
    return [
        _result(pair, found, totals.contest, match.rating.level, planned, rng)
        for pair, found in totals.pairs.items()
    ]


def p_value_of(results: Sequence[PairResult]) -> PValueKind:
    """Return which kind of p-value is valid for all pairs."""
    return "sign_flip" if all(one.is_as_planned for one in results) else "sequence"


def pair_rows(
    results: Sequence[PairResult], totals: ContestTotals, level: float
) -> tuple[PairRow, ...]:
    """Return a row for each pair, in the order of the file."""
    verdicts = _verdicts(results, level)
    return tuple(
        _row(one, verdict, totals, level) for one, verdict in zip(results, verdicts, strict=True)
    )


def crosstable(results: Sequence[PairResult], level: float) -> tuple[CrosstableCell, ...]:
    """Return two cells for each pair, sorted by index of bot and opponent."""
    cells = []
    for one, verdict in zip(results, _verdicts(results, level), strict=True):
        a, b = one.pair
        # The anytime-valid interval: crosstables are looked at while the match is played.
        score, low, high = one.sequence.interval() if one.blocks else (None,) * 3
        cells += [
            CrosstableCell(a, b, score, low, high, one.blocks, verdict),
            CrosstableCell(
                b,
                a,
                _reversed(score, one.even),
                _reversed(high, one.even),
                _reversed(low, one.even),
                one.blocks,
                REVERSED[verdict],
            ),
        ]
    order = list(dict.fromkeys(bot for one in results for bot in one.pair))
    cells.sort(key=lambda cell: (order.index(cell.bot), order.index(cell.against)))
    return tuple(cells)


def _reversed(score: float | None, even: float) -> float | None:
    return None if score is None else 2 * even - score


def _result(
    pair: tuple[str, str],
    totals: PairTotals,
    contest: Contest,
    level: float,
    planned: int | None,
    rng: Random,
) -> PairResult:
    deals, scores, margins = totals.deals()
    sequence = AsymptoticSequence(level) if contest.in_points else ConfidenceSequence(level)
    for score in scores.tolist():
        sequence.add(score)
    singles = sorted(totals.singles.items())
    values = np.asarray([value for value, _ in singles], np.float64)
    counts = np.asarray([count for _, count in singles], np.float64)
    return PairResult(
        pair=pair,
        totals=totals,
        deals=deals,
        scores=scores,
        margins=margins,
        sequence=sequence,
        p_value=sign_flip(scores - contest.even, rng),
        spread=spread_of(scores, values, counts),
        # Fewer blocks were stopped by results, more were added after looking at them.
        is_as_planned=len(scores) == planned,
        even=contest.even,
    )


def _verdicts(results: Sequence[PairResult], level: float) -> list[PairVerdict]:
    # One kind of p-value for all pairs: Holm's correction orders them.
    kind = p_value_of(results)
    rejected = holm_rejects([one.p_by(kind) for one in results], level)
    return [
        ("better" if one.scores.mean() > one.even else "worse") if is_uneven else "open"
        for one, is_uneven in zip(results, rejected, strict=True)
    ]


def _race_verdict(one: PairResult, totals: ContestTotals) -> RaceVerdict | None:
    if totals.race is None:
        return None
    a, b = map(totals.racers.index, one.pair)
    return RACE_VERDICTS[totals.race.standings()[a, b].order]


def _row(one: PairResult, verdict: PairVerdict, totals: ContestTotals, level: float) -> PairRow:
    counts = one.totals
    return PairRow(
        game=totals.contest.id,
        bots=one.pair,
        deals=(int(one.deals[0]), int(one.deals[-1])) if one.blocks else None,
        a=one.pair[0],
        b=one.pair[1],
        blocks=one.blocks,
        games=counts.games,
        verdict=verdict,
        race=_race_verdict(one, totals),
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
        margin=IntervalEstimate.of(mean_points(one.margins, level)),
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
    always = one.sequence.interval() if one.blocks else None
    games = one.totals.games / max(1, one.blocks)
    if contest.is_common:
        games /= 2  # a difference has a game of each bot, and sequential tests count differences
    nelo = normalized_elo(one.scores, games, level, one.even)
    fixed = mean_of_scores(one.scores, contest, level)
    return {
        # anytime-valid: under optional stopping as well
        "score": IntervalEstimate.of(always),
        "elo": _logistic(always),
        "p_always": one.sequence.p_value() if one.blocks else None,
        # valid only for a number of blocks that was fixed in advance
        "is_as_planned": one.is_as_planned,
        "score_fixed": IntervalEstimate.of(fixed),
        "elo_fixed": _logistic(fixed),
        "nelo_fixed": IntervalEstimate.of(nelo),
    }


def _logistic(found: Estimate | PointEstimate | None) -> IntervalEstimate | None:
    # A difference in points has no logistic Elo.
    return IntervalEstimate.of(as_elo(found)) if isinstance(found, Estimate) else None


def mean_of_scores(
    scores: Floats, contest: Contest, level: float
) -> Estimate | PointEstimate | None:
    """Return the mean of block scores with an interval for a number of blocks fixed in advance."""
    return mean_points(scores, level) if contest.in_points else mean_score(scores, level)


def payoffs_between(bots: Sequence[str], results: Sequence[PairResult]) -> Payoffs:
    """Return the block scores of pairs, or their differences in points, by index of the bots."""
    numbers = {bot: number for number, bot in enumerate(bots)}
    return payoffs_of_scores(
        {
            (numbers[one.pair[0]], numbers[one.pair[1]]): (one.deals, one.scores)
            for one in results
            if one.blocks
        },
        len(bots),
    )
