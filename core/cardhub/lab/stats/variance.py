"""Variance components of block scores, seat advantages, and variance reduction.

A control variate, the score of a fixed baseline bot on the same deals, reduces the variance of a
mean score. Cross-fitting keeps the estimate unbiased: the factor of a block is fitted on the other
folds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import NamedTuple

import numpy as np

from cardhub.lab.estimate import Estimate, PointEstimate
from cardhub.lab.stats.elo import EVEN, mean_points, mean_score
from cardhub.lab.stats.types import Floats, check_scores

# Scores and variances within this distance are treated as equal.
TOLERANCE = 1e-9


def undecided_share(scores: Sequence[float] | Floats, even: float = EVEN) -> float | None:
    """Return the share of blocks with a score of `even`; None without blocks."""
    blocks = np.asarray(scores, dtype=np.float64)
    if not len(blocks):
        return None
    return float(np.mean(np.abs(blocks - even) < TOLERANCE))


def seat_edge(by_seat: Sequence[Sequence[float]], level: float = 0.95) -> list[Estimate] | None:
    """Return the advantage of each seat over the mean of all seats, with its interval.

    `by_seat` has one row per block: for each seat, its mean score over the block's games. None
    without blocks.
    """
    # Each bot plays every seat of a block: strengths cancel, and only the seat effect remains.
    # `mean_score` needs [0, 1], and edges range from -1 to 1.
    rows = np.asarray(by_seat, dtype=np.float64)
    if not len(rows):
        return None
    check_scores(rows)
    edges = rows - rows.mean(axis=1, keepdims=True)
    seats = [mean_score(np.clip((column + 1) / 2, 0, 1), level) for column in edges.T]
    return [Estimate(*(2 * value - 1 for value in seat)) for seat in seats if seat is not None]


def seat_edge_in_points(
    by_seat: Sequence[Sequence[float]], level: float = 0.95
) -> list[PointEstimate] | None:
    """Return the advantage of each seat as `seat_edge` does, with means in points by seat."""
    rows = np.asarray(by_seat, dtype=np.float64)
    edges = (rows - rows.mean(axis=1, keepdims=True)).T if len(rows) else []
    estimates = [mean_points(column, level) for column in edges]
    return [edge for edge in estimates if edge is not None] or None


class VarianceComponents(NamedTuple):
    """Variance components of a bot's score.

    `block` is the variance of block scores times the games per block, `game` the variance of game
    scores, `freedom` the degrees of freedom: the number of blocks minus one.
    """

    block: float
    game: float
    freedom: int

    @property
    def luck_share(self) -> float:
        """The share of a game's variance that playing each deal in all seatings removes.

        0 if the games of a block are uncorrelated, 1 if the deal explains the entire variance,
        negative if the games are positively correlated.
        """
        return 1 - self.block / self.game

    @property
    def factor_saved(self) -> float | None:
        """The factor by which independent deals would need more games for the same precision."""
        return None if self.block < TOLERANCE * self.game else self.game / self.block


def variance_of(blocks: Floats, values: Floats, counts: Floats) -> VarianceComponents | None:
    """Return the variance components of block scores and of game scores.

    `values` and `counts` are the histogram of game scores. None for fewer than two blocks, or if
    all games have the same score.
    """
    games = float(counts.sum())
    if len(blocks) < 2 or not games or np.ptp(values[counts > 0]) < TOLERANCE:
        return None
    mean = float(counts @ values) / games
    single = float(counts @ (values - mean) ** 2) / (games - 1)
    return VarianceComponents(
        float(blocks.var(ddof=1)) * games / len(blocks), single, len(blocks) - 1
    )


def pooled(parts: Iterable[VarianceComponents | None]) -> VarianceComponents | None:
    """Return the mean of variance components weighted by degrees of freedom; None without any."""
    components = [part for part in parts if part is not None]
    freedom = sum(part.freedom for part in components)
    if not freedom:
        return None
    block = fsum(part.block * part.freedom for part in components) / freedom
    game = fsum(part.game * part.freedom for part in components) / freedom
    return VarianceComponents(block, game, freedom)


# The default number of cross-fitting folds.
FOLDS = 10


@dataclass(frozen=True)
class Adjusted:
    """Adjusted block scores, which may lie outside [0, 1], their mean and its standard error.

    `factor` is the mean of the fitted factors. `saved` is the ratio of variances without and with
    the adjustment; below 1, the adjustment increased the variance.
    """

    scores: Floats
    mean: float
    error: float
    factor: float
    saved: float


def control_variate(
    scores: Sequence[float] | Floats,
    baseline: Sequence[float] | Floats,
    expected: float,
    expected_error: float = 0.0,
    folds: int = FOLDS,
) -> Adjusted | None:
    """Return the scores minus factor x (baseline - `expected`), block by block.

    `expected` is the true mean of the baseline: known by symmetry, or estimated on independent
    deals with the standard error `expected_error`. The baseline's mean on the same deals would not
    change the mean score. None for fewer than four blocks.
    """
    blocks, baselines = np.asarray(scores, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if blocks.shape != baselines.shape:
        raise ValueError(
            f"{len(blocks)} block scores, but {len(baselines)} of the baseline: lengths must match"
        )
    if folds < 2:
        raise ValueError(f"invalid number of folds {folds}: cross-fitting takes at least 2")
    if len(blocks) < 4:
        return None
    # Cross-fitting: a factor fitted on the block itself would bias the mean.
    fold = np.arange(len(blocks)) % min(folds, len(blocks) // 2)
    factors = np.zeros(len(blocks))
    for number in range(int(fold.max()) + 1):
        factors[fold == number] = _slope(blocks[fold != number], baselines[fold != number])
    adjusted = blocks - factors * (baselines - expected)
    factor = float(factors.mean())
    error = sqrt(adjusted.var(ddof=1) / len(adjusted) + (factor * expected_error) ** 2)
    # The error of `expected` shifts all blocks alike, so more blocks do not reduce it.
    bare = float(blocks.var(ddof=1)) / len(blocks)
    saved = bare / error**2 if error > 0 else 1.0
    return Adjusted(adjusted, float(adjusted.mean()), error, factor, saved)


def _slope(scores: Floats, baseline: Floats) -> float:
    deviations = baseline - baseline.mean()
    total = float(deviations @ deviations)
    return float(deviations @ (scores - scores.mean())) / total if total > 1e-12 else 0.0
