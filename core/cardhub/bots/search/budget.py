"""How long a search may go on."""

from collections.abc import Iterator
from itertools import count
from time import monotonic

GLANCE = 8
"""After how many iterations a search looks at the clock again."""


class Budget:
    """A number of iterations, or as many as fit in some milliseconds if those are given."""

    def __init__(self, iterations: int, milliseconds: int = 0) -> None:
        self._iterations = iterations
        self._seconds = milliseconds / 1000
        self._is_stopped = False

    def stop(self) -> None:
        """Let the search under way come to an end; called from another thread."""
        self._is_stopped = True

    def spend(self) -> Iterator[int]:
        """Yield the numbers of the iterations; at least one, for a search has to answer."""
        self._is_stopped = False
        end = monotonic() + self._seconds
        for number in count() if self._seconds else range(self._iterations):
            yield number
            if self._is_stopped:
                return
            if self._seconds and number % GLANCE == 0 and monotonic() >= end:
                return
