"""Games that a bot lost to one that is clearly weaker."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappush, heappushpop
from math import inf
from typing import NamedTuple

from cardhub.lab.analysis.game_schema import BotRow, UpsetGame
from cardhub.lab.analysis.pair_schema import CrosstableCell
from cardhub.lab.analysis.totals import margin_of
from cardhub.lab.match.seat_scores import seats_of_teams
from cardhub.lab.match.task import GameResult

# The numbers of upsets of a game in the result, and of games kept for each winner and loser.
MOST_UPSETS = 5
MOST_OF_PAIR = 3


class _Win(NamedTuple):
    margin: int
    order: int
    game_id: str
    seat: int


class UpsetTotals:
    """Keeps, for each winner and loser, the games with the largest margins."""

    def __init__(self) -> None:
        self._games = 0
        self._wins: dict[tuple[str, str], list[_Win]] = {}

    def add(self, results: Iterable[GameResult]) -> None:
        """Count the games of a complete block, in which bots are opponents."""
        for result in results:
            self._games += 1
            seats = seats_of_teams(result)
            for winner in seats:
                for loser in seats:
                    self._keep(result, winner, loser)

    def rows(
        self, bots: Sequence[BotRow], cells: Iterable[CrosstableCell]
    ) -> tuple[UpsetGame, ...]:
        """Return the games that bots lost to bots that are worse by the verdict of their pair.

        Those with the greatest difference of the ratings come first.
        """
        ratings = {row.bot: _rating(row) for row in bots}
        found = [
            (_difference(ratings, better=cell.bot, worse=cell.against), win, cell)
            for cell in cells
            if cell.verdict == "better"
            for win in self._wins.get((cell.against, cell.bot), ())
        ]
        found.sort(key=lambda one: (-_size(one[0]), -one[1].margin, -one[1].order))
        return tuple(
            UpsetGame(win.game_id, cell.against, cell.bot, win.seat, difference, win.margin)
            for difference, win, cell in found[:MOST_UPSETS]
        )

    def _keep(self, result: GameResult, winner: int, loser: int) -> None:
        bots = result.seats[winner], result.seats[loser]
        if result.places[winner] >= result.places[loser] or bots[0] == bots[1]:
            return
        margin = margin_of(result, winner, loser)
        if margin is None:
            return
        # Of equal margins the first: the negative number of the game sorts it last.
        win = _Win(margin, -self._games, result.id, winner)
        kept = self._wins.setdefault(bots, [])
        if len(kept) < MOST_OF_PAIR:
            heappush(kept, win)
        elif win > kept[0]:
            heappushpop(kept, win)


def _rating(row: BotRow) -> float | None:
    found = row.points_above_mean or row.elo
    return found.value if found else None


def _difference(ratings: Mapping[str, float | None], better: str, worse: str) -> float | None:
    above, below = ratings.get(better), ratings.get(worse)
    return None if above is None or below is None else above - below


def _size(difference: float | None) -> float:
    # A rating without a finite value is that of a bot that won or lost every game.
    return inf if difference is None else difference
