"""Block scores counted by value, in memory that does not grow with the match."""

from collections.abc import Iterable

import numpy as np

from cardhub.stats.results import Floats, check_scores

DIGITS, CELLS = 9, 1000
"""Scores equal to so many digits are one value; beyond so many values, new ones are rounded."""


class Tally:
    """How many blocks had which score; the cells 0 and 1 and those of `support` always exist."""

    def __init__(self, support: Iterable[float] = ()) -> None:
        cells = np.asarray([0.0, 1.0, *support])
        check_scores(cells)
        self._counts = dict.fromkeys((round(value, DIGITS) for value in cells.tolist()), 0)
        self.blocks = 0

    def add(self, score: float) -> None:
        """Count the score of one block; raises ValueError unless it is between 0 and 1."""
        check_scores(np.asarray(score))
        value = round(score, DIGITS)
        if value not in self._counts and len(self._counts) >= CELLS:
            value = round(score, 3)
        self._counts[value] = self._counts.get(value, 0) + 1
        self.blocks += 1

    def values(self) -> Floats:
        """Return the values, ascending."""
        return np.asarray(sorted(self._counts), dtype=np.float64)

    def counts(self) -> Floats:
        """Return how often each of `values()` occurred."""
        return np.asarray([self._counts[value] for value in sorted(self._counts)], dtype=np.float64)
