"""The workers of one search bot: their processes, orders, and the exchange between their trees."""

import os
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from threading import Lock
from typing import Any, TypeAlias

from cardhub.base.errors import BotCrashError, BotError, BotExceptionError
from cardhub.bots.deadline import get_within
from cardhub.bots.processes.child_process import ChildProcess
from cardhub.bots.processes.pool import Pool
from cardhub.bots.processes.python_process import Failed, Hurry, Ready, start_python
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.search_tree import SearchTree
from cardhub.bots.search.workers.tree_exchange import (
    REPLY_CODEC,
    NewSearcher,
    SearchOrder,
    TreeChanges,
    TreeExchange,
    TreeUpdate,
    WorkerOrder,
    WorkerReply,
    in_rounds,
)
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.serialization import serialize

SearchReply: TypeAlias = TreeUpdate | Failed
WorkerChild: TypeAlias = ChildProcess[WorkerOrder, WorkerReply]


def is_end(reply: SearchReply | None) -> bool:
    """Return whether a reply ends its search, as the end of the process does."""
    return not isinstance(reply, TreeUpdate) or reply.is_last


class WorkerProcess:
    """A process with the bot of one search; its guard ends it when the calling process ends.

    `function`: the function that it runs, named as module:function, with plugin directories and the
    names of third-party plugins, or None for all.
    `is_asked`: whether the last order's final reply is pending. Raises BotCrashError if the process
    cannot be started.
    """

    def __init__(
        self,
        directories: Iterable[Path],
        function: str,
        third_party: Iterable[str] | None = None,
    ) -> None:
        self.is_asked = False
        self._is_ready = False
        self._number = 0
        self._replies: SimpleQueue[SearchReply | None] = SimpleQueue()
        names = None if third_party is None else list(third_party)
        arguments = [[os.fspath(path) for path in directories], names]
        try:
            self._child: WorkerChild = start_python(
                function, arguments, REPLY_CODEC, self._on_reply, lambda *_: self._replies.put(None)
            )
        except OSError as error:
            message = f"no process for a search can be started: {error.strerror}"
            raise BotCrashError(message) from error

    @property
    def pid(self) -> int:
        """The number of the process, or of its guard if it has one."""
        return self._child.pid

    @property
    def is_usable(self) -> bool:
        """Whether the process has not ended."""
        return self._child.is_running

    def begin(self, game: str, spec: str, seed: int) -> None:
        """Create a bot, which replaces the last one."""
        self._child.send(NewSearcher(game, spec, seed))

    def ask(
        self,
        packed: bytes,
        actions: Sequence[int] | None,
        budget: SearchBudget,
        tree: TreeChanges,
    ) -> None:
        """Send an order, which supersedes the last one; see SearchOrder."""
        self._number += 1
        self.is_asked = True
        choices = None if actions is None else list(actions)
        limits = budget.iterations, budget.milliseconds
        self._child.send(SearchOrder(self._number, packed, choices, *limits, tree))

    def update(self, changes: TreeChanges) -> None:
        """Send the growth of the bot's tree since the last message."""
        self._child.send(TreeUpdate(self._number, changes))

    def stop(self) -> None:
        """Ask the process to answer the last order soon."""
        if self.is_asked:
            self._child.send(Hurry(self._number))

    def reply(self, grace: float | None) -> SearchReply | None:
        """Return the next reply to the last order, or None if the process has ended.

        `grace`: the seconds to wait, or None for no limit. Raises Empty after this time, and
        immediately while the process is starting.
        """
        while True:
            if grace is None:
                reply = self._replies.get()
            else:
                reply = get_within(self._replies, grace if self._is_ready else 0.0)
            # Replies to superseded orders are dropped.
            if reply is None or reply.number == self._number:
                self.is_asked = not is_end(reply)
                return reply

    def close_input(self) -> None:
        """Close the input of the process, which ends it."""
        self._child.close_input()

    def close(self) -> None:
        """Close the process's input, kill the process after a timeout, and wait for its end."""
        self._child.end()

    def kill(self) -> None:
        """Kill the process."""
        self._child.kill()

    def _on_reply(self, _: WorkerChild, reply: WorkerReply) -> None:
        if isinstance(reply, Ready):
            self._is_ready = True
        else:
            self._replies.put(reply)


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """The value of a Workers option: the number of processes that search, and their pool.

    `spec`: the bot's spec, with which each worker also creates the bot. `function`: the function
    that they run.
    """

    count: int
    game: str
    spec: str
    function: str
    processes: Pool[str, WorkerProcess] = field(repr=False)

    def borrow(self, seed: int) -> WorkerProcess:
        """Return a process with a new bot; `seed`: its generator's seed. Raises BotCrashError."""
        process = self.processes.borrow(self.function)
        process.begin(self.game, self.spec, seed)
        return process


# The number of bits of the seed of a worker's generator.
SEED_BITS = 63
# Seconds that a worker has to answer after the time limit; then its last round is ignored.
GRACE = 0.1


class SearchMember:
    """One worker of a bot, which replaces a process that has ended.

    Raises BotCrashError if a second process ends before the last reply.
    """

    def __init__(self, pool: WorkerPool, seed: int, budget: SearchBudget) -> None:
        self._pool = pool
        self._seed = seed
        self._budget = budget
        self._process: WorkerProcess | None = pool.borrow(seed)
        self._lock = Lock()  # another thread may close the bot during a question
        self._crashes = 0
        self._exchange: TreeExchange
        self._question: tuple[bytes, Sequence[int] | None, SearchTree[Any]]

    def begin(self, packed: bytes, actions: Sequence[int] | None, tree: SearchTree[Any]) -> None:
        """Send an observation and the tree; see SearchOrder."""
        self._question = packed, actions, tree
        self._exchange = TreeExchange(tree)
        self._running().ask(packed, actions, self._budget, self._exchange.changes())

    def send(self) -> None:
        """Send the growth of the bot's tree, unless the worker has ended its search."""
        process = self._running()
        if process.is_asked:
            process.update(self._exchange.changes())

    def receive(self) -> None:
        """Add the next message to the tree, or with a time limit all messages that have arrived."""
        if not self._budget.milliseconds and self._running().is_asked:
            self._add_next(None)
        with suppress(Empty):
            while self._budget.milliseconds and self._running().is_asked:
                self._add_next(0.0)

    def finish(self) -> None:
        """Add all messages to the tree; with a time limit, ignore a worker that is too late."""
        grace = GRACE if self._budget.milliseconds else None
        with suppress(Empty):
            while self._running().is_asked:
                self._add_next(grace)
                if grace is None:
                    self.send()  # a replaced process is behind and still needs the changes

    def stop(self) -> None:
        """Ask the worker to answer soon."""
        process = self._process
        if process is not None:
            process.stop()

    def close(self) -> None:
        """Return the process to the pool, or kill it if it has not answered."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        if process.is_asked:
            self._pool.processes.discard(process)
        else:
            self._pool.processes.give_back(process)

    def _running(self) -> WorkerProcess:
        process = self._process
        if process is None:
            raise BotError("the bot has been closed")
        return process

    def _add_next(self, grace: float | None) -> None:
        reply = self._running().reply(grace)
        if reply is None:
            self._replace()
            if grace is None:
                self.begin(*self._question)
            return
        if is_end(reply):
            self._crashes = 0
        if isinstance(reply, Failed):
            raise BotExceptionError(reply.message, details=reply.details)
        self._exchange.add(reply.changes)

    def _replace(self) -> None:
        with self._lock:
            self._pool.processes.discard(self._running())
            self._crashes += 1
            if self._crashes > 1:
                self._process = None
                raise BotCrashError("two worker processes of the search have crashed in a row")
            self._process = self._pool.borrow(self._seed)


class SearchTeam:
    """The workers of one bot, which are started by the first question.

    `rng`: the bot's generator, which gives the workers' seeds. `budgets`: the workers' budgets.
    """

    def __init__(self, pool: WorkerPool, rng: Random, budgets: Sequence[SearchBudget]) -> None:
        self._pool = pool
        self._rng = rng
        self._budgets = budgets
        self._members: list[SearchMember] = []
        # The caller may drop a bot without a call of `close`.
        weakref.finalize(self, _close, self._members).atexit = False
        self._tree: SearchTree[Any]

    def begin(
        self,
        observation: Observation[Any],
        actions: Sequence[int] | None,
        tree: SearchTree[Any],
    ) -> None:
        """Ask all workers to grow a copy of `tree`, like SearchBot.grow; raises BotError."""
        if not self._members:
            seeds = [self._rng.getrandbits(SEED_BITS) for _ in self._budgets]
            for seed, budget in zip(seeds, self._budgets, strict=True):
                self._members.append(SearchMember(self._pool, seed, budget))
        try:
            packed = serialize(observation)
        except TypeError as error:
            game = observation.game.name
            raise BotError(
                f"{game} cannot be searched by workers: {error}. fix: workers=1"
            ) from error
        for member in self._members:
            member.begin(packed, actions, tree)
        self._tree = tree

    def stop(self) -> None:
        """Ask all workers to answer soon; any thread may call this."""
        for member in self._members:
            member.stop()

    def in_rounds(self, iterations: Iterator[int]) -> Iterator[int]:
        """Yield the iterations of the bot, and exchange changes with the workers between rounds."""
        return in_rounds(iterations, self._tree, self._budgets[0], self._exchange)

    def finish(self) -> None:
        """Add the workers' last changes to the bot's tree; raises BotError."""
        for member in self._members:
            member.finish()

    def close(self) -> None:
        """Return the workers to their pool; any thread may call this."""
        _close(self._members)

    def _exchange(self) -> None:
        for member in self._members:
            member.send()
        for member in self._members:
            member.receive()


def _close(members: Iterable[SearchMember]) -> None:
    for member in members:
        member.close()
