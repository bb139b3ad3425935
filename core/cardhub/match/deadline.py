"""A limit in time for a call into a stranger's code."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from multiprocessing import parent_process
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

from cardhub.errors import Interruption

T = TypeVar("T")

NAG = 0.05
"""Seconds after which a call that swallowed the alarm gets another one."""
LAST_RESORT = 3
"""After so many times its limit in computing time, code that hears no alarm loses its process."""


class TooLateError(Exception):
    """A call has not returned within its time."""


class Alarm(Interruption):
    """Raised within the call; no Exception, lest that code takes it for one of its own."""


class Bell:
    """Interrupts a call by a signal: raises Alarm in it once `deadline`, set by `start`, is over.

    Its timers run on when a call has come back, and are set anew only when the next one would be
    broken off too early or too late: most calls need no system call at all. `thread` is where it
    is ready to ring. Whoever has started it sets `deadline` to `inf` when the call is back. To set
    it oneself is as good as `start`, if that would ring in time: no later than `deadline`, and for
    the same `seconds` as before, until `armed_until`.
    """

    def __init__(self) -> None:
        self.thread: int | None = None
        self.deadline = inf
        self.rings_at = inf
        self.seconds, self.armed_until = 0.0, -inf

    def start(self, seconds: float, now: float) -> None:
        """Let a call that begins now, by the monotonic clock, have so many seconds."""
        if now > self.armed_until or seconds != self.seconds:
            self._set_last_resort(seconds, now)
        self.deadline = deadline = now + seconds
        if deadline < self.rings_at:
            self._set(seconds, deadline)

    def put_away(self) -> None:
        """Stop all timers."""
        self.thread = None
        self.deadline = self.rings_at = inf
        self.seconds = 0.0
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def ring(self, number: int, frame: FrameType | None) -> None:
        """See signal.signal."""
        left = self.deadline - monotonic()
        if left == inf:
            self.rings_at = inf
        elif left > 0:
            self._set(left, self.deadline)
        else:
            self._set(NAG, self.deadline)
            raise Alarm

    def _set(self, seconds: float, when: float) -> None:
        self.rings_at = when
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def _set_last_resort(self, seconds: float, now: float) -> None:
        """Have a worker end if it computes for too long without hearing the alarm."""
        budget = LAST_RESORT * seconds + 1
        self.seconds, self.armed_until = seconds, now + budget / 10
        if is_worker():
            signal.setitimer(signal.ITIMER_VIRTUAL, budget)


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
    BELL.thread = get_ident()
    try:
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
        value, error = outcome.get(timeout=seconds)
    except Empty:
        raise TooLateError from None
    if error is not None:
        raise error
    result: T = value
    return result
