"""The search's side of a worker process."""

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

# The code that a worker runs. The first line of its input contains the module search path and the
# plugin directories.
BOOT = """\
import json, sys
sys.path[:], directories = json.loads(sys.stdin.buffer.raw.readline())
from {module} import serve
serve(directories)
"""
# Seconds that a worker has to exit after the end of its input.
PATIENCE = 1.0

SearchReply: TypeAlias = TreeUpdate | Searched | SearchFailed
WorkerChild: TypeAlias = ChildProcess[WorkerOrder, WorkerReply]


class WorkerProcess:
    """A process with the bot of one search; its guard ends it when the calling process ends.

    `is_asked`: whether the last order's final reply is pending. Raises BotCrashError if the process
    cannot be started.
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
                self._on_reply,
                self._on_end,
                None,
                first=json.dumps(first).encode() + b"\n",
            )
        except OSError as error:
            message = f"no process for a search can be started: {error.strerror}"
            raise BotCrashError(message) from error

    @property
    def pid(self) -> int:
        """The number of the process, or of its guard if it has one."""
        return self._child.pid

    @property
    def is_running(self) -> bool:
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

    def end(self) -> None:
        """Close the process's input, kill the process after a timeout, and wait for its end."""
        self._child.end(PATIENCE)
        self._child.reap()

    def kill(self) -> None:
        """Kill the process."""
        self._child.kill()

    def _on_reply(self, _: WorkerChild, reply: WorkerReply) -> None:
        if isinstance(reply, WorkerReady):
            self._is_ready = True
        else:
            self._replies.put(reply)

    def _on_end(self, child: WorkerChild, error: FrameError | None) -> None:
        child.kill()  # a process that wrote an invalid message or closed its output is useless
        self._replies.put(None)
        child.reap()
