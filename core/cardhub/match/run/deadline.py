"""A limit in time for a call into third-party code.

Time in which this process is stopped does not count: after Ctrl-Z, SIGSTOP, or with a frozen
container nobody is late. (While a computer is suspended, the monotonic clock stands still anyway.)
A process is not told for how long it was stopped, but it misses the ticks of its timer meanwhile.
They are counted by the C part of Python's signal handling, which writes a byte for each to a pipe:
so code that holds the interpreter's lock for long is not mistaken for a stopped process.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from multiprocessing import parent_process
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

from cardhub.bots.waiting import STOPPED, get_within
from cardhub.match.run.signals import PENDING, Interrupted

T = TypeVar("T")

TICK = 0.05
"""Seconds between two rings: a call that swallowed the alarm gets another one so soon."""
LAST_RESORT = 3
"""After so many times its limit in computing time, code that hears no alarm loses its process."""
CHUNK = 1 << 16


class TooLateError(Exception):
    """A call has not returned within its time."""


class Alarm(BaseException):
    """Raised within the call; no Exception, lest that code takes it for one of its own."""


class Bell:
    """Interrupts a call by a signal: raises Alarm in it once `deadline`, set by `start`, is over.

    A timer ticks all the while between `open` and `put_away`, so most calls need no system call.
    `thread` is where it is ready to ring. Whoever has started it sets `deadline` to `inf` when the
    call is back. To set it oneself is as good as `start` if the timer ticks before, no later than
    `rings_at`, and for the same `seconds` as before, until `armed_until`.

    `lost` are the seconds in which this process was stopped while the bell was ready.
    """

    def __init__(self) -> None:
        self.thread: int | None = None
        self.deadline = inf
        self.rings_at = inf
        self.seconds, self.armed_until = 0.0, -inf
        self.lost = 0.0
        self._ticks = _Ticks()
        self._last = 0.0

    def open(self) -> None:
        """Be ready to ring in this thread."""
        self._ticks.start()
        self._last = now = monotonic()
        self._set(TICK, now)
        self.thread = get_ident()

    def start(self, seconds: float, now: float) -> None:
        """Let a call that begins now, by the monotonic clock, have so many seconds."""
        if now > self.armed_until or seconds != self.seconds:
            self._set_last_resort(seconds, now)
        self.deadline = deadline = now + seconds
        if deadline < self.rings_at:
            self._set(seconds, now)

    def put_away(self) -> None:
        """Stop all timers."""
        self.thread = None
        self.deadline = self.rings_at = inf
        self.seconds = 0.0
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self._ticks.end()

    def ring(self, number: int, frame: FrameType | None) -> None:
        """See signal.signal."""
        now = monotonic()
        missed = now - self._last - TICK * self._ticks.count()
        if missed > STOPPED:
            self.lost += missed
            self.deadline += missed
        self._last, self.rings_at = now, now + TICK
        if self.deadline <= now:
            raise Alarm
        if self.deadline < inf and PENDING.have_come:
            raise Interrupted  # once more, as the code may have swallowed the first one
        if self.deadline < self.rings_at:
            self._set(self.deadline - now, now)

    def _set(self, seconds: float, now: float) -> None:
        self.rings_at = now + seconds
        signal.setitimer(signal.ITIMER_REAL, seconds, TICK)

    def _set_last_resort(self, seconds: float, now: float) -> None:
        """Have a worker end if it computes for too long without hearing the alarm."""
        budget = LAST_RESORT * seconds + 1
        self.seconds, self.armed_until = seconds, now + budget / 10
        if is_worker():
            signal.setitimer(signal.ITIMER_VIRTUAL, budget)


class _Ticks:
    """Counts the signals SIGALRM that this process was sent, unless others count signals."""

    def __init__(self) -> None:
        self._pipe: tuple[int, int] | None = None
        self._is_counting = False

    def start(self) -> None:
        """Count from now on."""
        if self._pipe is None:
            self._pipe = os.pipe()
            for end in self._pipe:
                os.set_blocking(end, False)
        before = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        self._is_counting = before == -1
        if not self._is_counting:
            signal.set_wakeup_fd(before)
        self.count()

    def end(self) -> None:
        """Count no more."""
        if self._is_counting:
            signal.set_wakeup_fd(-1)

    def count(self) -> float:
        """Return how many there were since the last time; infinite if nobody knows."""
        if self._pipe is None or not self._is_counting:
            return inf
        found = 0
        with suppress(BlockingIOError):
            while sent := os.read(self._pipe[0], CHUNK):
                found += sent.count(signal.SIGALRM)
        return found


BELL = Bell()
"""The only one, as a process has one alarm."""


def within(seconds: float | None, call: Callable[[], T]) -> T:
    """Return what a call returns; raises TooLateError if that takes longer.

    In the main thread of a POSIX system the call is broken off, unless it is deep in compiled code;
    then the process ends if it is a worker. Elsewhere it goes on in a thread, left alone.
    """
    if seconds is None:
        return call()
    if BELL.thread == get_ident():
        return _rung(seconds, call)
    if not _hears_signals():
        return _left_alone(seconds, call)
    with alarms():
        return _rung(seconds, call)


@contextmanager
def alarms() -> Iterator[None]:
    """Keep the bell ready for all calls in the block, so that each costs next to nothing."""
    if BELL.thread == get_ident() or not _hears_signals():
        yield
        return
    before = signal.signal(signal.SIGALRM, BELL.ring)
    try:
        BELL.open()
        yield
    finally:
        BELL.put_away()
        signal.signal(signal.SIGALRM, before)


def _rung(seconds: float, call: Callable[[], T]) -> T:
    try:
        BELL.start(seconds, monotonic())
        try:
            return call()
        finally:
            BELL.deadline = inf
    except Alarm:
        BELL.deadline = inf  # should it have come just before that was done
        raise TooLateError from None


def is_worker() -> bool:
    """Return whether this process is one of several that play games, and can be replaced."""
    return parent_process() is not None


def _hears_signals() -> bool:
    return os.name == "posix" and current_thread() is main_thread()


def _left_alone(seconds: float, call: Callable[[], T]) -> T:
    """Wait for a call in a thread, but not longer than it has time."""
    outcome: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            outcome.put((call(), None))
        except BaseException as error:  # noqa: BLE001  # raised again in the thread that waits
            outcome.put((None, error))

    Thread(target=run, daemon=True).start()
    try:
        value, error = get_within(outcome, seconds)
    except Empty:
        raise TooLateError from None
    if error is not None:
        raise error
    result: T = value
    return result
