"""Confidence sequences: intervals that stay valid however often one looks at them.

Waudby-Smith and Ramdas' hedged betting: somebody who doubts a mean bets against it, and may not
become rich if it is the true one.
"""

from math import exp, log

import numpy as np

from cardhub.stats.types import Estimate, Floats, check_level, check_scores

CAUTION = 0.75
"""The share of the capital that one bet may lose at most."""


class Capital:
    """The running capital of bets against candidate means, on a log scale.

    `means` and what `add` takes may be arrays of any shapes that fit together: many candidates for
    one match, or many matches at once. `alpha` only tunes the size of the bets.
    """

    def __init__(self, means: Floats, alpha: float) -> None:
        self.means = means
        self._alpha = alpha
        self._up = self._down = np.zeros(means.shape)
        self._limits = _limit(means), _limit(1 - means)
        self.blocks = 0
        self._total: Floats = np.zeros(())
        self._squares: Floats = np.zeros(())

    def add(self, scores: float | Floats) -> None:
        """Settle the bets on the scores of the next block, between 0 and 1."""
        score = np.asarray(scores, dtype=np.float64)
        check_scores(score)
        bet = self._bet()
        gain = score - self.means
        self._up = self._up + np.log1p(np.minimum(bet, self._limits[0]) * gain)
        self._down = self._down + np.log1p(-np.minimum(bet, self._limits[1]) * gain)
        self.blocks += 1
        self._total = self._total + score
        self._squares = self._squares + (score - self.running_mean()) ** 2

    def log(self) -> Floats:
        """Return the log of the capital, of which half was put on either side."""
        return np.logaddexp(self._up, self._down) - log(2)

    def running_mean(self) -> Floats:
        """Return the mean so far, with one imagined block of 1/2."""
        return (0.5 + self._total) / (self.blocks + 1)

    def _bet(self) -> Floats:
        """Return the size of the next bet; it depends on past blocks only."""
        number = self.blocks + 1
        variance = (0.25 + self._squares) / number
        return np.sqrt(2 * log(2 / self._alpha) / (variance * number * log(number + 1)))


class ConfidenceSequence:
    """An interval for the mean of block scores that may be watched live and stopped at any time.

    The chance that it ever misses the true mean is at most 1 - `level`, whatever the distribution,
    if blocks are independent and taken in the order of the schedule. Memory is a grid over [0, 1].
    """

    def __init__(self, level: float = 0.95, points: int = 1001) -> None:
        check_level(level)
        if points < 3 or points % 2 == 0:
            raise ValueError(f"the grid needs an odd number of points with 1/2, not {points}")
        self.level = level
        self._capital = Capital(np.linspace(0, 1, points), 1 - level)
        self._doubted = np.zeros(points, dtype=np.bool_)
        self._peak = 0.0
        self._total = 0.0

    @property
    def blocks(self) -> int:
        """The number of blocks taken."""
        return self._capital.blocks

    def add(self, score: float) -> None:
        """Take the score of the next block; raises ValueError unless it is between 0 and 1."""
        self._capital.add(score)
        self._total += score
        capital = self._capital.log()
        doubted = self._doubted | (capital >= -log(1 - self.level))
        if not doubted.all():  # otherwise the blocks cannot have one mean: keep what was left
            self._doubted = doubted
        self._peak = max(self._peak, float(capital[len(capital) // 2]))

    def interval(self) -> Estimate:
        """Return the mean so far (1/2 without blocks) and the interval, rounded outwards."""
        left = np.flatnonzero(~self._doubted)
        grid = self._capital.means
        low, high = grid[max(left[0] - 1, 0)], grid[min(left[-1] + 1, len(grid) - 1)]
        mean = self._total / self.blocks if self.blocks else 0.5
        return Estimate(mean, float(low), float(high))

    def p_value(self) -> float:
        """Return the always-valid p-value of the mean being 1/2: 1 / the highest capital so far."""
        return exp(-self._peak)


def _limit(stake: Floats) -> Floats:
    """Return the largest bet with which at most the cautious share of the capital is lost."""
    return CAUTION / np.maximum(stake, 1e-9)
