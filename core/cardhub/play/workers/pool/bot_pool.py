"""A pool of worker processes for the bots of all tables of a server, with the waiting questions."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import Any

from typing_extensions import override

from cardhub.base.errors import BotCrashError, BotFaultError, BotTimeoutError
from cardhub.bots.processes.child_process import FrameError
from cardhub.model.hidden.observation import Observation
from cardhub.play.workers.bot_messages import BotChild, Lineup, Reply
from cardhub.play.workers.client import BotClient, OnAnswer, answer_of, end_fault, pack
from cardhub.play.workers.pool.fair_shares import (
    MOST_PEOPLE,
    FairShares,
    TableShare,
    crowds_of,
    weights_of,
)
from cardhub.play.workers.pool.worker_slot import (
    PooledQuestion,
    QuestionBudgets,
    WorkerSlot,
    default_workers,
)

# Seconds for which a worker is busy with another table before a question goes to an idle worker,
# where its bots are created again.
MOVES_AFTER = 0.25
# Number of questions that wait for one worker, from which they go to an idle worker immediately.
MOVES_FROM = 2


class QuestionQueue:
    """Questions of networks in fair turns; each table has at most one.

    Tables of one network are served in the order of their questions. The worker that has answered a
    table's last question is its home. `most_people`: the number of people that counts for the
    share of a network.
    """

    def __init__(self, most_people: int = MOST_PEOPLE) -> None:
        self._most_people = most_people
        self._waiting: deque[PooledQuestion] = deque()
        self._homes: dict[int, WorkerSlot] = {}
        self._shares = FairShares()

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[PooledQuestion]:
        return iter(self._waiting)

    def put(self, question: PooledQuestion) -> None:
        """Put a question at the end."""
        self._waiting.append(question)

    def hurry(self, table: int) -> None:
        """Request a quick answer to the question of a table, once it is asked."""
        for question in self._waiting:
            if question.table == table:
                question.is_hurried = True

    def drop(self, table: int) -> None:
        """Remove the question of a table."""
        kept = [question for question in self._waiting if question.table != table]
        if len(kept) < len(self._waiting):
            self._waiting = deque(kept)

    def forget(self, table: int) -> None:
        """Remove the question of a table, and close its bots."""
        self.drop(table)
        home = self._homes.pop(table, None)
        if home is not None:
            home.forget(table)

    def clear(self) -> None:
        """Remove all questions."""
        self._waiting.clear()

    def pop(self) -> PooledQuestion | None:
        """Remove and return the oldest question."""
        return self._waiting.popleft() if self._waiting else None

    def assign(self, slots: list[WorkerSlot], now: float) -> None:
        """Ask idle workers the questions that they may be asked."""
        homed = Counter(self._homes.values())
        # A new table goes to the worker with the fewest tables.
        for slot in sorted(slots, key=homed.__getitem__):
            question = self._next_for(slot, now) if slot.is_idle else None
            if question is not None:
                network = question.share.network
                shares = (waiting.share for waiting in self._waiting)
                question.weight = weights_of(shares, self._most_people)[network]
                self._shares.begin(network, question.weight)
                self._waiting.remove(question)
                self._settle(question.table, slot)
                slot.ask(question, now)

    def count_time(self, question: PooledQuestion, now: float) -> None:
        """Count the time of a question that a worker has finished, answered or not."""
        self._shares.end(question.share.network, question.weight, now - question.started_at)

    def moves_at(self, slots: list[WorkerSlot], now: float) -> float:
        """Return when a question may move to an idle worker."""
        if not self._waiting or not any(slot.is_idle for slot in slots):
            return inf
        busy = filter(None, (slot.question for slot in slots))
        moves = (asked.started_at + MOVES_AFTER for asked in busy)
        return min((moment for moment in moves if moment > now), default=inf)

    def _next_for(self, slot: WorkerSlot, now: float) -> PooledQuestion | None:
        """Return the first question in fair order that an idle worker may be asked."""
        queued = Counter(self._homes.get(question.table) for question in self._waiting)
        # Sorting is stable, so that questions of one network keep their order.
        for question in sorted(self._waiting, key=self._account_of):
            home = self._homes.get(question.table)
            if home is None or home is slot:
                return question
            is_busy = not home.is_ready or home.is_busy_since(now - MOVES_AFTER)
            if is_busy or (not home.is_idle and queued[home] >= MOVES_FROM):
                return question
        return None

    def _account_of(self, question: PooledQuestion) -> float:
        return self._shares.account(question.share.network)

    def _settle(self, table: int, slot: WorkerSlot) -> None:
        home = self._homes.get(table)
        if home is not None and home is not slot:
            home.forget(table)
        self._homes[table] = slot


# Delay of the watching thread, in seconds, from which this process is assumed to have been stopped.
STOPPED = 1.0
DEFAULT_BUDGETS = QuestionBudgets()


class BotPool:
    """Worker processes with low priority, shared by all tables; safe to use from any thread.

    Networks get fair shares of the workers, and the questions of one network are answered in turn,
    one at a time by each worker. A table's questions go to the same
    worker, which keeps its bots, unless that worker is busy for long and another is idle. A bot
    that takes longer than its budget is hurried, and its worker is killed and replaced after a
    grace period: only the table that it was asked for gets the fault. The default number of
    workers leaves one processor to the server. `most_people`: the number of people that counts for
    the share of a network.
    """

    def __init__(
        self,
        directories: Iterable[Path] = (),
        workers: int | None = None,
        budgets: QuestionBudgets = DEFAULT_BUDGETS,
        most_people: int = MOST_PEOPLE,
    ) -> None:
        self.directories = tuple(directories)
        self.budgets = budgets
        number = default_workers() if workers is None else workers
        self._slots = [
            WorkerSlot(self.directories, self._on_answer, self._on_exit) for _ in range(number)
        ]
        self._most_people = most_people
        self._queue = QuestionQueue(most_people)
        self._numbers = count(1)
        self._answers: list[Callable[[], object]] = []
        self._changed = Condition()
        self._is_closed = False
        self._wakes_at = inf
        Thread(target=self._watch, daemon=True).start()

    @property
    def workers(self) -> int:
        """The number of workers."""
        return len(self._slots)

    @property
    def pending(self) -> int:
        """The number of questions that wait or are being answered."""
        return len(self._queue) + sum(slot.question is not None for slot in self._slots)

    def client(self, lineup: Lineup, share: TableShare | None = None) -> "PooledClient":
        """Return the client of a table with plugins of the pool's directories."""
        return PooledClient(self, next(self._numbers), lineup, share or TableShare())

    def start(self) -> None:
        """Start all workers; the first questions then do not wait for them."""
        with self._changing():
            if not self._is_closed:
                for slot in self._slots:
                    slot.start(monotonic())

    def ask(self, question: PooledQuestion) -> None:
        """Put a question at the end of the queue, instead of an earlier one of its table."""
        with self._changing():
            self._drop(question.table)
            if self._is_closed:
                self._answer(question.on_answer, BotCrashError("the pool of bots is closed"))
            else:
                self._queue.put(question)

    def hurry(self, table: int) -> None:
        """Request a quick answer to the question of a table, once it is asked."""
        with self._changing():
            self._queue.hurry(table)
            if (slot := self._asked_for(table)) is not None:
                slot.hurry()

    def drop(self, table: int) -> None:
        """Cancel the question of a table; it is not answered."""
        with self._changing():
            self._drop(table)

    def forget(self, table: int) -> None:
        """Cancel the question of a table and close its bots."""
        with self._changing():
            self._drop(table)
            self._queue.forget(table)

    def close(self) -> None:
        """End all workers: their bots are closed, or killed after a timeout."""
        with self._changing():
            self._is_closed = True
            self._queue.clear()
            children = [slot.release() for slot in self._slots]
        running = [child for child in children if child is not None]
        for child in running:
            child.close_input()
        for child in running:
            child.end()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock; afterwards assign waiting questions, and give answers unlocked."""
        with self._changed:
            yield
            now = monotonic()
            self._queue.assign(self._slots, now)
            self._start_missing(now)
            if self._is_closed or self._due(now) < self._wakes_at:
                self._changed.notify()
            answers, self._answers = self._answers, []
        # Without the lock, because an answer may ask the next question.
        for answer in answers:
            answer()

    def _answer(self, on_answer: OnAnswer | None, answer: object) -> None:
        if on_answer is not None:
            self._answers.append(partial(on_answer, answer))

    def _drop(self, table: int) -> None:
        self._queue.drop(table)
        slot = self._asked_for(table)
        if slot is not None and slot.question is not None:
            # Its worker is not killed yet, because it has the bots of other tables.
            slot.question.on_answer, slot.question.dropped_at = None, monotonic()
            slot.hurry()

    def _asked_for(self, table: int) -> WorkerSlot | None:
        """Return the worker that is asked a question of this table which has not been dropped."""
        for slot in self._slots:
            asked = slot.question
            if asked is not None and asked.table == table and asked.on_answer is not None:
                return slot
        return None

    def _start_missing(self, now: float) -> None:
        """Start as many workers as questions wait."""
        starting = sum(slot.is_starting for slot in self._slots)
        for slot in self._slots:
            if len(self._queue) <= starting:
                return
            if not slot.is_starting and not slot.is_ready:
                self._start(slot, now)
                starting += 1

    def _start(self, slot: WorkerSlot, now: float) -> None:
        try:
            slot.start(now)
        except OSError as error:
            self._fail_waiting(
                BotCrashError(f"no process for bots can be started: {error.strerror}")
            )

    def _fail_waiting(self, fault: BotFaultError) -> None:
        """Answer the oldest waiting question with a fault, or all of them without workers."""
        has_worker = any(slot.is_ready or slot.is_starting for slot in self._slots)
        while (question := self._queue.pop()) is not None:
            self._answer(question.on_answer, fault)
            if has_worker:
                return

    def _on_answer(self, slot: WorkerSlot, child: BotChild, reply: Reply) -> None:
        with self._changing():
            question = slot.take(child, reply)
            if question is not None:
                self._queue.count_time(question, monotonic())
                self._answer(question.on_answer, answer_of(reply, question.legal))

    def _on_exit(
        self, slot: WorkerSlot, child: BotChild, code: int, wrong: FrameError | None
    ) -> None:
        with self._changing():
            if slot.has(child):
                self._replace(slot, end_fault(code, wrong))

    def _watch(self) -> None:
        """Hurry bots whose time is over, and kill the workers of those that do not react."""
        while not self._is_closed:
            with self._changing():
                self._wait()
                self._check_times(monotonic())

    def _wait(self) -> None:
        now = monotonic()
        self._wakes_at = due = self._due(now)
        if due > now and not self._is_closed:
            self._changed.wait(None if due == inf else due - now)
            late = monotonic() - due
            if late > STOPPED:
                # This process was stopped, and perhaps the workers with it.
                for slot in self._slots:
                    if slot.question is not None:
                        slot.question.shift(late)
        self._wakes_at = -inf

    def _due(self, now: float) -> float:
        """Return when a bot is to be hurried or killed, or a question moved to an idle worker."""
        due = min(slot.due(budget, self.budgets) for slot, budget in self._budgeted())
        return min(due, self._queue.moves_at(self._slots, now))

    def _budgeted(self) -> list[tuple[WorkerSlot, float]]:
        """Return each worker with the time for its question, by the share of its network."""
        asked = [slot.question for slot in self._slots if slot.question is not None]
        if len(self._queue) + len(asked) <= self.workers:
            return [(slot, self.budgets.alone) for slot in self._slots]
        shares = [question.share for question in (*self._queue, *asked)]
        crowds = crowds_of(shares, self._most_people)
        numbers = (crowds[q.share.network] if (q := slot.question) else 0 for slot in self._slots)
        budgets = (self.budgets.of(number, self.workers) for number in numbers)
        return list(zip(self._slots, budgets, strict=True))

    def _check_times(self, now: float) -> None:
        for slot, budget in self._budgeted():
            asked = slot.question
            if now < slot.due(budget, self.budgets):
                continue
            if asked is None:
                self._kill(slot, BotCrashError("no process for bots can be started in time"))
            elif now >= asked.killed_at(self.budgets):
                seconds = now - asked.started_at
                self._kill(slot, BotTimeoutError(f"no answer within {seconds:.1f} seconds"))
            else:
                asked.overdue_at = now
                slot.hurry()

    def _kill(self, slot: WorkerSlot, fault: BotFaultError) -> None:
        child = self._replace(slot, fault)
        if child is not None:
            child.kill()

    def _replace(self, slot: WorkerSlot, fault: BotFaultError) -> BotChild | None:
        """Give up a worker, and start another one; return the process of the former."""
        asked, was_ready = slot.question, slot.is_ready
        child = slot.release()
        if asked is not None:
            self._queue.count_time(asked, monotonic())
            self._answer(asked.on_answer, fault)
        if was_ready:
            self._start(slot, monotonic())
        else:
            # Each failed start costs a question; this limits the number of starts.
            self._fail_waiting(fault)
        return child


class PooledClient(BotClient):
    """A BotClient of a pool for one table, or for the adviser of one.

    Bots remember their game as long as their worker keeps them; otherwise they are created again.
    """

    def __init__(self, pool: BotPool, table: int, lineup: Lineup, share: TableShare) -> None:
        self._pool = pool
        self._table = table
        self._lineup = lineup
        self._share = share

    @override
    def start(self) -> None:
        self._pool.start()

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        packed = pack(observation, on_answer)
        if packed is None:
            return
        # Ratings are shown as they are; the referee checks chosen actions.
        legal = observation.legal() if self._lineup.advises else None
        self._pool.ask(
            PooledQuestion(self._table, self._lineup, packed, legal, on_answer, share=self._share)
        )

    @override
    def hurry(self) -> None:
        self._pool.hurry(self._table)

    @override
    def stop(self) -> None:
        self._pool.drop(self._table)

    @override
    def reseat(self, lineup: Lineup) -> None:
        self._pool.drop(self._table)
        self._lineup = lineup

    def close(self) -> None:
        """Cancel the pending question and close the bots."""
        self._pool.forget(self._table)
