"""Racing: the next block goes to the pair of bots whose order is least settled.

Choosing by results is allowed here because each pair is judged by bets that are valid at any time
(see `sequence`); Holm's correction makes all verdicts hold at once.
"""

from collections.abc import Collection, Iterable
from enum import Enum
from itertools import combinations
from typing import NamedTuple

from cardhub.stats.sequential.confidence_sequence import ConfidenceSequence
from cardhub.stats.significance import holm_rejects
from cardhub.stats.types import Estimate, Pair, check_level

POINTS = 401


class Order(Enum):
    """What is known about a pair of bots."""

    FIRST = "the first is better"
    SECOND = "the second is better"
    EQUAL = "too close to matter"
    OPEN = "open"


class Standing(NamedTuple):
    """A pair's order so far, the score of its first bot, and how many blocks that rests upon."""

    order: Order
    score: Estimate
    blocks: int


class Race:
    """All pairs of some bots, each with a confidence sequence of the first bot's score.

    The sequences hold all at once (Bonferroni), so one that leaves 1/2 has settled its pair.

    A pair is settled when Holm's correction over all pairs rejects that it is even, and stays so;
    or when its sequence lies within `margin` of 1/2: then more blocks would show nothing that
    matters. With a margin of 0 even pairs are never settled.
    """

    def __init__(
        self, bots: Iterable[int], level: float = 0.95, margin: float = 0.02, points: int = POINTS
    ) -> None:
        check_level(level)
        if not 0 <= margin < 0.5:
            raise ValueError(f"the margin is a small part of 1/2, not {margin}")
        self._level, self._margin = level, margin
        pairs = list(combinations(sorted(set(bots)), 2))
        each = 1 - (1 - level) / max(1, len(pairs))
        self._pairs: dict[Pair, ConfidenceSequence] = {
            pair: ConfidenceSequence(each, points) for pair in pairs
        }
        self._settled: dict[Pair, Order] = {}

    def add(self, pair: Pair, score: float) -> None:
        """Take the block score of the first bot of a pair against the second, in either order."""
        one, other = pair
        key = (min(pair), max(pair))
        if key not in self._pairs:
            raise ValueError(f"bots {one} and {other} are not a pair of this race")
        self._pairs[key].add(score if one < other else 1 - score)
        self._settle(key)

    def next_pair(self, without: Collection[int] = ()) -> Pair | None:
        """Return the pair to play next, none of these bots in it; None if all are settled.

        That is the open pair whose interval is widest. Asking instead how far it reaches across 1/2
        would spend nearly all blocks on the evenest pair and leave others just short of a verdict.
        """
        playing = (pair for pair in self._pairs if not set(pair) & set(without))
        open_pairs = [pair for pair in playing if pair not in self._settled]
        return min(open_pairs, key=self._known, default=None)

    def standings(self) -> dict[Pair, Standing]:
        """Return what is known about every pair."""
        return {
            pair: Standing(self._settled.get(pair, Order.OPEN), found.interval(), found.blocks)
            for pair, found in self._pairs.items()
        }

    def _known(self, pair: Pair) -> tuple[float, int, Pair]:
        """Return how much is known about a pair, to sort by."""
        score = self._pairs[pair].interval()
        return score.low - score.high, self._pairs[pair].blocks, pair

    def _settle(self, played: Pair) -> None:
        """Settle what the last block has settled, in its own pair or, by Holm, in others."""
        rejected = holm_rejects([found.p_value() for found in self._pairs.values()], self._level)
        for (pair, found), is_uneven in zip(self._pairs.items(), rejected, strict=True):
            if is_uneven and self._settled.get(pair, Order.EQUAL) is Order.EQUAL:
                self._settled[pair] = _side(found.interval())
        score = self._pairs[played].interval()
        if score.low >= 0.5 - self._margin and score.high <= 0.5 + self._margin:
            self._settled.setdefault(played, Order.EQUAL)


def _side(score: Estimate) -> Order:
    """Return which bot of an uneven pair is better."""
    return Order.FIRST if score.value > 0.5 else Order.SECOND
