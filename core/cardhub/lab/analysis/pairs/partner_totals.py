"""Running totals of two bots, block by block: against each other, and as partners."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from math import fsum
from typing import NamedTuple

import numpy as np

from cardhub.lab.analysis.schema import MarginBar
from cardhub.lab.analysis.totals import has_reached, margin_of
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.seat_scores import (
    TwoTables,
    counted_places,
    pair_mean,
    pair_total,
    partners_score,
    seats_of_teams,
)
from cardhub.lab.match.task import GameResult
from cardhub.lab.match.variance.adjusted_scores import AdjustedScores, block_terms
from cardhub.lab.stats.types import Floats, Ints

Pair = tuple[str, str]
# The opponent of partners in a common cause, who have none.
NO_OPPONENT = ""


class DealValues(NamedTuple):
    """One value for each deal; the numbers of the deals ascend."""

    deals: Ints
    values: Floats

    def on(self, deals: Ints) -> Floats:
        """Return the values on a subset of the deals."""
        return self.values[np.searchsorted(self.deals, deals)]


def mean_of(parts: Sequence[DealValues]) -> DealValues:
    """Return the means on the deals that all parts have; empty without parts."""
    if not parts:
        return DealValues(np.zeros(0, np.int64), np.zeros(0))
    deals = reduce(np.intersect1d, (part.deals for part in parts))
    return DealValues(deals, np.asarray(sum(part.on(deals) for part in parts) / len(parts)))


class _Meetings:
    """Results of two partners against one opponent, one block a deal in ascending order."""

    def __init__(self) -> None:
        self._deals = array("q")
        self._scores, self._reached = array("d"), array("d")
        self.games = 0

    def add(self, deal: int, scores: Sequence[float], reached: float) -> None:
        self._deals.append(deal)
        self._scores.append(fsum(scores) / len(scores))
        self._reached.append(reached)
        self.games += len(scores)

    def scores(self) -> DealValues:
        return self._by_deal(self._scores)

    def reached(self) -> DealValues:
        return self._by_deal(self._reached)

    def _by_deal(self, values: "array[float]") -> DealValues:
        return DealValues(np.asarray(self._deals, np.int64), np.asarray(values, np.float64))


class PartnerTotals:
    """Counts the blocks of partners; two equal partners are a whole team, or a table of one bot.

    In a game of two teams the opponents are the whole teams of all bots.
    """

    def __init__(self, contest: Contest, pairs: Collection[Pair], bots: Sequence[str]) -> None:
        self._contest = contest
        self._bots = tuple(bots)
        self._pairs = frozenset(pairs)
        self._by_partners: dict[tuple[Pair, str], _Meetings] = {}

    def add(self, results: Sequence[GameResult]) -> None:
        """Count the games of a complete block that its bots played themselves."""
        bots = results[0].bots
        if self._contest.is_mixed(bots):
            first, second, *opponents = bots
            self._add((first, second), (*opponents, NO_OPPONENT)[0], results)
        elif self._contest.is_common:
            self._add((bots[0], bots[0]), NO_OPPONENT, results)
        else:
            for bot, opponent in (bots, bots[::-1]):
                self._add((bot, bot), opponent, results)

    def partners(self) -> Iterator[Pair]:
        """Yield all pairs of bots that are partners in this match, in the order of the file."""
        for number, bot in enumerate(self._bots):
            yield bot, bot
            yield from (
                (bot, other) for other in self._bots[number:] if (bot, other) in self._pairs
            )

    def games(self, partners: Pair) -> int:
        """Return the number of games of two partners."""
        return sum(
            meetings.games for (pair, _), meetings in self._by_partners.items() if pair == partners
        )

    def scores(self, partners: Pair, withdrawn: Collection[str]) -> DealValues:
        """Return the mean scores of two partners on the deals on which they met all opponents.

        Withdrawn bots are not opponents. A whole team counts as even against itself.
        """
        field = (
            [NO_OPPONENT]
            if self._contest.is_common
            else [bot for bot in self._bots if bot not in withdrawn]
        )
        opponents = [opponent for opponent in field if partners != (opponent, opponent)]
        mean = mean_of([self._meetings(partners, opponent).scores() for opponent in opponents])
        if not opponents:
            return mean
        total = mean.values * len(opponents) + self._contest.even * (len(field) - len(opponents))
        return DealValues(mean.deals, total / len(field))

    def reached(self, partners: Pair) -> DealValues:
        """Return the shares of tables that reached the target of a common cause."""
        return self._meetings(partners, NO_OPPONENT).reached()

    def with_others(self, bot: str, withdrawn: Collection[str]) -> DealValues:
        """Return the mean scores of a bot with all partners except itself and withdrawn bots."""
        pairs = [pair for pair in self.partners() if bot in pair and pair != (bot, bot)]
        played = [pair for pair in pairs if not {*pair} - {bot} & {*withdrawn}]
        return mean_of([self.scores(pair, withdrawn) for pair in played])

    def _add(self, partners: Pair, opponent: str, results: Sequence[GameResult]) -> None:
        scores = [partners_score(result, self._contest, partners) for result in results]
        reached = sum(has_reached(result, self._contest) for result in results) / len(results)
        meetings = self._by_partners.setdefault((partners, opponent), _Meetings())
        meetings.add(results[0].deal, scores, reached)

    def _meetings(self, partners: Pair, opponent: str) -> _Meetings:
        return self._by_partners.get((partners, opponent), _Meetings())


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


class PairTotals:
    """Counts the games of two bots; a block is kept as sums in typed arrays."""

    # Arrays with 8 bytes per number, because a match may have millions of blocks. Scores are
    # whole numbers (half points, or points), so sums are exact in any order.

    def __init__(
        self, contest: Contest, *, counts_places: bool = False, has_terms: bool = False
    ) -> None:
        self._contest = contest
        self.less_luck = AdjustedScores() if has_terms else None
        self._adjusted = array("d")
        self.counts_places = counts_places
        self._by_places = replace(contest, score="rank")
        self._placed = array("q")
        self._deals = array("q")
        self._total, self._met = array("q"), array("q")
        self._margin, self._measured = array("d"), array("q")
        self.games = self.wins = self.draws = self.losses = 0
        self.singles: Counter[float] = Counter()
        self.margins = MarginHistogram()

    def add(self, pair: tuple[str, str], results: Sequence[GameResult]) -> float:
        """Count the games of a complete block and return the first bot's score in it.

        In a match with terms against luck it is the score with these terms.
        """
        block_total = block_met = block_placed = 0
        margins: list[int] = []
        for result in results:
            if self.counts_places:
                block_placed += pair_total(result, self._by_places, pair)[0]
            total, met = pair_total(result, self._contest, pair)
            block_total += total
            block_met += met
            if met:
                self.games += 1
                self.singles[pair_mean(total, met, self._contest)] += 1
                self._add_places(pair, result, margins)
        self._deals.append(results[0].deal)
        self._total.append(block_total)
        self._placed.append(block_placed)
        self._met.append(block_met)
        self._margin.append(float(sum(margins)))
        self._measured.append(len(margins))
        score = pair_mean(block_total, block_met, self._contest)
        if self.less_luck is not None:
            terms = block_terms(results, self._contest, pair)
            score = self.less_luck.add(results[0].deal, score, terms)
            self._adjusted.append(score * block_met)
        return score

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

    def deals(self) -> tuple[Ints, Floats, Floats]:
        """Return the deals on which the bots met, and the scores of the first bot on them.

        Several blocks on the same deal are one. The last array has the mean margins, in points, on
        the deals that have any.
        """
        numbers = np.unique(np.asarray(self._deals, dtype=np.int64))
        # Games that ended by a fault have places but no margin, so a deal may have no margin.
        measured = self._by_deal(self._measured)
        used = measured > 0
        margins: Floats = self._by_deal(self._margin)[used] / measured[used]
        scores = self._by_deal(self._total) / self._by_deal(self._met)
        return numbers, scores if self._contest.in_points else scores / 2, margins

    def adjusted_scores(self) -> Floats | None:
        """Return the scores with terms against luck on the deals of `deals`; None without terms."""
        if self.less_luck is None:
            return None
        return self._by_deal(self._adjusted) / self._by_deal(self._met)

    def scores_by_places(self) -> Floats:
        """Return the scores of the first bot by places, on the deals of `deals`."""
        return self._by_deal(self._placed) / self._by_deal(self._met) / 2

    def _by_deal(self, values: "array[int] | array[float]") -> Floats:
        """Return the sums of values over the blocks of each deal."""
        numbers, rows = np.unique(np.asarray(self._deals, dtype=np.int64), return_inverse=True)
        sums = np.bincount(rows, np.asarray(values, dtype=np.float64), len(numbers))
        return np.asarray(sums, dtype=np.float64)

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
