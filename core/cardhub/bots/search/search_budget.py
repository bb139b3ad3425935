"""The budget of a search, a number of iterations or a time limit, and its use."""

from collections.abc import Iterator
from itertools import count
from time import monotonic

# Number of iterations between checks of the clock.
CLOCK_INTERVAL = 8
# One of several processes ends earlier by the time divided by this number.
EARLY = 32


class BudgetUse:
    """The use of a budget by one search, which another thread can stop.

    Its time starts when it is created.
    """

    def __init__(self, iterations: int, milliseconds: int) -> None:
        self._iterations = iterations
        self._is_timed = milliseconds > 0
        self._end = monotonic() + milliseconds / 1000
        self.is_stopped = False

    def stop(self) -> None:
        """Stop the search."""
        self.is_stopped = True

    def spend(self) -> Iterator[int]:
        """Yield the numbers of the iterations, at least one number."""
        for number in count() if self._is_timed else range(self._iterations):
            yield number
            if self.is_stopped:
                return
            if self._is_timed and number % CLOCK_INTERVAL == 0 and monotonic() >= self._end:
                return

    def spend_blocks(self, most: int) -> Iterator[int]:
        """Yield how many iterations to make next, at most `most`."""
        left = self._iterations
        size = min(most, CLOCK_INTERVAL) if self._is_timed else most
        while self._is_timed or left > 0:
            yield size if self._is_timed else min(size, left)
            left -= size
            if self.is_stopped or (self._is_timed and monotonic() >= self._end):
                return


class SearchBudget:
    """A number of iterations, or a time limit if `milliseconds` is not 0."""

    def __init__(self, iterations: int, milliseconds: int = 0) -> None:
        self.iterations = iterations
        self.milliseconds = milliseconds

    def begin(self) -> BudgetUse:
        """Return a new use of the budget."""
        return BudgetUse(self.iterations, self.milliseconds)

    def share(self, part: int, parts: int) -> "SearchBudget":
        """Return one of several parts: iterations are divided, the time is equal for all.

        Of several parts, the first one ends a little earlier to add the other ones' results, which
        end even earlier.
        """
        mine = self.iterations // parts + (part < self.iterations % parts)
        early = self.milliseconds // EARLY if parts > 1 else 0
        return SearchBudget(mine, self.milliseconds - (2 * early if part else early))
