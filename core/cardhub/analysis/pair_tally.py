"""Two bots against each other: what each block has come to."""

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cardhub.analysis.histogram import Histogram
from cardhub.analysis.placed import margin_of
from cardhub.match.scoring import counted_places
from cardhub.match.spec import Score
from cardhub.match.task import GameResult
from cardhub.stats.types import Floats, Ints


class Deals(NamedTuple):
    """The deals on which two bots met, with the score of the first one on each.

    `margins` are the mean margins, in points, on those deals where there are any.
    """

    numbers: Ints
    scores: Floats
    margins: Floats


class PairTally:
    """Counts the games of two bots; block by block only sums are kept."""

    def __init__(self) -> None:
        self._deals = array("q")
        self._halves, self._met = array("q"), array("q")
        self._margin, self._measured = array("d"), array("q")
        self.games = self.wins = self.draws = self.losses = 0
        self.singles: Counter[float] = Counter()
        self.margins = Histogram()

    def take(self, pair: tuple[str, str], results: Sequence[GameResult], score: Score) -> float:
        """Count the games of a whole block in which both play, and return the first one's score."""
        before = self.wins, self.draws, self.losses
        margins: list[int] = []
        for result in results:
            self._play(pair, result, score, margins)
        wins, draws, losses = (
            now - then
            for now, then in zip((self.wins, self.draws, self.losses), before, strict=True)
        )
        self._deals.append(results[0].deal)
        self._halves.append(2 * wins + draws)
        self._met.append(wins + draws + losses)
        self._margin.append(float(sum(margins)))
        self._measured.append(len(margins))
        return (2 * wins + draws) / (2 * (wins + draws + losses))

    def deals(self) -> Deals:
        """Return what came of each deal; several blocks on the same deal are one."""
        numbers, rows = np.unique(np.asarray(self._deals, dtype=np.int64), return_inverse=True)

        def total(values: "array[int] | array[float]") -> Floats:
            sums = np.bincount(rows, np.asarray(values, dtype=np.float64), len(numbers))
            return np.asarray(sums, dtype=np.float64)

        measured = total(self._measured)
        used = measured > 0
        margins: Floats = total(self._margin)[used] / measured[used]
        return Deals(numbers, total(self._halves) / (2 * total(self._met)), margins)

    def _play(
        self, pair: tuple[str, str], result: GameResult, score: Score, margins: list[int]
    ) -> None:
        """Count one game: every seat of the one bot against every seat of the other."""
        places = counted_places(result.places, score)
        mine, theirs = ([s for s, bot in enumerate(result.seats) if bot == one] for one in pair)
        halves = 0
        for seat in mine:
            for rival in theirs:
                halves += self._compare(places[seat], places[rival])
                margin = margin_of(result, seat, rival)
                if margin is not None:
                    margins.append(margin)
                    self.margins.add(margin)
        if mine and theirs:
            self.games += 1
            self.singles[halves / (2 * len(mine) * len(theirs))] += 1

    def _compare(self, place: int, rival: int) -> int:
        """Count a win, a draw or a loss, and return twice its score."""
        if place < rival:
            self.wins += 1
            return 2
        if place == rival:
            self.draws += 1
            return 1
        self.losses += 1
        return 0
