"""Processes that are lent to one borrower after another."""

import os
import weakref
from collections.abc import Callable, Hashable
from contextlib import suppress
from threading import RLock, Thread, current_thread
from typing import Generic, Protocol, TypeVar


class PooledProcess(Protocol):
    """A process that plays one game after another."""

    @property
    def is_usable(self) -> bool:
        """Whether the process can be lent again."""
        ...

    def close_input(self) -> None:
        """Close the input of the process, which ends it."""
        ...

    def close(self) -> None:
        """Close the input, kill the process after a timeout, and wait for its end."""
        ...

    def kill(self) -> None:
        """Kill the process."""
        ...


K = TypeVar("K", bound=Hashable)
P = TypeVar("P", bound=PooledProcess)


class Pool(Generic[K, P]):
    """A pool that starts processes, lends each to one borrower at a time, and ends them.

    `start`: a function that starts a process for a key; a process is lent only for its key. A
    `fresh` pool lends each process once: it ends a process that comes back, and starts the next one
    for the key in the background. `close` or the finalizer ends all processes. Any thread can call
    it.
    """

    def __init__(self, start: Callable[[K], P], *, fresh: bool = False) -> None:
        self._start_process = start
        self._is_fresh = fresh
        self._lock = RLock()  # reentrant, because finalizers can run at any time in this thread
        self._reset()

    def borrow(self, key: K) -> P:
        """Return an idle process for a key, or start a new one; raises as `start` does."""
        with self._lock:
            if self._owner != os.getpid():
                self._reset()  # in a fork, because the processes belong to the parent
            thread = self._preparing.get(key)
        if thread is not None:
            thread.join()
        process = self._pop_idle(key) or self._start(key)
        if self._is_fresh:
            with self._lock:
                thread = Thread(target=self._prepare, args=(key,), daemon=True)
                self._preparing[key] = thread
                thread.start()  # in the lock, because another borrower may join it
        return process

    def give_back(self, process: P) -> None:
        """Return a process to the pool."""
        with self._lock:
            key = self._living.get(process)
            if key is not None and not self._is_fresh:  # None after `close`, which has ended it
                self._idle.setdefault(key, []).append(process)
                return
        if key is not None:
            Thread(target=self._close_process, args=(process,), daemon=True).start()

    def discard(self, process: P) -> None:
        """Kill a process and remove it from the pool."""
        process.kill()
        with self._lock:
            self._living.pop(process, None)

    def close(self) -> None:
        """End all processes; new ones start on demand."""
        with self._lock:
            self._idle.clear()
            self._preparing.clear()
        _end_all(self._living, self._owner)

    def _reset(self) -> None:
        self._owner = os.getpid()
        self._living: dict[P, K] = {}
        self._idle: dict[K, list[P]] = {}
        # The threads that start the next processes of a fresh pool.
        self._preparing: dict[K, Thread] = {}
        weakref.finalize(self, _end_all, self._living, self._owner)

    def _start(self, key: K) -> P:
        process = self._start_process(key)
        with self._lock:
            self._living[process] = key
        return process

    def _pop_idle(self, key: K) -> P | None:
        while True:
            with self._lock:
                idle = self._idle.get(key)
                process = idle.pop() if idle else None
            if process is None or process.is_usable:
                return process
            self.discard(process)  # it has ended or misbehaved since its last game

    def _prepare(self, key: K) -> None:
        with suppress(Exception):  # the next borrower starts a process itself and gets the error
            process = self._start(key)
            with self._lock:
                if self._preparing.get(key) is current_thread():
                    self._idle.setdefault(key, []).append(process)
                    return
            self.discard(process)  # the pool was closed meanwhile

    def _close_process(self, process: P) -> None:
        process.close()
        with self._lock:
            self._living.pop(process, None)


def _end_all(living: dict[P, K], owner: int) -> None:
    """End processes that the process `owner` has started; used as a finalizer."""
    # A fork also has the finalizer, but the processes belong to their starter.
    if os.getpid() != owner:
        return
    # Empty the collection first, because the finalizer may run after `close`. Then close all inputs
    # before any wait, because the grace periods then run in parallel.
    ending = list(living)
    living.clear()
    for process in ending:
        process.close_input()
    for process in ending:
        process.close()
