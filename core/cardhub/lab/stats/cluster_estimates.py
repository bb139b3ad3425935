"""Estimates from independent clusters, such as deals, whose units may depend on each other."""

from collections.abc import Sequence
from itertools import zip_longest
from math import fsum, sqrt

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from cardhub.lab.estimate import Measure
from cardhub.lab.stats.types import Floats, check_level


def p_of_measure(measure: Measure, expected: float = 0.0) -> float | None:
    """Return the two-sided p-value of an expected value; None if the error is unknown."""
    if measure.error is None:
        return None
    return float(2 * stdtr(measure.freedom, -abs(measure.value - expected) / measure.error))


def p_of_no_slope(totals: Sequence[float]) -> float | None:
    """Return the two-sided p-value of a slope of 0, from the sums of `x * y` by cluster.

    `y` is centred within strata. The variance is the one if the slope is 0: where few clusters
    decide, the residuals of the slope itself are too small, and too many slopes would be certain.
    Return None if all sums are 0.
    """
    sums = np.asarray(totals, dtype=np.float64)
    squares = float(sums @ sums)
    if squares <= 0:
        return None
    # Normal, not Student's t: the tails of a sum over the root of its squares are lighter than
    # normal ones if the terms are symmetric (Efron 1969).
    return float(2 * ndtr(-abs(float(sums.sum())) / sqrt(squares)))


def cluster_ratio(
    totals: Sequence[float], sizes: Sequence[float], level: float = 0.95
) -> Measure | None:
    """Return the ratio of two sums over clusters, by cluster; None if the second one is 0.

    With sums of scores and numbers of games it is a mean; with sums of products `x * y` and of
    squares `x * x` it is the slope of a regression through the origin, where `x` may be centred
    within strata.
    """
    sums, weights = (np.asarray(values, dtype=np.float64) for values in (totals, sizes))
    whole = float(weights.sum())
    if whole <= 0:
        return None
    value = float(sums.sum()) / whole
    # The linearized variance of a ratio of two sums over clusters (Cochran 1977, section 2.11).
    residuals = sums - value * weights
    # Clusters of unequal size count as fewer clusters of equal size, with fewer degrees of freedom.
    effective = whole**2 / float(weights @ weights)
    clusters = int(np.count_nonzero(weights))
    scale = float(np.abs(sums).max()) + abs(value) * float(weights.max())
    if (
        clusters < 2
        or effective < 1.5
        or float(np.abs(residuals).max()) <= 1e-12 * max(scale, 1e-300)
    ):
        return _measure(value, None, 0.0, clusters, level)
    variance = clusters / (clusters - 1) * float(residuals @ residuals) / whole**2
    return _measure(value, sqrt(variance), effective - 1, clusters, level)


def difference(one: Measure, other: Measure, sign: int = -1, level: float = 0.95) -> Measure:
    """Return the difference of two independent estimates, or with the `sign` 1 their sum.

    The degrees of freedom follow Welch and Satterthwaite; the difference has no number of deals.
    """
    value = one.value + sign * other.value
    if one.error is None or other.error is None:
        return _measure(value, None, 0.0, 0, level)
    variances = one.error**2, other.error**2
    freedom = fsum(variances) ** 2 / fsum(
        part**2 / estimate.freedom for part, estimate in zip(variances, (one, other), strict=True)
    )
    return _measure(value, sqrt(fsum(variances)), freedom, 0, level)


def paired_difference(
    one: Measure,
    other: Measure,
    shifts: tuple[Sequence[float], Sequence[float]],
    sign: int = -1,
    level: float = 0.95,
) -> Measure:
    """Return the difference of two estimates with common clusters, or with the `sign` 1 their sum.

    `shifts` has for both estimates how much each cluster moves it: its residual over the sum of all
    weights. Clusters at equal positions are pairs; those that only one estimate has are zeros or
    missing in the other. The difference has no number of deals.
    """
    value = one.value + sign * other.value
    if one.error is None or other.error is None:
        return _measure(value, None, 0.0, 0, level)
    scales = [sqrt(part.deals / (part.deals - 1)) for part in (one, other)]
    rows = zip_longest(*shifts, fillvalue=0.0)
    moves = [scales[0] * first + sign * scales[1] * second for first, second in rows]
    if max(map(abs, moves)) <= 1e-9 * max(one.error, other.error):
        return _measure(value, None, 0.0, 0, level)
    freedom = min(one.freedom, other.freedom)  # pairs cannot have more than their parts
    return _measure(value, sqrt(fsum(move * move for move in moves)), freedom, 0, level)


def slope_of_draws(
    x: Sequence[float], y: Sequence[float], draws: Floats, level: float, deals: int
) -> Measure | None:
    """Return the least-squares slope of `y` over `x`, with an interval by draws of `y`.

    `draws` is draws x values from so many deals; their deviation is the error. None if all `x` are
    equal.
    """
    check_level(level)
    across = np.asarray(x, dtype=np.float64)
    across = across - across.mean() if len(across) else across
    spread = float(across @ across)
    if spread <= 0:
        return None
    value = float(across @ np.asarray(y, dtype=np.float64)) / spread
    slopes = draws @ across / spread
    low, high = np.quantile(slopes, [(1 - level) / 2, (1 + level) / 2])
    ends = min(value, float(low)), max(value, float(high))
    return Measure(value, *ends, float(slopes.std()), float(deals), deals)


def _measure(
    value: float, error: float | None, freedom: float, deals: int, level: float
) -> Measure:
    """Return a measure with its interval by Student's t."""
    check_level(level)
    if error is None:
        return Measure(value, None, None, None, freedom, deals)
    reach = float(stdtrit(freedom, (1 + level) / 2)) * error
    return Measure(value, value - reach, value + reach, error, freedom, deals)
