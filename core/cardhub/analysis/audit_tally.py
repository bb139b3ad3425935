"""Whether blocks are what they should be: one deal, fair seats, points that add up."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from cardhub.analysis.placed import is_even
from cardhub.match.task import GameResult

MOST_NAMED = 5


class AuditTally:
    """Counts the blocks in which something is wrong that never may be."""

    def __init__(self) -> None:
        self._wrong = dict.fromkeys(("other_cards", "uneven_seats", "uneven_points"), 0)
        self._blocks = 0
        self._first: list[str] = []

    def take(self, results: Sequence[GameResult]) -> None:
        """Look at the games of a whole block."""
        self._blocks += 1
        found = {
            "other_cards": any(result.cards != results[0].cards for result in results),
            "uneven_seats": not _are_fair(tuple(result.seats for result in results)),
            "uneven_points": not all(is_even(result.places) for result in results),
        }
        for key, is_wrong in found.items():
            self._wrong[key] += is_wrong
        if any(found.values()) and len(self._first) < MOST_NAMED:
            self._first.append(results[0].id)

    def row(self) -> dict[str, Any]:
        """Return what was found."""
        return {"blocks": self._blocks, **self._wrong, "game_ids": self._first}


@lru_cache(maxsize=4096)
def _are_fair(seatings: tuple[tuple[str, ...], ...]) -> bool:
    """Return whether every bot sits in every seat equally often."""
    seats = Counter((bot, seat) for seated in seatings for seat, bot in enumerate(seated))
    bots = {bot for bot, _ in seats}
    return all(len({seats[bot, seat] for seat in range(len(seatings[0]))}) == 1 for bot in bots)
