"""The search's side of its worker processes, which are lent to one bot after another."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from cardhub.base.errors import BotCrashError
from cardhub.bots.deadline import get_within
from cardhub.bots.processes.child_process import ChildProcess
from cardhub.bots.processes.pool import Pool
from cardhub.bots.processes.python_process import start_python
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.workers.search_messages import (
    REPLY_CODEC,
    NewSearcher,
    Searched,
    SearchFailed,
    SearchOrder,
    StopSearch,
    TreeUpdate,
    WorkerOrder,
    WorkerReady,
    WorkerReply,
)
from cardhub.bots.search.workers.tree_exchange import TreeChanges

SearchReply: TypeAlias = TreeUpdate | Searched | SearchFailed
WorkerChild: TypeAlias = ChildProcess[WorkerOrder, WorkerReply]


class WorkerProcess:
    """A process with the bot of one search; its guard ends it when the calling process ends.

    `function`: the function that it runs, named as module:function, with plugin directories.
    `is_asked`: whether the last order's final reply is pending. Raises BotCrashError if the process
    cannot be started.
    """

    def __init__(self, directories: Iterable[Path], function: str) -> None:
        self.is_asked = False
        self._is_ready = False
        self._number = 0
        self._replies: SimpleQueue[SearchReply | None] = SimpleQueue()
        arguments = [[os.fspath(path) for path in directories]]
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
            self._child.send(StopSearch(self._number))

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
                self.is_asked = isinstance(reply, TreeUpdate)
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
        if isinstance(reply, WorkerReady):
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
