"""Schema of the results of two bots in `result.json`; docs/results.md explains the fields."""

from collections.abc import Sequence
from typing import Literal, Self

from msgspec import Struct

Deals = tuple[int, int]

# The verdict on the first bot of a pair. `equal` is one of races; `not better` and `not worse` are
# those of a sequential test, which rejects a difference of a given size only.
PairVerdict = Literal["better", "worse", "equal", "not better", "not worse", "open"]

# `test`: the sequential test of the match, which alone decides on its pair.
EvidenceKind = Literal["sign_flip", "sequence", "test"]

# Verdicts in which one bot is better than the other.
DIFFERENT = frozenset[PairVerdict]({"better", "worse"})
OPPOSITE: dict[PairVerdict, PairVerdict] = {
    "better": "worse",
    "worse": "better",
    "equal": "equal",
    "not better": "not worse",
    "not worse": "not better",
    "open": "open",
}


class IntervalEstimate(Struct, frozen=True):
    """A value with its interval; None encodes minus infinity, plus infinity or unknown."""

    value: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, found: Sequence[float | None] | None) -> Self | None:
        """Return an instance for a tuple of value, low and high; None for None."""
        return None if found is None else cls(*found)


class MarginBar(Struct, frozen=True, rename={"low": "from", "high": "to"}):
    """A bar of a histogram: the number of games with a margin from `low` to `high`.

    The JSON keys are `from` and `to`; `from` cannot be the name of an attribute.
    """

    low: int
    high: int
    games: int


class VerdictEvidence(Struct, frozen=True):
    """The evidence behind the verdict of a pair.

    One bot is better if `p_value` is at most `limit`, and if and only if the interval of `score`,
    whose level is 1 - `limit`, excludes even bots. With the kind `test` there are no `p_value` and
    `limit`: the log-likelihood ratio decides, and the interval is anytime-valid.
    """

    kind: EvidenceKind
    p_value: float | None
    limit: float | None
    score: IntervalEstimate | None
    elo: IntervalEstimate | None


class PairRow(Struct, frozen=True):
    """Results of bot `a` against bot `b` in one game; `wins` are those of `a`.

    In a game scored by points, scores are mean differences in points, and have no logistic Elo.
    """

    game: str
    bots: tuple[str, str]
    deals: Deals | None
    a: str
    b: str
    blocks: int
    games: int
    is_as_planned: bool
    score: IntervalEstimate | None
    elo: IntervalEstimate | None
    # `score` and `elo` are anytime-valid; these hold for a number of blocks set in advance.
    score_fixed: IntervalEstimate | None
    elo_fixed: IntervalEstimate | None
    nelo_fixed: IntervalEstimate | None
    # Likelihood of superiority, a probability.
    los: float | None
    p_value: float | None
    p_is_exact: bool | None
    p_always: float | None
    verdict: PairVerdict
    evidence: VerdictEvidence | None
    undecided_share: float | None
    wins: int
    draws: int
    losses: int
    luck_share: float | None
    factor_saved: float | None
    margin: IntervalEstimate | None
    margins: tuple[MarginBar, ...]


class CrosstableCell(Struct, frozen=True):
    """The score of one bot against another, with the interval that the verdict rests on."""

    bot: str
    against: str
    score: float | None
    low: float | None
    high: float | None
    blocks: int
    verdict: PairVerdict
