"""What one bot has done in a contest."""

from array import array
from collections.abc import Sequence
from heapq import heappush, heappushpop
from typing import Any, NamedTuple

import numpy as np

from cardhub.analysis.placed import margin_of, seat_points
from cardhub.match.spec import Score
from cardhub.match.task import GameResult

MOST_WORST = 5


class Loss(NamedTuple):
    """A game that was lost; sorted by margin, and of equal ones the earliest comes last."""

    behind: int
    order: int
    game_id: str
    seat: int
    place: int
    points: int


class BotTally:
    """Counts the blocks, games and points of a bot, and keeps the games it lost by most."""

    def __init__(self) -> None:
        self.games = self._seats = 0
        self._points = 0.0
        self._deals = array("q")
        self._worst: list[Loss] = []

    @property
    def points(self) -> float | None:
        """The mean of its points, a bot in several seats counting as often."""
        return self._points / self._seats if self._seats else None

    @property
    def deals(self) -> list[int] | None:
        """The first and the last number of a deal it played."""
        return [min(self._deals), max(self._deals)] if self._deals else None

    @property
    def blocks(self) -> int:
        """On how many deals it played."""
        return len(np.unique(np.asarray(self._deals, dtype=np.int64)))

    def take(self, bot: str, results: Sequence[GameResult], score: Score) -> None:
        """Count the games of a whole block that the bot plays in."""
        self._deals.append(results[0].deal)
        for result in results:
            seats = [seat for seat, name in enumerate(result.seats) if name == bot]
            self.games += bool(seats)
            points = seat_points(result.places, score)
            for seat in seats:
                self._seats += 1
                self._points += points[seat]
                self._compare(result, seat)

    def worst_games(self) -> list[dict[str, Any]]:
        """Return the games it lost by most, as rows."""
        return [
            {
                "game_id": loss.game_id,
                "seat": loss.seat,
                "place": loss.place,
                "points": loss.points,
                "margin": loss.behind,
            }
            for loss in sorted(self._worst, reverse=True)
        ]

    def _compare(self, result: GameResult, seat: int) -> None:
        """Keep a game if it is among the worst."""
        bot, places = result.seats[seat], result.places
        others = [n for n, name in enumerate(result.seats) if name != bot]
        best = min(others, key=lambda n: places[n], default=None)
        if best is None or places[best] >= places[seat]:
            return
        margin = margin_of(result, seat, best)
        if margin is None:
            return
        loss = Loss(-margin, -self.games, result.id, seat, places[seat], result.scores[seat])
        if len(self._worst) < MOST_WORST:
            heappush(self._worst, loss)
        elif loss > self._worst[0]:
            heappushpop(self._worst, loss)
