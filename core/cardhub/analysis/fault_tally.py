"""Which bots were at fault, in which way, and where to see it."""

from collections import Counter
from typing import Any

from cardhub.match.task import GameResult

MOST_NAMED = 5


class FaultTally:
    """Counts faults by bot and class, and keeps the first games of each."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._first: dict[tuple[str, str], list[str]] = {}

    def take(self, result: GameResult) -> None:
        """Count the faults of a game."""
        for note in result.faults:
            key = note.bot, note.fault
            self._counts[key] += 1
            named = self._first.setdefault(key, [])
            if len(named) < MOST_NAMED and result.id not in named:
                named.append(result.id)

    def rows(self, contest: str) -> list[dict[str, Any]]:
        """Return the counts as rows, by bot and class."""
        return [
            {
                "game": contest,
                "bot": bot,
                "fault": fault,
                "count": self._counts[bot, fault],
                "game_ids": self._first[bot, fault],
            }
            for bot, fault in sorted(self._counts)
        ]
