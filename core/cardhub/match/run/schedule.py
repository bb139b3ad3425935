"""In which order blocks are played; fixed beforehand, or by what is least settled."""

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from cardhub.match.blocks import Block
from cardhub.match.groups import groups
from cardhub.match.spec import Match


class Later(Enum):
    """What comes next depends on blocks that are not finished yet."""

    LATER = "later"


LATER = Later.LATER


class Schedule(Protocol):
    """Says which block comes next; asked for one after the other, ahead of their being played.

    The answers depend on nothing but the match and the blocks finished, never on how far ahead
    somebody asks.
    """

    def next(self) -> Block | Later | None:
        """Return the next block, LATER if that is not settled yet, None after the last one."""
        ...

    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        """Note the next finished block, in the order in which they were given out.

        `score` is that of its first bot against its second, None if it is no evidence; `withdrawn`
        are the bots that will not play any more.
        """
        ...


class Chooser(Protocol):
    """Says which of some bots should meet next, by the scores it was told: the hook for races."""

    def take(self, pair: tuple[str, str], score: float) -> None:
        """Take the score of a block of this pair, its first bot's."""
        ...

    def next_pair(self, without: Collection[str]) -> tuple[str, str] | None:
        """Return the pair to play next, none of these bots in it; None if nothing is open."""
        ...


class FixedOrder:
    """Deal by deal, contest by contest, one block for each group of bots."""

    def __init__(self, match: Match) -> None:
        self._blocks = _in_turn(match)

    def next(self) -> Block | None:
        """See Schedule."""
        return next(self._blocks, None)

    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        """See Schedule; nothing depends on it."""


class _Finished(NamedTuple):
    block: Block
    score: float | None
    withdrawn: frozenset[str]


class RaceOrder:
    """Blocks for pairs that a chooser names, `batch` at a time, contest by contest.

    A batch is chosen by all blocks before the last batch, whether or not more are known: that keeps
    many workers busy, and one worker's choice the same.
    """

    def __init__(self, choosers: Mapping[str, Chooser], blocks: int, batch: int) -> None:
        self._choosers = dict(choosers)
        self._blocks, self._batch = blocks, batch
        self._given = self._known = 0
        self._finished: deque[_Finished] = deque()
        self._withdrawn: frozenset[str] = frozenset()
        self._turns = deque(choosers)
        self._deals: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._now: tuple[str, tuple[str, ...]] | None = None

    def next(self) -> Block | Later | None:
        """See Schedule."""
        if self._given >= self._blocks:
            return None
        if self._given % self._batch == 0:
            if self._known + len(self._finished) < self._given - self._batch:
                return LATER
            self._now = self._choose()
        if self._now is None:
            return None
        self._given += 1
        self._deals[self._now] += 1
        contest, bots = self._now
        return Block(contest, self._deals[self._now] - 1, bots)

    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        """See Schedule."""
        self._finished.append(_Finished(block, score, frozenset(withdrawn)))

    def _choose(self) -> tuple[str, tuple[str, ...]] | None:
        """Return the contest whose turn it is and the pair to meet, None if all is settled."""
        while self._known < self._given - self._batch:
            self._take(self._finished.popleft())
        while self._turns:
            contest = self._turns.popleft()
            pair = self._choosers[contest].next_pair(self._withdrawn)
            if pair is not None:
                self._turns.append(contest)
                return contest, pair
        return None

    def _take(self, finished: _Finished) -> None:
        self._known += 1
        self._withdrawn = finished.withdrawn
        block, score = finished.block, finished.score
        if score is not None:
            self._choosers[block.contest].take((block.bots[0], block.bots[1]), score)


def _in_turn(match: Match) -> Iterator[Block]:
    meetings: Sequence[tuple[str, tuple[str, ...]]] = [
        (contest.id, bots) for contest in match.contests for bots in groups(match, contest)
    ]
    for deal in range(match.order.blocks):
        for contest, bots in meetings:
            yield Block(contest, deal, bots)
