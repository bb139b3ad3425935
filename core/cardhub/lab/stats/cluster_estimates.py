"""Estimates from independent clusters, such as deals, whose units may depend on each other."""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from cardhub.lab.stats.types import Floats, check_level


class ClusterEstimate(NamedTuple):
    """An estimate from clusters; `error` is its standard error, `freedom` belongs to Student's t.

    `error` is None if the clusters do not show how much the estimate varies.
    """

    value: float
    error: float | None
    freedom: float

    def reach(self, level: float) -> float | None:
        """Return half the width of the interval; None if the error is unknown."""
        check_level(level)
        if self.error is None:
            return None
        return float(stdtrit(self.freedom, (1 + level) / 2)) * self.error

    def p_value(self, expected: float = 0.0) -> float | None:
        """Return the two-sided p-value of an expected value; None if the error is unknown."""
        if self.error is None:
            return None
        return float(2 * stdtr(self.freedom, -abs(self.value - expected) / self.error))


def cluster_ratio(totals: Sequence[float], sizes: Sequence[float]) -> ClusterEstimate | None:
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
        return ClusterEstimate(value, None, 0.0)
    variance = clusters / (clusters - 1) * float(residuals @ residuals) / whole**2
    return ClusterEstimate(value, sqrt(variance), effective - 1)


def difference(one: ClusterEstimate, other: ClusterEstimate, sign: int = -1) -> ClusterEstimate:
    """Return the difference of two independent estimates, or with the `sign` 1 their sum.

    The degrees of freedom follow Welch and Satterthwaite.
    """
    value = one.value + sign * other.value
    if one.error is None or other.error is None:
        return ClusterEstimate(value, None, 0.0)
    variances = one.error**2, other.error**2
    freedom = fsum(variances) ** 2 / fsum(
        part**2 / estimate.freedom for part, estimate in zip(variances, (one, other), strict=True)
    )
    return ClusterEstimate(value, sqrt(fsum(variances)), freedom)


class DrawnSlope(NamedTuple):
    """A slope with its percentile interval, and the standard deviation of its draws."""

    value: float
    low: float
    high: float
    error: float


def slope_of_draws(
    x: Sequence[float], y: Sequence[float], draws: Floats, level: float
) -> DrawnSlope | None:
    """Return the least-squares slope of `y` over `x`, with an interval by draws of `y`.

    `draws` is draws x values. None if all `x` are equal.
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
    return DrawnSlope(value, min(value, float(low)), max(value, float(high)), float(slopes.std()))
