"""Running totals of bots as partners: tables of a common cause, or teams against whole teams."""

from array import array
from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from math import fsum
from typing import NamedTuple

import numpy as np

from cardhub.lab.analysis.totals import has_reached
from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.seat_scores import partners_score
from cardhub.lab.match.task import GameResult
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
