"""Limits of a search: iterations or time."""

from collections.abc import Iterator
from itertools import count
from time import monotonic

GLANCE = 8
"""Iterations between checks of the clock."""


class SearchBudget:
    """A number of iterations, or a time limit in milliseconds if that is not 0."""

    def __init__(self, iterations: int, milliseconds: int = 0) -> None:
        self._iterations = iterations
        self._seconds = milliseconds / 1000
        self._is_stopped = False

    def stop(self) -> None:
        """Stop the running search; called from another thread."""
        self._is_stopped = True

    def spend(self) -> Iterator[int]:
        """Yield the numbers of the iterations, at least one."""
        self._is_stopped = False
        end = monotonic() + self._seconds
        for number in count() if self._seconds else range(self._iterations):
            yield number
            if self._is_stopped:
                return
            if self._seconds and number % GLANCE == 0 and monotonic() >= end:
                return
