"""Running totals of a contest: by bot and by seat, faults, upsets, and the audit of blocks."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heappush, heappushpop
from math import fsum, inf
from typing import NamedTuple

import numpy as np

from cardhub.lab.analysis.block_schema import AuditRow, Deals
from cardhub.lab.analysis.schema import BotRow, CrosstableCell, FaultRow, UpsetGame, WorstGame
from cardhub.lab.estimate import UNKNOWN
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.seat_scores import float_scores, points_of, seat_scores, seats_of_teams
from cardhub.lab.match.task import GameResult
from cardhub.lab.stats.types import Floats

# The numbers of games named in the result for each fault or audit, and for each bot.
MOST_NAMED = 5
MOST_WORST = 5


class BotTotals:
    """Counts the blocks, games and scores of a bot; keeps a bounded heap of its worst losses."""

    def __init__(self) -> None:
        self.games = self._seats = 0
        self._score = 0.0
        self._deals = array("q")
        self._sums, self._counts = array("d"), array("q")
        self._reached, self._tables = array("q"), array("q")
        # Sorted by margin; the earliest of equal margins comes last.
        self._worst: list[tuple[int, int, int, WorstGame]] = []

    @property
    def mean_score(self) -> float | None:
        """The mean score of the bot, with one score for each of its seats in a game."""
        return self._score / self._seats if self._seats else None

    @property
    def deals(self) -> Deals | None:
        """The lowest and the highest number of the deals that the bot played."""
        return (min(self._deals), max(self._deals)) if self._deals else None

    @property
    def blocks(self) -> int:
        """The number of deals that the bot played."""
        return len(np.unique(np.asarray(self._deals, dtype=np.int64)))

    def reached(self) -> Floats:
        """Return the share of the bot's tables that reached the target, by deal."""
        shares = np.asarray(self._reached, dtype=np.float64) / np.asarray(self._tables)
        return np.asarray(shares, dtype=np.float64)

    def by_deal(self) -> Floats:
        """Return the bot's mean points on each deal; empty unless points score the contest."""
        if not self._counts:
            return np.zeros(0)
        _, rows = np.unique(np.asarray(self._deals, dtype=np.int64), return_inverse=True)
        sums, seats = (
            np.bincount(rows, np.asarray(values, dtype=np.float64))
            for values in (self._sums, self._counts)
        )
        return np.asarray(sums / seats, dtype=np.float64)

    def add(self, bot: str, results: Sequence[GameResult], contest: Contest) -> None:
        """Count the games of a complete block in which the bot plays."""
        before = self._score, self._seats
        self._deals.append(results[0].deal)
        for result in results:
            seats = [seat for seat, name in enumerate(result.seats) if name == bot]
            self.games += bool(seats)
            scores, counted = float_scores(result, contest), seats_of_teams(result)
            for seat in seats:
                self._seats += 1
                self._score += scores[seat]
                if seat in counted:
                    self._keep_if_worst(result, seat)
        # Sums by block are needed only for the interval of the mean.
        if contest.in_points:
            self._sums.append(self._score - before[0])
            self._counts.append(self._seats - before[1])
        if contest.target is not None:
            self._reached.append(sum(has_reached(result, contest) for result in results))
            self._tables.append(len(results))

    def worst_games(self) -> tuple[WorstGame, ...]:
        """Return the games that the bot lost by the largest margins."""
        return tuple(lost for *_, lost in sorted(self._worst, reverse=True))

    def _keep_if_worst(self, result: GameResult, seat: int) -> None:
        bot, places = result.seats[seat], result.places
        others = [n for n, name in enumerate(result.seats) if name != bot]
        best = min(others, key=lambda n: places[n], default=None)
        if best is None or places[best] >= places[seat]:
            return
        margin = margin_of(result, seat, best)
        if margin is None:
            return
        # The heap bounds memory; among equal margins it keeps the first.
        lost = WorstGame(result.id, seat, places[seat], result.scores[seat], -margin)
        loss = -margin, -self.games, seat, lost
        if len(self._worst) < MOST_WORST:
            heappush(self._worst, loss)
        elif loss > self._worst[0]:
            heappushpop(self._worst, loss)


class SeatTotals:
    """Mean scores of every seat, block by block."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._deals = array("q")
        self._scores = array("d")

    def add(self, deal: int, scores: Sequence[Sequence[float]]) -> None:
        """Add the scores by seat of all games of a complete block."""
        self._deals.append(deal)
        self._scores.extend(fsum(column) / len(scores) for column in zip(*scores, strict=True))

    def by_deal(self) -> Floats:
        """Return the mean scores as an array, deals x seats; blocks on one deal share a row."""
        # Groups of bots play the same deals and share their luck: a deal is a single observation.
        deals, rows = np.unique(np.asarray(self._deals, dtype=np.int64), return_inverse=True)
        scores = np.asarray(self._scores, dtype=np.float64).reshape(-1, self._players)
        blocks = np.bincount(rows, minlength=len(deals))
        sums = [np.bincount(rows, column, len(deals)) for column in scores.T]
        return np.asarray(np.stack(sums, axis=1) / blocks[:, None], dtype=np.float64)


class FaultTotals:
    """Counts faults by bot and class; keeps the ids of the first games with each class."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._first: dict[tuple[str, str], list[str]] = {}

    def add(self, result: GameResult) -> None:
        """Count the faults of a game."""
        for note in result.faults:
            key = note.bot, note.fault
            self._counts[key] += 1
            named = self._first.setdefault(key, [])
            if len(named) < MOST_NAMED and result.id not in named:
                named.append(result.id)

    def rows(self, contest: str) -> tuple[FaultRow, ...]:
        """Return a row for each bot and class, sorted by both strings."""
        return tuple(
            FaultRow(contest, *key, self._counts[key], tuple(self._first[key]))
            for key in sorted(self._counts)
        )


class AuditTotals:
    """Counts the blocks that violate an invariant."""

    def __init__(self) -> None:
        self._blocks = self._other_cards = self._uneven_seats = self._uneven_scores = 0
        self._first: list[str] = []

    def add(self, results: Sequence[GameResult]) -> None:
        """Check the games of a complete block."""
        self._blocks += 1
        has_other_cards = any(result.cards != results[0].cards for result in results)
        has_uneven_seats = not _are_fair(tuple(result.seats for result in results))
        has_uneven_scores = not all(
            has_even_scores(result.places, result.teams) for result in results
        )
        self._other_cards += has_other_cards
        self._uneven_seats += has_uneven_seats
        self._uneven_scores += has_uneven_scores
        is_wrong = has_other_cards or has_uneven_seats or has_uneven_scores
        if is_wrong and len(self._first) < MOST_NAMED:
            self._first.append(results[0].id)

    def row(self) -> AuditRow:
        """Return the counts."""
        return AuditRow(
            blocks=self._blocks,
            other_cards=self._other_cards,
            uneven_seats=self._uneven_seats,
            uneven_scores=self._uneven_scores,
            game_ids=tuple(self._first),
        )


@lru_cache(maxsize=4096)
def _are_fair(seatings: tuple[tuple[str, ...], ...]) -> bool:
    # Cached, because all blocks of a group have the same seatings.
    seats = Counter((bot, seat) for seated in seatings for seat, bot in enumerate(seated))
    bots = {bot for bot, _ in seats}
    return all(len({seats[bot, seat] for seat in range(len(seatings[0]))}) == 1 for bot in bots)


@lru_cache(maxsize=4096)
def has_even_scores(places: tuple[int, ...], teams: tuple[int, ...] = ()) -> bool:
    """Return whether the teams' scores by rank have the required mean of 1/2."""
    scores = seat_scores(places, "rank", teams)
    by_team = dict(zip(teams or range(len(scores)), scores, strict=True))
    # Exact fractions: no tolerance is needed.
    return 2 * sum(by_team.values()) == len(by_team)


def has_reached(result: GameResult, contest: Contest) -> bool:
    """Return whether a table reached the target of its contest."""
    if contest.target is None:
        return False
    target = -contest.target if contest.lowest_wins else contest.target
    return points_of(result, contest)[0] >= target


def margin_of(result: GameResult, seat: int, rival: int) -> int | None:
    """Return how many points a seat is ahead of another, whether high or low points win.

    None if points are not comparable: after a fault at one of the seats, or if the game was broken
    off.
    """
    if result.end != "over" or {seat, rival} & {*result.absent, *result.faulty}:
        return None
    distance = abs(result.scores[seat] - result.scores[rival])
    return distance if result.places[seat] < result.places[rival] else -distance


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
        """Count the games of a complete block in which bots are opponents."""
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

        Games with the greatest difference between the ratings come first.
        """
        ratings = {row.bot: (row.points_above_mean or row.elo or UNKNOWN).value for row in bots}
        upsets = [
            (_difference(ratings, better=cell.bot, worse=cell.against), win, cell)
            for cell in cells
            if cell.verdict == "better"
            for win in self._wins.get((cell.against, cell.bot), ())
        ]
        upsets.sort(key=lambda upset: (-_size(upset[0]), -upset[1].margin, -upset[1].order))
        return tuple(
            UpsetGame(win.game_id, cell.against, cell.bot, win.seat, difference, win.margin)
            for difference, win, cell in upsets[:MOST_UPSETS]
        )

    def _keep(self, result: GameResult, winner: int, loser: int) -> None:
        bots = result.seats[winner], result.seats[loser]
        if result.places[winner] >= result.places[loser] or bots[0] == bots[1]:
            return
        margin = margin_of(result, winner, loser)
        if margin is None:
            return
        # Among equal margins, the first game sorts last because its number is negated.
        win = _Win(margin, -self._games, result.id, winner)
        wins = self._wins.setdefault(bots, [])
        if len(wins) < MOST_OF_PAIR:
            heappush(wins, win)
        elif win > wins[0]:
            heappushpop(wins, win)


def _difference(ratings: Mapping[str, float | None], better: str, worse: str) -> float | None:
    above, below = ratings.get(better), ratings.get(worse)
    return None if above is None or below is None else above - below


def _size(difference: float | None) -> float:
    # A bot that won or lost every game has no finite rating.
    return inf if difference is None else difference
