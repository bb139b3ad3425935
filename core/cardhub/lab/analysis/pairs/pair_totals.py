"""Running totals of two bots against each other, block by block."""

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cardhub.lab.analysis.schema import MarginBar
from cardhub.lab.analysis.totals import margin_of
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.seat_scores import (
    TwoTables,
    counted_places,
    pair_mean,
    pair_total,
    seats_of_teams,
)
from cardhub.lab.match.task import GameResult
from cardhub.lab.stats.types import Floats, Ints

# The most bars of a histogram on either side of 0.
MOST_BARS = 20


class MarginHistogram:
    """Counts integers in bars of equal width, with a separate bar for 0."""

    # The width is the smallest power of two that keeps the bars few enough, so the order of the
    # numbers does not matter and memory does not grow with the match.

    def __init__(self) -> None:
        self._width = 1
        self._bars: Counter[int] = Counter()

    def add(self, number: int) -> None:
        """Count an integer."""
        # Powers of two nest: joining neighbours gives the bars of the double width exactly.
        while abs(number) > MOST_BARS * self._width:
            self._widen()
        self._bars[_bar(number, self._width)] += 1

    def rows(self) -> tuple[MarginBar, ...]:
        """Return the bars that are not empty, ascending."""
        return tuple(self._row(bar) for bar in sorted(self._bars))

    def _row(self, bar: int) -> MarginBar:
        width, games = self._width, self._bars[bar]
        if bar == 0:
            return MarginBar(0, 0, games)
        near, far = (abs(bar) - 1) * width + 1, abs(bar) * width
        return MarginBar(near, far, games) if bar > 0 else MarginBar(-far, -near, games)

    def _widen(self) -> None:
        joined: Counter[int] = Counter()
        # Neighbours of the same sign join; the bar of 0 stays alone.
        for bar, games in self._bars.items():
            joined[_bar(bar, 2)] += games
        self._width, self._bars = 2 * self._width, joined


def _bar(number: int, width: int) -> int:
    bar = -(-abs(number) // width)
    return bar if number > 0 else -bar


class PairDeals(NamedTuple):
    """The deals on which two bots met, with the score of the first bot on each.

    `margins` are the mean margins, in points, on the deals that have any.
    """

    numbers: Ints
    scores: Floats
    margins: Floats


class PairTotals:
    """Counts the games of two bots; a block is kept as sums in typed arrays."""

    # Arrays with 8 bytes per number, because a match may have millions of blocks. Scores are
    # whole numbers (half points, or points), so sums are exact in any order.

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._deals = array("q")
        self._total, self._met = array("q"), array("q")
        self._margin, self._measured = array("d"), array("q")
        self.games = self.wins = self.draws = self.losses = 0
        self.singles: Counter[float] = Counter()
        self.margins = MarginHistogram()

    def add(self, pair: tuple[str, str], results: Sequence[GameResult]) -> float:
        """Count the games of a complete block and return the first bot's score in it."""
        block_total = block_met = 0
        margins: list[int] = []
        for result in results:
            total, met = pair_total(result, self._contest, pair)
            block_total += total
            block_met += met
            if met:
                self.games += 1
                self.singles[pair_mean(total, met, self._contest)] += 1
                self._add_places(pair, result, margins)
        self._deals.append(results[0].deal)
        self._total.append(block_total)
        self._met.append(block_met)
        self._margin.append(float(sum(margins)))
        self._measured.append(len(margins))
        return pair_mean(block_total, block_met, self._contest)

    def add_tables(self, tables: TwoTables) -> float:
        """Count the games of two tables on one deal and return the first bot's score."""
        differences = tables.differences()
        measured = [
            ahead
            for ahead, *games in zip(differences, tables.mine, tables.theirs, strict=True)
            if all(game.end == "over" and not game.faults for game in games)
        ]
        for ahead in differences:
            self.singles[float(ahead)] += 1
            self.wins += ahead > 0
            self.draws += ahead == 0
            self.losses += ahead < 0
        for ahead in measured:
            self.margins.add(ahead)
        self.games += 2 * len(differences)
        self._deals.append(tables.mine[0].deal)
        self._total.append(sum(differences))
        self._met.append(len(differences))
        self._margin.append(float(sum(measured)))
        self._measured.append(len(measured))
        return tables.score()

    def deals(self) -> PairDeals:
        """Return scores and margins by deal; several blocks on the same deal are one."""
        numbers, rows = np.unique(np.asarray(self._deals, dtype=np.int64), return_inverse=True)

        def total(values: "array[int] | array[float]") -> Floats:
            sums = np.bincount(rows, np.asarray(values, dtype=np.float64), len(numbers))
            return np.asarray(sums, dtype=np.float64)

        # Games that ended by a fault have places but no margin, so a deal may have no margin.
        measured = total(self._measured)
        used = measured > 0
        margins: Floats = total(self._margin)[used] / measured[used]
        scores = total(self._total) / total(self._met)
        return PairDeals(numbers, scores if self._contest.in_points else scores / 2, margins)

    def _add_places(self, pair: tuple[str, str], result: GameResult, margins: list[int]) -> None:
        places = counted_places(result.places, self._contest.score)
        counted = seats_of_teams(result)
        mine, theirs = ([s for s in counted if result.seats[s] == one] for one in pair)
        for seat in mine:
            for rival in theirs:
                self.wins += places[seat] < places[rival]
                self.draws += places[seat] == places[rival]
                self.losses += places[seat] > places[rival]
                margin = margin_of(result, seat, rival)
                if margin is not None:
                    margins.append(margin)
                    self.margins.add(margin)
