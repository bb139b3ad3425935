"""Worker processes of a program: kept, and lent to one search bot after another."""

import os
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

from cardhub.bots.processes.launch import end_all
from cardhub.bots.search.workers.worker_process import WorkerProcess


class WorkerProcesses:
    """Starts worker processes, lends each to one bot at a time, and ends them when it is closed.

    It is closed on finalization, too. They run the function `serve` of `module`.
    """

    def __init__(self, module: str, directories: Iterable[Path]) -> None:
        self._module = module
        self._directories = tuple(directories)
        self._lock = RLock()  # finalizers can run at any moment, in this thread, too
        self._start()

    def take(self) -> WorkerProcess:
        """Return an idle process, or start one; raises BotCrashError."""
        with self._lock:
            if self._owner != os.getpid():
                self._start()  # in a fork: the processes are those of the other process
            while self._idle:
                process = self._idle.pop()
                if process.is_running:
                    return process
                self._living.remove(process)
        process = WorkerProcess(self._module, self._directories)
        with self._lock:
            self._living.append(process)
        return process

    def give_back(self, process: WorkerProcess) -> None:
        """Return a process for another bot."""
        with self._lock:
            if process in self._living:  # it is not after `close`
                self._idle.append(process)

    def drop(self, process: WorkerProcess) -> None:
        """Kill a process and forget it."""
        process.kill()
        with self._lock:
            if process in self._living:
                self._living.remove(process)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._idle.clear()
        end_all(self._living, self._owner)

    def _start(self) -> None:
        self._owner = os.getpid()
        self._idle: list[WorkerProcess] = []
        self._living: list[WorkerProcess] = []
        weakref.finalize(self, end_all, self._living, self._owner)


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """The value of a Workers option: the number of processes that search, and a source of them.

    `spec` is that of the bot, which each worker creates, too.
    """

    count: int
    game: str
    spec: str
    processes: WorkerProcesses = field(repr=False)

    def take(self, seed: int) -> WorkerProcess:
        """Return a process with a new bot, whose generator has this seed; raises BotCrashError."""
        process = self.processes.take()
        process.begin(self.game, self.spec, seed)
        return process
