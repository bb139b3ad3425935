"""Scores of blocks as Elo, with error bars that count blocks, not games."""

from collections.abc import Sequence
from math import log, log10, sqrt

import numpy as np
from scipy.special import ndtr, stdtrit

from cardhub.stats.types import (
    EloEstimate,
    Estimate,
    Floats,
    PointEstimate,
    check_level,
    check_scores,
)

NELO_PER_T = 800 / log(10)
"""Normalized Elo per unit of a single game's t-value."""


def score_of_elo(elo: float) -> float:
    """Return the expected score against an opponent who is `elo` weaker (logistic)."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of_score(score: float) -> float | None:
    """Return the difference in Elo that a score stands for; None for 0 and 1, which are endless."""
    return -400 * log10(1 / score - 1) if 0 < score < 1 else None


def mean_score(scores: Sequence[float] | Floats, level: float = 0.95) -> Estimate | None:
    """Return the mean of block scores with Student's interval; None without blocks.

    If all n blocks are equal, the interval allows for as many other blocks as might have stayed
    unseen: a share of 1 - (1 - level)^(1/n), any of which could have been 0 or 1. Valid for a
    number of blocks fixed beforehand; for a look at any time there is `ConfidenceSequence`.
    """
    check_level(level)
    blocks = _array(scores)
    if not len(blocks):
        return None
    mean = _mean(blocks)
    if _are_equal(blocks):
        unseen = 1 - (1 - level) ** (1 / len(blocks))
        return Estimate(mean, mean * (1 - unseen), mean + (1 - mean) * unseen)
    reach = student(len(blocks), level) * float(blocks.std(ddof=1)) / sqrt(len(blocks))
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach))


def mean_points(values: Floats, level: float = 0.95) -> PointEstimate | None:
    """Return the mean of numbers on any scale with Student's interval; None without any.

    No interval without two that differ: how far others may lie is unknown on an open scale.
    """
    check_level(level)
    if not len(values):
        return None
    mean = float(values.mean())
    if len(values) < 2 or np.ptp(values) < 1e-9:
        return PointEstimate(mean, None, None)
    reach = student(len(values), level) * float(values.std(ddof=1)) / sqrt(len(values))
    return PointEstimate(mean, mean - reach, mean + reach)


def as_elo(estimate: Estimate) -> EloEstimate:
    """Return an estimated score as Elo; an interval that touches 0 or 1 is unbounded there."""
    return EloEstimate(*(elo_of_score(score) for score in estimate))


def normalized_elo(
    scores: Sequence[float] | Floats, games_per_block: float, level: float = 0.95
) -> EloEstimate | None:
    """Return the mean in units of a game's deviation, times 347; None if all blocks are equal.

    Its interval allows for the error of the deviation, too (the delta method).
    """
    check_level(level)
    blocks = _array(scores)
    if not len(blocks) or _are_equal(blocks):
        return None
    t = (_mean(blocks) - 0.5) / float(blocks.std(ddof=1))
    reach = student(len(blocks), level) * sqrt((1 + t * t / 2) / len(blocks))
    scale = NELO_PER_T / sqrt(games_per_block)
    return EloEstimate(scale * t, scale * (t - reach), scale * (t + reach))


def t_of_nelo(nelo: float, games_per_block: float) -> float:
    """Return the t-value of blocks that a normalized Elo difference stands for."""
    return sqrt(games_per_block) * nelo / NELO_PER_T


def likelihood_of_superiority(scores: Sequence[float] | Floats) -> float | None:
    """Return the normal probability that the true mean is above 1/2; None if all are equal."""
    blocks = _array(scores)
    if not len(blocks) or _are_equal(blocks):
        return None
    return float(ndtr((_mean(blocks) - 0.5) / (blocks.std(ddof=1) / sqrt(len(blocks)))))


def student(blocks: int, level: float) -> float:
    """Return how many standard errors Student's interval reaches to either side."""
    return float(stdtrit(blocks - 1, (1 + level) / 2))


def _array(scores: Sequence[float] | Floats) -> Floats:
    """Return block scores as an array, checked."""
    blocks = np.asarray(scores, dtype=np.float64)
    check_scores(blocks)
    return blocks


def _mean(blocks: Floats) -> float:
    """Return the mean, not a rounding error outside the scores."""
    return float(np.clip(blocks.mean(), blocks.min(), blocks.max()))


def _are_equal(blocks: Floats) -> bool:
    """Whether scores differ by rounding errors at most."""
    return bool(np.ptp(blocks) < 1e-9)
