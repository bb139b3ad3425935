"""The workers of one search bot: their orders, and exchanges between their trees and the bot's."""

import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty
from random import Random
from threading import Lock
from typing import Any

from cardhub.base.errors import BotCrashError, BotError, BotExceptionError
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.search_tree import SearchTree
from cardhub.bots.search.workers.search_messages import SearchFailed, TreeUpdate
from cardhub.bots.search.workers.tree_exchange import TreeExchange, in_rounds
from cardhub.bots.search.workers.worker_process import WorkerPool, WorkerProcess
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.serialization import serialize

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
        if not isinstance(reply, TreeUpdate):
            self._crashes = 0
        if isinstance(reply, SearchFailed):
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
