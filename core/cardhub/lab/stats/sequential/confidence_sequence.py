"""Anytime-valid confidence sequences for mean block scores, and for means of unbounded values.

Hedged capital process (Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables
by betting, section 4): a bettor against a candidate mean has a non-negative martingale as capital
if that mean is the true one, so large capital rejects it.

Bets against candidate means need bounded values, which points are not. For them there is the
asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021,
Time-uniform central limit theory and asymptotic confidence sequences): Robbins' normal mixture with
an estimated variance. It needs a finite variance only, and its error rate holds in the limit of a
late first look. The variance is taken around the tested mean, not around the sample mean: with
skewed values this makes fewer errors.
"""

from math import exp, inf, log, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cardhub.lab.estimate import Estimate, PointEstimate
from cardhub.lab.stats.types import Floats, check_level, check_scores

# The largest share of the capital that one bet can lose: at 1 a single block could end the betting
# forever. It is the truncation c of the paper.
CAUTION = 0.75


class Capital:
    """The log capital of bets against candidate means.

    `means` and the argument of `add` may be arrays whose shapes broadcast: many candidates for one
    match, or many matches in parallel. `alpha` tunes the size of the bets and does not affect
    validity.
    """

    def __init__(self, means: Floats, alpha: float) -> None:
        self.means = means
        self._alpha = alpha
        self._up = self._down = np.zeros(means.shape)
        self._limits = _largest_bet(means), _largest_bet(1 - means)
        self.blocks = 0
        self._total: Floats = np.zeros(())
        self._squares: Floats = np.zeros(())

    def add(self, scores: float | Floats) -> None:
        """Update the capital with the scores of the next block, between 0 and 1."""
        score = np.asarray(scores, dtype=np.float64)
        check_scores(score)
        # The bet must be fixed before the score is known (predictable) to make a martingale.
        # sqrt(2 log(2 / alpha) / (v t log(t + 1))): bets shrink like bets that are optimal for a
        # fixed t, slowly enough that the interval shrinks at any t. v begins at 1/4, its maximum.
        number = self.blocks + 1
        variance = (0.25 + self._squares) / number
        bet = np.sqrt(2 * log(2 / self._alpha) / (variance * number * log(number + 1)))
        gain = score - self.means
        self._up = self._up + np.log1p(np.minimum(bet, self._limits[0]) * gain)
        self._down = self._down + np.log1p(-np.minimum(bet, self._limits[1]) * gain)
        self.blocks += 1
        self._total = self._total + score
        self._squares = self._squares + (score - self.running_mean()) ** 2

    def log(self) -> Floats:
        """Return the log capital, of which half was initially staked on either side."""
        # The mean of two martingales is one, too; logaddexp does not overflow.
        return np.logaddexp(self._up, self._down) - log(2)

    def running_mean(self) -> Floats:
        """Return the running mean, with a pseudo-observation of 1/2."""
        return (0.5 + self._total) / (self.blocks + 1)


class ConfidenceSequence:
    """An anytime-valid interval for the mean block score, safe under optional stopping.

    The probability that it ever excludes the true mean is at most 1 - `level` for any distribution
    of scores, if blocks are independent and added in the order of the schedule. Its memory is
    constant: a grid over [0, 1].
    """

    def __init__(self, level: float = 0.95, points: int = 1001) -> None:
        check_level(level)
        if points < 3 or points % 2 == 0:
            raise ValueError(
                f"invalid number of grid points {points}: it must be odd and at least 3"
            )
        self.level = level
        self._capital = Capital(np.linspace(0, 1, points), 1 - level)
        self._rejected = np.zeros(points, dtype=np.bool_)
        self._peaks: Floats = np.zeros(points)
        self._total = 0.0

    @property
    def blocks(self) -> int:
        """The number of blocks added."""
        return self._capital.blocks

    def add(self, score: float) -> None:
        """Add the score of the next block; raises ValueError unless it is between 0 and 1."""
        self._capital.add(score)
        self._total += score
        # Ville's inequality: the capital against the true mean ever reaches 1 / alpha with a
        # probability of at most alpha. So a mean once rejected stays rejected.
        capital = self._capital.log()
        rejected = self._rejected | (capital >= -log(1 - self.level))
        # If every mean is rejected, the blocks lack a common mean: keep the last interval.
        if not rejected.all():
            self._rejected = rejected
        self._peaks = np.maximum(self._peaks, capital)

    def interval(self, level: float | None = None) -> Estimate:
        """Return the running mean (1/2 without blocks) and the interval, rounded outwards.

        The interval has the level `self.level` or, from the same bets, another `level`.
        """
        # The convex hull of the remaining means; rounding outwards covers means between points.
        remaining = np.flatnonzero(~self._rejected if level is None else self._remaining(level))
        grid = self._capital.means
        low, high = grid[max(remaining[0] - 1, 0)], grid[min(remaining[-1] + 1, len(grid) - 1)]
        mean = self._total / self.blocks if self.blocks else 0.5
        return Estimate(mean, float(low), float(high))

    def p_value(self) -> float:
        """Return the anytime-valid p-value of the mean 1/2: the inverse of the maximum capital."""
        return exp(-float(self._peaks[len(self._peaks) // 2]))

    def _remaining(self, level: float) -> NDArray[np.bool_]:
        # Without a common mean all candidates are rejected: the least rejected one remains.
        remaining = self._peaks < -log(1 - level)
        return remaining if remaining.any() else self._peaks == self._peaks.min()


def _largest_bet(stake: Floats) -> Floats:
    return CAUTION / np.maximum(stake, 1e-9)


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


Bets = TypeVar("Bets", ConfidenceSequence, AsymptoticSequence)


def with_all(sequence: Bets, values: Floats) -> Bets:
    """Add the values of blocks, in the order of the schedule, and return the sequence."""
    for value in values.tolist():
        sequence.add(value)
    return sequence
