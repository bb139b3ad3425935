"""Simultaneous perturbation (SPSA; Spall 1992), which stands apart because it knows no games.

Chess engines are tuned by it: all options are changed at once, up or down, and the two bots that
result play each other. Whichever is better pulls all values its way. Changes and steps shrink as
Spall (1998) recommends. One comparison is enough for a step with any number of options.
"""

from collections.abc import Sequence
from math import fsum, pow
from random import Random

# The first change of an option and the first step, as shares of its range. In simulations of three
# options and 20,000 games other shares ended farther from the optimum.
CHANGE, STEP = 0.25, 0.6
CHANGE_DECAY, STEP_DECAY = 0.101, 0.602
# The share of the iterations by which the steps are delayed, so that the first ones are not wild.
DELAY = 0.1


class Spsa:
    """A point in a cube from 0 to 1 that climbs, by noisy comparisons of two points around it.

    `iterations`: how many comparisons are planned. The result is the `mean` of the second half of
    the points, which is steadier than the last one.
    """

    def __init__(self, start: Sequence[float], iterations: int) -> None:
        self.point = list(start)
        self._iterations = iterations
        self._done = 0
        self._sums = [0.0] * len(self.point)
        self._summed = 0

    @property
    def mean(self) -> list[float]:
        """The mean of the points of the second half, or the point before it begins."""
        if not self._summed:
            return self.point[:]
        return [total / self._summed for total in self._sums]

    def draw_signs(self, rng: Random) -> list[int]:
        """Return a random direction: 1 or -1 for each coordinate."""
        return [rng.choice((-1, 1)) for _ in self.point]

    def pair(self, signs: Sequence[int]) -> tuple[list[float], list[float]]:
        """Return the points to compare: up in this direction, and down."""
        change = self._change()
        return self._moved(change, signs), self._moved(-change, signs)

    def learn(self, signs: Sequence[int], difference: float) -> None:
        """Take a step after a comparison.

        `difference`: the first point's score minus the second's, in standard deviations of one
        comparison of single games.
        """
        step = STEP / pow(DELAY * self._iterations + self._done + 1, STEP_DECAY)
        self.point = self._moved(step * difference / (2 * self._change()), signs)
        self._done += 1
        if self._done > self._iterations // 2:
            self._summed += 1
            self._sums = [fsum(pair) for pair in zip(self._sums, self.point, strict=True)]

    def _change(self) -> float:
        return CHANGE / pow(self._done + 1, CHANGE_DECAY)

    def _moved(self, distance: float, signs: Sequence[int]) -> list[float]:
        return [
            min(1.0, max(0.0, value + distance * sign))
            for value, sign in zip(self.point, signs, strict=True)
        ]
