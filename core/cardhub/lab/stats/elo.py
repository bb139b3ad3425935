"""Elo estimates from block scores, with standard errors over blocks, not games."""

from collections.abc import Sequence
from math import log, log10, sqrt

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from cardhub.lab.estimate import Estimate, OpenEstimate, PointEstimate
from cardhub.lab.stats.types import Floats, check_level, check_scores

# Normalized Elo per unit of the t-value of a single game: 347.4. At a score of 1/2 without ties
# (standard deviation 1/2) it makes normalized and logistic Elo equal (Van den Bergh, Comments on
# normalized Elo).
NELO_PER_T = 800 / log(10)
# The mean score of two equal bots; the mean of differences in points is 0.
EVEN = 0.5


def score_of_elo(elo: float) -> float:
    """Return the expected score against an opponent rated `elo` lower (logistic model)."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of_score(score: float) -> float | None:
    """Return the Elo difference of an expected score; None for 0 and 1 (infinite)."""
    return -400 * log10(1 / score - 1) if 0 < score < 1 else None


def mean_score(scores: Sequence[float] | Floats, level: float = 0.95) -> Estimate | None:
    """Return the mean block score with Student's t interval; None without blocks.

    The interval is valid for a number of blocks fixed in advance; for optional stopping, use the
    anytime-valid `ConfidenceSequence`.
    """
    check_level(level)
    blocks = _validated(scores)
    if not len(blocks):
        return None
    mean = _mean_within(blocks)
    if _are_equal(blocks):
        # The sample variance is 0, and Student's t gives no width. A share q of blocks with other
        # scores stays unobserved in n blocks with the probability (1 - q)^n (Clopper and
        # Pearson); in the worst case those blocks score 0 or 1.
        unseen = 1 - (1 - level) ** (1 / len(blocks))
        return Estimate(mean, mean * (1 - unseen), mean + (1 - mean) * unseen)
    reach = student(len(blocks), level) * float(blocks.std(ddof=1)) / sqrt(len(blocks))
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach))


def mean_points(values: Floats, level: float = 0.95) -> PointEstimate | None:
    """Return the mean on an unbounded scale with Student's t interval; None without values.

    If all values are equal, the interval is None: an unbounded scale does not limit unobserved
    values.
    """
    check_level(level)
    if not len(values):
        return None
    mean = float(values.mean())
    if len(values) < 2 or np.ptp(values) < 1e-9:
        return PointEstimate(mean, None, None)
    reach = student(len(values), level) * float(values.std(ddof=1)) / sqrt(len(values))
    return PointEstimate(mean, mean - reach, mean + reach)


def bound_of_equal(value: float, count: int, level: float = 0.95) -> PointEstimate:
    """Return the interval of a mean difference in points after `count` equal differences.

    As for equal scores, at most 1 - (1 - level)^(1/count) of all differences are different. They
    are assumed to be at most as large with the opposite sign, because an unbounded scale has no
    limit. The interval is None if all differences are 0, which has no size. With the level
    1 - (1 - level) / (n (n + 1)) for n differences it is valid after any number of differences.
    """
    check_level(level)
    if abs(value) < 1e-9:
        return PointEstimate(value, None, None)
    others = 1 - (1 - level) ** (1 / count)
    ends = sorted((value, value * (1 - 2 * others)))
    return PointEstimate(value, *ends)


def mean_of_clusters(
    totals: Sequence[float], counts: Sequence[int], level: float = 0.95
) -> PointEstimate | None:
    """Return the mean per unit of clusters of unequal size, with Student's t interval.

    `totals` are the sums of the clusters, `counts` their numbers of units. Clusters
    are independent; the units within a cluster need not be. None without units; without an interval
    if there are fewer than two clusters or all have the same mean.
    """
    check_level(level)
    sums, sizes = np.asarray(totals, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    sums, sizes = sums[sizes > 0], sizes[sizes > 0]
    if not len(sizes):
        return None
    mean = float(sums.sum() / sizes.sum())
    # The linearized variance of a ratio of two sums over clusters (Cochran 1977, section 2.11).
    residuals = sums - mean * sizes
    if len(sizes) < 2 or not residuals.any():
        return PointEstimate(mean, None, None)
    clusters = len(sizes)
    variance = clusters / (clusters - 1) * float(residuals @ residuals) / float(sizes.sum()) ** 2
    reach = student(clusters, level) * sqrt(variance)
    return PointEstimate(mean, mean - reach, mean + reach)


def p_of_mean(scores: Floats, even: float = EVEN) -> float:
    """Return the p-value of the interval of a mean: the greatest 1 - level at which it has `even`.

    `even` = 0 is for `mean_points`, which has no interval if all values are equal: then it is 0.
    """
    distance = abs(_mean_within(scores) - even)
    if distance < 1e-12:
        return 1.0
    if len(scores) < 2 or _are_equal(scores):
        # (even / mean)^n is the level at which the end of `mean_score` is `even`.
        return (even / (even + distance)) ** len(scores)
    error = float(scores.std(ddof=1)) / sqrt(len(scores))
    return float(2 * stdtr(len(scores) - 1, -distance / error))


def as_elo(estimate: OpenEstimate) -> OpenEstimate:
    """Return an estimated score in Elo; an interval end at 0 or 1 becomes None (unbounded)."""
    return OpenEstimate(*(None if end is None else elo_of_score(end) for end in estimate))


def score_of_lead(lead: PointEstimate) -> PointEstimate:
    """Return a lead over an even score as a score from 0 to 1, where its true mean lies."""
    ends = (
        None if end is None else min(max(end + EVEN, 0.0), 1.0) for end in (lead.low, lead.high)
    )
    return PointEstimate(min(max(lead.value + EVEN, 0.0), 1.0), *ends)


def normalized_elo(
    scores: Sequence[float] | Floats,
    games_per_block: float,
    level: float = 0.95,
    even: float = EVEN,
) -> Estimate | None:
    """Return the normalized Elo of a mean; None if all blocks are equal.

    That is (mean - `even`) / standard deviation of a game, times 347. With `even` = 0 the scores
    are differences in points, of any size.
    """
    check_level(level)
    blocks = _validated(scores, even)
    if not len(blocks) or _are_equal(blocks):
        return None
    t = (_mean_within(blocks) - even) / float(blocks.std(ddof=1))
    # Delta method: var(t) = (1 + t^2 / 2) / n, where t^2 / 2 is the sampling error of the standard
    # deviation. One game has the standard deviation of a block times sqrt(games per block).
    reach = student(len(blocks), level) * sqrt((1 + t * t / 2) / len(blocks))
    scale = NELO_PER_T / sqrt(games_per_block)
    return Estimate(scale * t, scale * (t - reach), scale * (t + reach))


def t_of_nelo(nelo: float, games_per_block: float) -> float:
    """Return the t-value of a block for a normalized Elo difference."""
    return sqrt(games_per_block) * nelo / NELO_PER_T


def likelihood_of_superiority(scores: Sequence[float] | Floats, even: float = EVEN) -> float | None:
    """Return the probability that the true mean exceeds `even`, by the normal approximation.

    None if all blocks are equal.
    """
    blocks = _validated(scores, even)
    if not len(blocks) or _are_equal(blocks):
        return None
    return float(ndtr((_mean_within(blocks) - even) / (blocks.std(ddof=1) / sqrt(len(blocks)))))


def student(blocks: int, level: float) -> float:
    """Return the half-width of Student's t interval in standard errors."""
    return float(stdtrit(blocks - 1, (1 + level) / 2))


def _validated(scores: Sequence[float] | Floats, even: float = EVEN) -> Floats:
    blocks = np.asarray(scores, dtype=np.float64)
    if even == EVEN:
        check_scores(blocks)
    return blocks


def _mean_within(blocks: Floats) -> float:
    # Rounding may put the mean of equal scores just outside [0, 1], where Elo is not defined.
    return float(np.clip(blocks.mean(), blocks.min(), blocks.max()))


def _are_equal(blocks: Floats) -> bool:
    return bool(np.ptp(blocks) < 1e-9)
