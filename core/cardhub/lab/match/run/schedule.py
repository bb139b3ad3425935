"""Schedules: the order of blocks, fixed in advance or adaptive in a race."""

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from typing_extensions import override

from cardhub.lab.match.blocks import Block, groups
from cardhub.lab.match.match_spec import Match


class Later(Enum):
    """Type of the sentinel object: the next block depends on unfinished blocks."""

    LATER = "later"


LATER = Later.LATER


class Schedule(Protocol):
    """Sequence of blocks, requested one by one before they are played.

    It depends on the match and the finished blocks only, never on how far ahead blocks are
    requested.
    """

    is_adaptive: bool
    """Whether it depends on the scores of blocks."""

    def next(self) -> Block | Later | None:
        """Return the next block, LATER if it is not determined yet, None after the last one."""
        ...

    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        """Record the next finished block, in the order of the schedule.

        `score` is the score of its first bot against its second, None if it does not count or the
        schedule is not adaptive; `withdrawn` are the withdrawn bots.
        """
        ...


class Chooser(Protocol):
    """Interface of adaptive schedules: selects the next pair from the recorded scores."""

    def record(self, pair: tuple[str, str], score: float) -> None:
        """Record the score of a block of this pair, from its first bot's view."""
        ...

    def next_pair(self, without: Collection[str]) -> tuple[str, str] | None:
        """Return the next pair, without these bots; None if all orders are determined."""
        ...


class FixedOrder(Schedule):
    """Fixed schedule: deal by deal, contest by contest, one block for each group of bots."""

    is_adaptive = False

    def __init__(self, match: Match) -> None:
        self._blocks = _in_turn(match)

    @override
    def next(self) -> Block | None:
        return next(self._blocks, None)

    @override
    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        pass  # the order is fixed


class _Finished(NamedTuple):
    block: Block
    score: float | None
    withdrawn: frozenset[str]


class RaceOrder(Schedule):
    """Adaptive schedule: `batch` blocks at a time for the pair of a chooser, contest by contest."""

    is_adaptive = True

    def __init__(self, choosers: Mapping[str, Chooser], blocks: int, batch: int) -> None:
        self._choosers = dict(choosers)
        self._blocks, self._batch = blocks, batch
        self._scheduled = self._recorded = 0
        self._finished: deque[_Finished] = deque()
        self._withdrawn: frozenset[str] = frozenset()
        self._turns = deque(choosers)
        self._deals: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._current: tuple[str, tuple[str, ...]] | None = None

    @override
    def next(self) -> Block | Later | None:
        if self._scheduled >= self._blocks:
            return None
        # A batch is chosen from the scores before the previous batch, even if later scores are
        # available: this keeps many workers busy, and the schedule independent of their number.
        if self._scheduled % self._batch == 0:
            if self._recorded + len(self._finished) < self._scheduled - self._batch:
                return LATER
            self._current = self._choose()
        if self._current is None:
            return None
        self._scheduled += 1
        self._deals[self._current] += 1
        contest, bots = self._current
        return Block(contest, self._deals[self._current] - 1, bots)

    @override
    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        self._finished.append(_Finished(block, score, frozenset(withdrawn)))

    def _choose(self) -> tuple[str, tuple[str, ...]] | None:
        while self._recorded < self._scheduled - self._batch:
            self._record(self._finished.popleft())
        while self._turns:
            contest = self._turns.popleft()
            pair = self._choosers[contest].next_pair(self._withdrawn)
            # Contests take turns; a contest whose orders are all determined drops out.
            if pair is not None:
                self._turns.append(contest)
                return contest, pair
        return None

    def _record(self, finished: _Finished) -> None:
        self._recorded += 1
        # As of this block, because later withdrawals depend on the number of workers.
        self._withdrawn = finished.withdrawn
        block, score = finished.block, finished.score
        if score is not None:
            self._choosers[block.contest].record((block.bots[0], block.bots[1]), score)


def _in_turn(match: Match) -> Iterator[Block]:
    meetings: Sequence[tuple[str, tuple[str, ...]]] = [
        (contest.id, bots) for contest in match.contests for bots in groups(match, contest)
    ]
    for deal in range(match.order.blocks):
        for contest, bots in meetings:
            yield Block(contest, deal, bots)
