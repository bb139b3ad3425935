"""Schedulers: the clock of a host, and the one thread in which its callbacks run."""

import asyncio
import heapq
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from itertools import count
from queue import Empty, SimpleQueue
from threading import get_ident
from time import monotonic
from typing import Protocol

from typing_extensions import override

Callback = Callable[[], object]


class Timer(Protocol):
    """A callback scheduled for later."""

    def cancel(self) -> None:
        """Do not call it."""
        ...


class Scheduler(Protocol):
    """Runs the callbacks of a host one after another, all in one thread."""

    def now(self) -> float:
        """Return the time in seconds; only differences are meaningful."""
        ...

    def call_soon(self, callback: Callback) -> None:
        """Call `callback` soon, but not from within this method; safe from any thread."""
        ...

    def call_later(self, seconds: float, callback: Callback) -> Timer:
        """Call `callback` after some time; for the thread of the callbacks only."""
        ...


class LoopScheduler(Scheduler):
    """Runs callbacks in the asyncio loop in which it is used first.

    `failed` gets an exception of a callback; by default the loop's exception handler gets it.
    """

    def __init__(self, failed: Callable[[Exception], object] | None = None) -> None:
        self.failed = failed
        self._running: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        self._context = copy_context()

    @override
    def now(self) -> float:
        return monotonic()

    @override
    def call_soon(self, callback: Callback) -> None:
        loop = self._loop()
        with suppress(RuntimeError):  # it may have been closed meanwhile
            if get_ident() == self._thread:
                # Without a write to the pipe that wakes the loop.
                loop.call_soon(self._run, callback, context=self._context.copy())
            else:
                loop.call_soon_threadsafe(self._run, callback, context=self._context.copy())

    @override
    def call_later(self, seconds: float, callback: Callback) -> Timer:
        return self._loop().call_later(seconds, self._run, callback)

    def _loop(self) -> asyncio.AbstractEventLoop:
        # Not in the constructor: a table is opened before the loop of its front end runs.
        if self._running is None:
            self._running, self._thread = asyncio.get_running_loop(), get_ident()
            # Callbacks from other threads need the context variables of the front end as well.
            self._context = copy_context()
        return self._running

    def _run(self, callback: Callback) -> None:
        try:
            callback()
        except Exception as error:  # any exception of a game's code belongs to the front end
            if self.failed is None:
                raise
            self.failed(error)


class BlockingScheduler(Scheduler):
    """Runs callbacks in the thread that calls `run_until`, and waits there for further ones."""

    def __init__(self) -> None:
        self._soon: SimpleQueue[Callback] = SimpleQueue()
        self._later: list[_Later] = []
        self._numbers = count()

    @override
    def now(self) -> float:
        return monotonic()

    @override
    def call_soon(self, callback: Callback) -> None:
        self._soon.put(callback)

    @override
    def call_later(self, seconds: float, callback: Callback) -> Timer:
        timer = _Later(self.now() + seconds, next(self._numbers), callback)
        heapq.heappush(self._later, timer)
        return timer

    def run_until(self, holds: Callable[[], bool]) -> None:
        """Run callbacks until a condition holds; it is checked whenever no callback is due."""
        while not (self._soon.empty() and holds()):
            self._next()()

    def _next(self) -> Callback:
        """Return the next callback, waiting until there is one that is due."""
        while self._later and self._later[0].is_cancelled:
            heapq.heappop(self._later)
        wait = max(self._later[0].due - self.now(), 0) if self._later else None
        try:
            return self._soon.get(timeout=wait)
        except Empty:
            return heapq.heappop(self._later).callback


class _Later(Timer):
    """A timer of a BlockingScheduler, ordered by its time."""

    def __init__(self, due: float, number: int, callback: Callback) -> None:
        self.due = due
        self.number = number
        self.callback = callback
        self.is_cancelled = False

    @override
    def cancel(self) -> None:
        self.is_cancelled = True

    def __lt__(self, other: "_Later") -> bool:
        return (self.due, self.number) < (other.due, other.number)
