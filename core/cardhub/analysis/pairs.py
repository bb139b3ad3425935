"""Every two bots of a contest: who scores what against whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from cardhub.analysis.contest_tally import ContestTally
from cardhub.analysis.pair_tally import PairTally
from cardhub.analysis.rows import estimate
from cardhub.match.spec import Match
from cardhub.stats import (
    ConfidenceSequence,
    Order,
    Spread,
    as_elo,
    holm_rejects,
    likelihood_of_superiority,
    mean_points,
    mean_score,
    normalized_elo,
    sign_flip,
    spread_of,
    undecided_share,
)
from cardhub.stats.significance import PValue
from cardhub.stats.types import Floats, Ints

RACED = {
    Order.FIRST: "better",
    Order.SECOND: "worse",
    Order.EQUAL: "equal",
    Order.OPEN: "open",
}


@dataclass(frozen=True)
class Met:
    """Two bots, what came of each deal, and what follows from that alone."""

    pair: tuple[str, str]
    tally: PairTally
    deals: Ints
    scores: Floats
    margins: Floats
    sequence: ConfidenceSequence
    p_value: PValue | None
    spread: Spread | None
    is_as_planned: bool

    @property
    def blocks(self) -> int:
        """On how many deals the two met."""
        return len(self.scores)

    def p_by(self, name: str) -> float:
        """Return one of the two p-values: `sign_flip` or `sequence`."""
        if name == "sequence":
            return self.sequence.p_value()
        return 1.0 if self.p_value is None else self.p_value.value


def measured(match: Match, tally: ContestTally, rng: Random) -> list[Met]:
    """Return all pairs that may meet; `rng` serves tests that cannot be exact."""
    planned = match.order.blocks if match.order.mode != "racing" else None
    return [
        _met(pair, found, match.rating.level, planned, rng) for pair, found in tally.pairs.items()
    ]


def p_value_of(met: Sequence[Met]) -> str:
    """Return which p-values hold for all pairs."""
    return "sign_flip" if all(one.is_as_planned for one in met) else "sequence"


def pair_rows(met: Sequence[Met], tally: ContestTally, level: float) -> list[dict[str, Any]]:
    """Return a row for each pair, in the order of the file."""
    verdicts = _verdicts(met, level)
    return [
        {
            "game": tally.contest.id,
            "bots": one.pair,
            "deals": [one.deals[0], one.deals[-1]] if one.blocks else None,
            "a": one.pair[0],
            "b": one.pair[1],
            "blocks": one.blocks,
            "games": one.tally.games,
            "verdict": verdict,
            "race": _raced(one, tally),
            **_at_any_time(one),
            **_fixed(one, level),
            **_counted(one, level),
        }
        for one, verdict in zip(met, verdicts, strict=True)
    ]


def crosstable(met: Sequence[Met], level: float) -> list[dict[str, Any]]:
    """Return the scores from both sides, bot by bot."""
    turned = {"better": "worse", "worse": "better", "open": "open"}
    rows = []
    for one, verdict in zip(met, _verdicts(met, level), strict=True):
        a, b = one.pair
        found = one.sequence.interval() if one.blocks else (None,) * 3
        back = [None if value is None else 1 - value for value in found]
        rows += [
            _cell(a, b, found, one.blocks, verdict),
            _cell(b, a, (back[0], back[2], back[1]), one.blocks, turned[verdict]),
        ]
    order = list(dict.fromkeys(bot for one in met for bot in one.pair))
    return sorted(rows, key=lambda row: (order.index(row["bot"]), order.index(row["against"])))


def _cell(
    bot: str, against: str, found: Sequence[float | None], blocks: int, verdict: str
) -> dict[str, Any]:
    score, low, high = found
    return {
        "bot": bot,
        "against": against,
        "score": score,
        "low": low,
        "high": high,
        "blocks": blocks,
        "verdict": verdict,
    }


def _met(
    pair: tuple[str, str], tally: PairTally, level: float, planned: int | None, rng: Random
) -> Met:
    deals, scores, margins = tally.deals()
    sequence = ConfidenceSequence(level)
    for score in scores.tolist():
        sequence.add(score)
    singles = sorted(tally.singles.items())
    values, counts = (np.asarray([one[n] for one in singles], np.float64) for n in (0, 1))
    return Met(
        pair=pair,
        tally=tally,
        deals=deals,
        scores=scores,
        margins=margins,
        sequence=sequence,
        p_value=sign_flip(scores - 0.5, rng),
        spread=spread_of(scores, values, counts),
        is_as_planned=len(scores) == planned,
    )


def _verdicts(met: Sequence[Met], level: float) -> list[str]:
    """Return who is better, as far as Holm's correction over all pairs lets one say so."""
    kind = p_value_of(met)
    rejected = holm_rejects([one.p_by(kind) for one in met], level)
    return [
        ("better" if one.scores.mean() > 0.5 else "worse") if is_uneven else "open"
        for one, is_uneven in zip(met, rejected, strict=True)
    ]


def _raced(one: Met, tally: ContestTally) -> str | None:
    """Return how a pair stands in a race."""
    if tally.race is None:
        return None
    a, b = map(tally.racers.index, one.pair)
    return RACED[tally.race.standings()[a, b].order]


def _at_any_time(one: Met) -> dict[str, Any]:
    """Return what holds whenever somebody looked or stopped."""
    score = one.sequence.interval() if one.blocks else None
    return {
        "score": estimate(score),
        "elo": estimate(as_elo(score) if score else None),
        "p_always": one.sequence.p_value() if one.blocks else None,
    }


def _fixed(one: Met, level: float) -> dict[str, Any]:
    """Return what holds for a number of blocks that was fixed beforehand."""
    score = mean_score(one.scores, level)
    return {
        "is_as_planned": one.is_as_planned,
        "score_fixed": estimate(score),
        "elo_fixed": estimate(as_elo(score) if score else None),
        "nelo_fixed": estimate(
            normalized_elo(one.scores, one.tally.games / max(1, one.blocks), level)
        ),
        "los": likelihood_of_superiority(one.scores),
        "p_value": one.p_value.value if one.p_value else None,
        "p_is_exact": one.p_value.is_exact if one.p_value else None,
    }


def _counted(one: Met, level: float) -> dict[str, Any]:
    """Return what is counted without any model."""
    return {
        "undecided_share": undecided_share(one.scores),
        "wins": one.tally.wins,
        "draws": one.tally.draws,
        "losses": one.tally.losses,
        "luck_share": one.spread.luck_share if one.spread else None,
        "factor_saved": one.spread.factor_saved if one.spread else None,
        "margin": estimate(mean_points(one.margins, level)),
        "margins": one.tally.margins.rows(),
    }
