"""Histograms of block scores, the sufficient statistic of a sequential test."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from math import floor, isfinite

import numpy as np
from typing_extensions import override

from cardhub.lab.stats.types import Floats, check_scores

# The decimals to which scores are rounded: 1/3 is the same cell for any way of computing it.
DIGITS = 9
# The number of distinct scores beyond which a new score is rounded to 3 decimals, to bound memory.
CELLS = 1000
# The number of distinct differences beyond which they are put on a lattice, and the step of the
# finest one; each further lattice has twice the step.
POINT_CELLS = 256
FINEST = 2.0**-20


class BlockTally(ABC):
    """A histogram of block scores; counts of cells may be fractional."""

    def __init__(self) -> None:
        self.blocks = 0

    @abstractmethod
    def add(self, score: float) -> None:
        """Count the score of a block."""

    @abstractmethod
    def cells(self) -> Mapping[float, float]:
        """Return the number of blocks by score, 0 for scores that could occur."""

    def values(self) -> Floats:
        """Return the distinct scores in ascending order."""
        return np.asarray(sorted(self.cells()), dtype=np.float64)

    def counts(self) -> Floats:
        """Return the number of blocks with each of `values()`."""
        cells = self.cells()
        return np.asarray([cells[value] for value in sorted(cells)], dtype=np.float64)


class ScoreTally(BlockTally):
    """Scores from 0 to 1; the tally always has the cells 0, 1 and all scores of `support`."""

    def __init__(self, support: Iterable[float] = ()) -> None:
        super().__init__()
        cells = np.asarray([0.0, 1.0, *support])
        check_scores(cells)
        self._counts = dict.fromkeys((round(value, DIGITS) for value in cells.tolist()), 0)

    @override
    def add(self, score: float) -> None:
        if not 0 <= score <= 1:
            raise ValueError(f"invalid block score {score}: it must lie between 0 and 1")
        value = round(score, DIGITS)
        if value not in self._counts and len(self._counts) >= CELLS:
            value = round(score, 3)
        self._counts[value] = self._counts.get(value, 0) + 1
        self.blocks += 1

    @override
    def cells(self) -> Mapping[float, float]:
        return self._counts


class PointTally(BlockTally):
    """Differences in points, of any size, in memory that does not grow with the match.

    The tally always has a cell for the largest difference with either sign: no distribution on
    values of one sign has the mean 0.
    """

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[float, float] = {}
        self._width = self._low = self._high = 0.0

    @override
    def add(self, score: float) -> None:
        if not isfinite(score):
            raise ValueError(f"invalid difference {score}: it must be a finite number")
        value = round(score, DIGITS)
        self._low, self._high = min(self._low, value), max(self._high, value)
        self._put(value, 1.0)
        self.blocks += 1
        if len(self._counts) > POINT_CELLS:
            self._widen()

    @override
    def cells(self) -> Mapping[float, float]:
        reach = max(self._high, -self._low) or 1.0
        return {-reach: 0.0, reach: 0.0, **self._counts}

    def _put(self, value: float, weight: float) -> None:
        if not self._width:
            self._counts[value] = self._counts.get(value, 0.0) + weight
            return
        # Split between the two nearest lattice points in a way that keeps the mean.
        # Lattices are nested, so the result does not depend on the order of values.
        below = floor(value / self._width)
        share = value / self._width - below
        for step, part in ((below, 1 - share), (below + 1, share)):
            if part:
                at = step * self._width
                self._counts[at] = self._counts.get(at, 0.0) + weight * part

    def _widen(self) -> None:
        self._width = self._width or FINEST
        while (self._high - self._low) / self._width > POINT_CELLS - 2:
            self._width *= 2
        before, self._counts = self._counts, {}
        for value, weight in before.items():
            self._put(value, weight)
