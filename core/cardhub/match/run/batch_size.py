"""How many games are handed to a worker at a time: handing over a short one takes too long."""

from collections.abc import Sequence

from cardhub.match.task import GameTask

SECONDS = 0.1
"""What a worker gets at a time, if games are that short."""
MOST = 16
"""Games at a time, at most: they are under way together, and lost together with a worker."""
INERTIA = 8
"""Of how many games the mean is, more or less, which is expected of the next one."""

Kind = tuple[str, tuple[str, ...]]


class Pace:
    """Learns how long the games of a contest between the same bots take; nothing else hangs on it.

    A game of which nothing is known yet is handed over alone.
    """

    def __init__(self) -> None:
        self._seconds: dict[Kind, float] = {}
        self._has_short = False

    @property
    def most(self) -> int:
        """How many games can be in one handful, given those known so far."""
        return MOST if self._has_short else 1

    def take(self, task: GameTask, seconds: float) -> None:
        """Learn how long a game has taken."""
        before = self._seconds.get(_kind(task), seconds)
        mean = before + (seconds - before) / INERTIA
        self._seconds[_kind(task)] = mean
        self._has_short = self._has_short or mean < SECONDS / 2

    def handful(self, tasks: Sequence[GameTask], most: int) -> int:
        """Return how many of the first games are to be handed over; 0 if more should come first."""
        seconds = 0.0
        for number, task in enumerate(tasks[:most]):
            seconds += self._seconds.get(_kind(task), SECONDS)
            if seconds > SECONDS:
                return max(number, 1)
        return most if len(tasks) >= most else 0


def _kind(task: GameTask) -> Kind:
    return task.contest, task.bots
