"""A place for one worker process of a pool, and the question that it is asked."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path

from cardhub.bots.processes.child_process import FrameError
from cardhub.bots.processes.launch import processors
from cardhub.bots.processes.python_process import Hurry, Ready, start_python
from cardhub.play.workers.bot_messages import (
    REPLY_CODEC,
    BotChild,
    Forget,
    Lineup,
    Order,
    Reply,
    TableQuestion,
)
from cardhub.play.workers.client import OnAnswer
from cardhub.play.workers.pool.fair_shares import TableShare


@dataclass(frozen=True, slots=True)
class QuestionBudgets:
    """Limits in seconds.

    A bot is hurried after `alone`, or sooner if other questions wait: each is then answered about
    `turn` after it was asked, but a bot has at least `least`. The worker of a hurried bot is killed
    after `grace`, or after `drop_grace` if its question was dropped.
    """

    alone: float = 5.0
    turn: float = 3.0
    least: float = 0.05
    grace: float = 5.0
    drop_grace: float = 2.0

    def of(self, pending: float, workers: int) -> float:
        """Return the time for a question; `pending` counts all that are not answered.

        If networks have unequal numbers of questions, `pending` is the one of `crowds_of`.
        """
        if pending <= workers:
            return self.alone
        return min(self.alone, max(self.turn * workers / pending, self.least))


# Seconds in which a process has to start.
START_SECONDS = 30.0


@dataclass(eq=False, slots=True)
class PooledQuestion:
    """A question, waiting or asked; times are from the monotonic clock.

    `on_answer` is None once the question has been dropped. `overdue_at`: the end of its time, if it
    is over. `share`: the claim of its table to the pool; `weight`: the weight of its network when
    it was asked.
    """

    table: int
    lineup: Lineup
    packed: bytes
    legal: Sequence[int] | None
    on_answer: OnAnswer | None
    is_hurried: bool = False
    started_at: float = inf
    dropped_at: float = inf
    overdue_at: float = inf
    share: TableShare = field(default_factory=TableShare)
    weight: int = 1

    def killed_at(self, budgets: QuestionBudgets) -> float:
        """Return when the worker is killed if it has not answered."""
        return min(self.overdue_at + budgets.grace, self.dropped_at + budgets.drop_grace)

    def shift(self, seconds: float) -> None:
        """Move all times, after this process has been stopped for a while."""
        self.started_at += seconds
        self.dropped_at += seconds
        self.overdue_at += seconds


class WorkerSlot:
    """One of the fixed number of workers; its process is started when it is needed.

    All methods are called under the lock of the pool. `on_reply` and `on_exit` are called in the
    thread that reads from the process, without the lock.
    """

    def __init__(
        self,
        directories: Iterable[Path],
        on_reply: Callable[["WorkerSlot", BotChild, Reply], object],
        on_exit: Callable[["WorkerSlot", BotChild, int, FrameError | None], object],
    ) -> None:
        self._directories = [os.fspath(path) for path in directories]
        self._on_reply = on_reply
        self._on_exit = on_exit
        self._child: BotChild | None = None
        self._number = 0
        self.question: PooledQuestion | None = None
        self.is_ready = False
        self.starts_at = inf

    @property
    def is_idle(self) -> bool:
        """Whether a question can be asked now."""
        return self.is_ready and self.question is None

    @property
    def is_starting(self) -> bool:
        """Whether the process has been started and is not ready yet."""
        return self._child is not None and not self.is_ready

    def is_busy_since(self, moment: float) -> bool:
        """Whether the present question was asked at a moment or before."""
        return self.question is not None and self.question.started_at <= moment

    def due(self, budget: float, budgets: QuestionBudgets) -> float:
        """Return when the bot is to be hurried, or the process killed."""
        if self.is_starting:
            return self.starts_at + START_SECONDS
        if self.question is None:
            return inf
        hurried_at = self.question.started_at + budget if self.question.overdue_at == inf else inf
        return min(hurried_at, self.question.killed_at(budgets))

    def start(self, now: float) -> None:
        """Start the process if it does not run; raises OSError."""
        if self._child is None:
            self.starts_at = now
            self._child = start_python(
                "cardhub.play.workers.worker:serve_tables",
                [self._directories],
                REPLY_CODEC,
                partial(self._on_reply, self),
                partial(self._on_exit, self),
            )

    def ask(self, question: PooledQuestion, now: float) -> None:
        """Ask a question of an idle worker."""
        self._number += 1
        self.question = question
        question.started_at = now
        order = TableQuestion(self._number, question.packed, question.table, question.lineup)
        self._send(order)
        if question.is_hurried:
            self._send(Hurry(self._number))

    def hurry(self) -> None:
        """Ask the bot to answer soon."""
        if self.question is not None and not self.question.is_hurried:
            self.question.is_hurried = True
            self._send(Hurry(self._number))

    def forget(self, table: int) -> None:
        """Ask the worker to close the bots of a table."""
        self._send(Forget(table))

    def take(self, child: BotChild, reply: Reply) -> PooledQuestion | None:
        """Return the question that a reply answers, if any; raises FrameError."""
        if child is not self._child:
            return None  # it is being killed
        if not self.is_ready and isinstance(reply, Ready):
            self.is_ready = True
            return None
        if self.question is None or reply.number != self._number:
            raise FrameError("an answer without a question")
        question, self.question = self.question, None
        return question

    def has(self, child: BotChild) -> bool:
        """Return whether a process is the present one of this slot, not one that was ended."""
        return child is self._child

    def release(self) -> BotChild | None:
        """Give up the process, which the caller ends, and its question."""
        child, self._child = self._child, None
        self.question, self.is_ready, self.starts_at = None, False, inf
        return child

    def _send(self, order: Order) -> None:
        if self._child is not None:
            self._child.send(order)


def default_workers() -> int:
    """Return the number of processors that this process may use minus one, at least 1."""
    return max(processors() - 1, 1)
