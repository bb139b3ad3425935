"""Anytime-valid confidence sequences for means of unbounded values.

Bets against candidate means (see `confidence_sequence`) need bounded values, which points are not.
This is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021,
Time-uniform central limit theory and asymptotic confidence sequences): Robbins' normal mixture with
an estimated variance. It needs a finite variance only, and its error rate holds in the limit of a
late first look. The variance is taken around the tested mean, not around the sample mean: with
skewed values this makes fewer errors.
"""

from math import exp, inf, log, sqrt

import numpy as np

from cardhub.lab.estimate import PointEstimate
from cardhub.lab.stats.types import Floats, check_level

# The number of blocks before the first interval: with fewer the normal approximation is poor.
FIRST = 64
# The number of blocks at which the interval is narrowest in relation to one for a fixed number.
NARROWEST = 200


def mixture_scale(alpha: float) -> float:
    """Return the variance rho^2 of the mixture that is narrowest after NARROWEST blocks."""
    twice = -2 * log(alpha)
    return (twice + log(twice) + 1) / NARROWEST


def log_mixture(blocks: float | Floats, z: float | Floats, scale: float) -> Floats:
    """Return the log of the mixture martingale after `blocks` blocks.

    `z` is the sum of deviations from the tested mean, divided by their root mean square.
    """
    grown = np.asarray(blocks * scale + 1)
    return np.asarray(scale * np.square(z) / (2 * grown) - np.log(grown) / 2)


class AsymptoticSequence:
    """An anytime-valid interval for a mean of unbounded values, safe under optional stopping.

    The probability that it ever excludes the true mean is about 1 - `level` or less, if blocks are
    independent, have a finite variance, and are added in the order of the schedule. The interval is
    None before FIRST blocks, and while all blocks are equal. The interval is narrowest in relation
    to a fixed number of blocks if `tuned`, the level of the mixture, is `level`, the default.
    """

    def __init__(self, level: float = 0.95, tuned: float | None = None) -> None:
        check_level(level)
        self.level = level
        self.tuned = level if tuned is None else tuned
        self.blocks = 0
        self._scale = mixture_scale(1 - self.tuned)
        self._mean = self._squares = 0.0
        self._low, self._high = -inf, inf
        self._peak = 0.0

    def add(self, value: float) -> None:
        """Add the value of the next block."""
        self.blocks += 1
        # Welford's update: sums of squares of large values would lose the variance.
        before = value - self._mean
        self._mean += before / self.blocks
        self._squares += before * (value - self._mean)
        variance = self._squares / self.blocks
        if self.blocks < FIRST or variance + self._mean**2 == 0:
            return
        z = self.blocks * self._mean / sqrt(variance + self._mean**2)
        self._peak = max(self._peak, float(log_mixture(self.blocks, z, self._scale)))
        if variance > 1e-9 * self._mean**2:
            self._intersect(variance)

    def interval(self) -> PointEstimate:
        """Return the mean (0 without blocks) and the intersection of all intervals."""
        if self._high == inf:
            return PointEstimate(self._mean, None, None)
        return PointEstimate(self._mean, self._low, self._high)

    def deviation(self) -> float:
        """Return the standard deviation of a block, 0 without blocks."""
        return sqrt(self._squares / self.blocks) if self.blocks else 0.0

    def p_value(self) -> float:
        """Return the anytime-valid p-value of the mean 0: the inverse of the largest mixture."""
        return exp(-self._peak)

    def _intersect(self, variance: float) -> None:
        # Solves log_mixture = log(1 / alpha) for the deviation d of a candidate from the mean: the
        # share d^2 / (variance + d^2) of its mean square must not exceed this one.
        grown = self.blocks * self._scale + 1
        share = 2 * grown * log(sqrt(grown) / (1 - self.level)) / (self._scale * self.blocks**2)
        if share >= 1:
            return
        reach = sqrt(variance * share / (1 - share))
        low, high = max(self._low, self._mean - reach), min(self._high, self._mean + reach)
        # If all means are excluded, the blocks lack a common mean: keep the last interval.
        if low <= high:
            self._low, self._high = low, high
