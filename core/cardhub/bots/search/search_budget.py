"""The budget of a search, and its use: a number of iterations, or time."""

from collections.abc import Iterator
from itertools import count
from time import monotonic

# Number of iterations between checks of the clock.
CLOCK_INTERVAL = 8


class BudgetUse:
    """The use of a budget by one search, which can be stopped from another thread."""

    def __init__(self, iterations: int, milliseconds: int) -> None:
        self._iterations = iterations
        self._seconds = milliseconds / 1000
        self.is_stopped = False

    def stop(self) -> None:
        """Stop the search."""
        self.is_stopped = True

    def spend(self) -> Iterator[int]:
        """Yield the numbers of the iterations, at least one."""
        end = monotonic() + self._seconds
        for number in count() if self._seconds else range(self._iterations):
            yield number
            if self.is_stopped:
                return
            if self._seconds and number % CLOCK_INTERVAL == 0 and monotonic() >= end:
                return


class SearchBudget:
    """A number of iterations, or a time limit in milliseconds if that is not 0."""

    def __init__(self, iterations: int, milliseconds: int = 0) -> None:
        self.iterations = iterations
        self.milliseconds = milliseconds

    def begin(self) -> BudgetUse:
        """Return a new use of the whole budget."""
        return BudgetUse(self.iterations, self.milliseconds)

    def share(self, part: int, parts: int) -> "SearchBudget":
        """Return one of several parts: iterations are divided, time is the same for all."""
        mine = self.iterations // parts + (part < self.iterations % parts)
        return SearchBudget(mine, self.milliseconds)
