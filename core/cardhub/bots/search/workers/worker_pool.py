"""The worker processes of a program, which are lent to one search bot after another."""

import os
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

from cardhub.bots.processes.launch import end_all
from cardhub.bots.search.workers.worker_process import WorkerProcess


class WorkerProcesses:
    """A pool that starts worker processes, lends each to one bot at a time, and ends them.

    `close` or the finalizer ends all processes. They run the function `serve` of `module`.
    """

    def __init__(self, module: str, directories: Iterable[Path]) -> None:
        self._module = module
        self._directories = tuple(directories)
        self._lock = RLock()  # reentrant, because finalizers can run at any time in this thread
        self._start()

    def take(self) -> WorkerProcess:
        """Return an idle process, or start a new one; raises BotCrashError."""
        with self._lock:
            if self._owner != os.getpid():
                self._start()  # in a fork, because the processes belong to the parent
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
        """Return a process to the pool, for another bot."""
        with self._lock:
            if process in self._living:  # false after `close`
                self._idle.append(process)

    def drop(self, process: WorkerProcess) -> None:
        """Kill a process and remove it from the pool."""
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
    """The value of a Workers option: the number of processes that search, and their pool.

    `spec`: the bot's spec, with which each worker also creates the bot.
    """

    count: int
    game: str
    spec: str
    processes: WorkerProcesses = field(repr=False)

    def take(self, seed: int) -> WorkerProcess:
        """Return a process with a new bot; `seed`: its generator's seed. Raises BotCrashError."""
        process = self.processes.take()
        process.begin(self.game, self.spec, seed)
        return process
