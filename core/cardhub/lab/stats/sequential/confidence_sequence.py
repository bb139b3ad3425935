"""Anytime-valid confidence sequences for the mean block score.

Hedged capital process (Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables
by betting, section 4): a bettor against a candidate mean has a non-negative martingale as capital
if that mean is the true one, so large capital rejects it.
"""

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from cardhub.lab.estimate import Estimate
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
