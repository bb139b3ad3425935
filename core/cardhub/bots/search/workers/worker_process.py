"""A worker process of a search, as the search sees it."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from cardhub.base.errors import BotCrashError
from cardhub.bots.deadline import get_within
from cardhub.bots.processes.child_process import ChildProcess, FrameError
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.workers.search_messages import (
    WORKER_FRAMES,
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

# Code that a worker runs: its first line of input is the module search path and the plugin
# directories.
BOOT = """\
import json, sys
sys.path[:], directories = json.loads(sys.stdin.buffer.raw.readline())
from {module} import serve
serve(directories)
"""
# Timeout for a worker to exit after the end of its input, in seconds.
PATIENCE = 1.0

SearchReply: TypeAlias = TreeUpdate | Searched | SearchFailed
WorkerChild: TypeAlias = ChildProcess[WorkerOrder, WorkerReply]


class WorkerProcess:
    """A process with the bot of one search; it ends with this process, as it has a guard.

    `is_asked` is true from an order to its last reply. Raises BotCrashError if it cannot start.
    """

    def __init__(self, module: str, directories: Iterable[Path]) -> None:
        self.is_asked = False
        self._is_ready = False
        self._number = 0
        self._replies: SimpleQueue[SearchReply | None] = SimpleQueue()
        first = [sys.path, [os.fspath(path) for path in directories]]
        try:
            self._child: WorkerChild = ChildProcess(
                [sys.executable, "-c", BOOT.format(module=module)],
                WORKER_FRAMES,
                self._heard,
                self._closed,
                None,
                first=json.dumps(first).encode() + b"\n",
            )
        except OSError as error:
            why = f"no process for a search can be started: {error.strerror}"
            raise BotCrashError(why) from error

    @property
    def pid(self) -> int:
        """Number of the process, or of its guard if it has one."""
        return self._child.pid

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._child.is_running

    def begin(self, game: str, spec: str, seed: int) -> None:
        """Create a bot, in place of the one before."""
        self._child.send(NewSearcher(game, spec, seed))

    def ask(
        self,
        packed: bytes,
        actions: Sequence[int] | None,
        budget: SearchBudget,
        tree: TreeChanges,
    ) -> None:
        """Send an observation; the order before is superseded. See SearchOrder."""
        self._number += 1
        self.is_asked = True
        chosen = None if actions is None else list(actions)
        limits = budget.iterations, budget.milliseconds
        self._child.send(SearchOrder(self._number, packed, chosen, *limits, tree))

    def update(self, changes: TreeChanges) -> None:
        """Send what was found since the last message."""
        self._child.send(TreeUpdate(self._number, changes))

    def stop(self) -> None:
        """Let the last order be answered soon."""
        if self.is_asked:
            self._child.send(StopSearch(self._number))

    def reply(self, grace: float | None) -> SearchReply | None:
        """Return the next reply to the last order, None if the process has ended.

        Raises Empty after `grace` seconds, if given, and at once while the process is starting.
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
        """Let the process exit."""
        self._child.close_input()

    def end(self) -> None:
        """Let the process exit, kill it after a timeout, and wait for its end."""
        self._child.end(PATIENCE)
        self._child.reap()

    def kill(self) -> None:
        """Kill the process."""
        self._child.kill()

    def _heard(self, _: WorkerChild, reply: WorkerReply) -> None:
        if isinstance(reply, WorkerReady):
            self._is_ready = True
        else:
            self._replies.put(reply)

    def _closed(self, child: WorkerChild, wrong: FrameError | None) -> None:
        child.kill()  # what wrote no message, or closed its output, is of no use
        self._replies.put(None)
        child.reap()
