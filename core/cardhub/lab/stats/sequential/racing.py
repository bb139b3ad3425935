"""Racing: adaptive allocation of blocks to the pairs of bots with the most uncertain order.

Adaptive allocation is valid because each pair is tested by an anytime-valid confidence sequence;
Holm's correction controls the family-wise error rate over all pairs.
"""

from collections.abc import Collection, Iterable
from enum import Enum
from itertools import combinations
from math import inf

from cardhub.lab.stats.sequential.confidence_sequence import (
    FIRST,
    AsymptoticSequence,
    ConfidenceSequence,
)
from cardhub.lab.stats.significance import holm_rejects
from cardhub.lab.stats.types import Pair, check_level

# The default number of grid points of each confidence sequence.
POINTS = 401

Sequence = ConfidenceSequence | AsymptoticSequence


class PairOrder(Enum):
    """The decision about a pair of bots."""

    FIRST = "the first is better"
    SECOND = "the second is better"
    EQUAL = "too close to matter"
    OPEN = "open"


class Race:
    """All pairs of bots in a race, each with a confidence sequence for the first bot's score.

    The sequences have simultaneous coverage (Bonferroni). A pair is decided, permanently, when
    Holm's procedure over all pairs rejects a mean score of 1/2. It is decided as equal when its
    sequence stays within `margin` of 1/2, a region of practical equivalence. With a margin of 0,
    equal pairs are never decided.

    With `in_points` scores are differences in points, and the margin around 0 is in units of two
    standard deviations of a block: a score that is 0 or 1 has a standard deviation of 1/2.
    """

    def __init__(
        self,
        bots: Iterable[int],
        level: float = 0.95,
        margin: float = 0.02,
        points: int = POINTS,
        *,
        in_points: bool = False,
    ) -> None:
        check_level(level)
        if not 0 <= margin < 0.5:
            raise ValueError(f"invalid margin {margin}: it must be at least 0 and less than 1/2")
        self._level, self._margin, self._in_points = level, margin, in_points
        pairs = list(combinations(sorted(set(bots)), 2))
        pair_level = 1 - (1 - level) / max(1, len(pairs))
        self._pairs: dict[Pair, Sequence] = {
            pair: AsymptoticSequence(pair_level)
            if in_points
            else ConfidenceSequence(pair_level, points)
            for pair in pairs
        }
        self._decided: dict[Pair, PairOrder] = {}

    def add(self, pair: Pair, score: float) -> None:
        """Add a block score of the first bot of a pair against the second, in either order."""
        one, other = pair
        key = (min(pair), max(pair))
        if key not in self._pairs:
            raise ValueError(f"unknown pair: bots {one} and {other} are not in this race")
        self._pairs[key].add(score if one < other else 2 * self._even - score)
        self._decide(key)

    def next_pair(self, without: Collection[int] = ()) -> Pair | None:
        """Return the open pair with the widest interval, excluding the bots of `without`.

        None if all are decided.
        """
        # Choosing by the distance to 1/2 would spend nearly all blocks on the closest pair and
        # leave others just short of a decision.
        playing = (pair for pair in self._pairs if not set(pair) & set(without))
        open_pairs = [pair for pair in playing if pair not in self._decided]
        return min(open_pairs, key=self._priority, default=None)

    def orders(self) -> dict[Pair, PairOrder]:
        """Return the current decision about every pair."""
        return {pair: self._decided.get(pair, PairOrder.OPEN) for pair in self._pairs}

    def sequence(self, pair: Pair) -> Sequence:
        """Return the confidence sequence of a pair, given in ascending order."""
        return self._pairs[pair]

    @property
    def _even(self) -> float:
        return 0.0 if self._in_points else 0.5

    def _priority(self, pair: Pair) -> tuple[float, int, Pair]:
        score = self._pairs[pair].interval()
        # No interval yet: the first blocks are played before the others go on.
        width = inf if score.low is None or score.high is None else score.high - score.low
        return -width, self._pairs[pair].blocks, pair

    def _decide(self, played: Pair) -> None:
        # Holm's procedure over anytime-valid p-values: one more rejection may reject others, too.
        rejected = holm_rejects(
            [sequence.p_value() for sequence in self._pairs.values()], self._level
        )
        for (pair, sequence), is_uneven in zip(self._pairs.items(), rejected, strict=True):
            if is_uneven and self._decided.get(pair, PairOrder.EQUAL) is PairOrder.EQUAL:
                is_first = sequence.interval().value > self._even
                self._decided[pair] = PairOrder.FIRST if is_first else PairOrder.SECOND
        if self._is_equal(self._pairs[played]):
            self._decided.setdefault(played, PairOrder.EQUAL)

    def _is_equal(self, sequence: Sequence) -> bool:
        value, low, high = sequence.interval()
        if low is None or high is None:
            # There are too few blocks, or all are equal.
            return sequence.blocks >= FIRST and value == 0 and self._margin > 0
        margin = self._margin
        if isinstance(sequence, AsymptoticSequence):
            margin *= 2 * sequence.deviation()
        return low >= self._even - margin and high <= self._even + margin
