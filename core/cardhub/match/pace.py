"""How many games are handed to a worker at a time: handing over a short one takes too long."""

SECONDS = 0.1
"""What a worker gets at a time, if games are that short."""
MOST = 16
"""Games at a time, at most: they are under way together, and lost together with a worker."""
INERTIA = 8
"""Of how many games the mean is, more or less, which the pace is set by."""


class Pace:
    """Sets the pace by how long games have taken so far; nothing else depends on it."""

    def __init__(self) -> None:
        self._seconds = SECONDS

    @property
    def games(self) -> int:
        """How many games are handed over at a time, at least 1."""
        return max(1, min(MOST, int(SECONDS / max(self._seconds, SECONDS / MOST))))

    def take(self, seconds: float) -> None:
        """Learn how long a game has taken."""
        self._seconds += (seconds - self._seconds) / INERTIA
