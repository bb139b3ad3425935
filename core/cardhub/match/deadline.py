"""A limit in time for a call into a stranger's code."""

import os
import signal
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

NAG = 0.05
"""Seconds after which a call that swallowed the alarm gets another one."""
LAST_RESORT = 3
"""After so many times its limit in computing time, code that hears no alarm loses its process."""


class TooLateError(Exception):
    """A call has not returned within its time."""


class _Alarm(BaseException):
    """Raised within the call; no Exception, lest that code takes it for one of its own."""


def within(seconds: float | None, call: Callable[[], T], *, is_expendable: bool = False) -> T:
    """Return what a call returns; raises TooLateError if that takes longer.

    In the main thread of a POSIX system the call is broken off, unless it is deep in compiled code;
    then the process ends if it `is_expendable`. Elsewhere it goes on in a thread, left alone.
    """
    if seconds is None:
        return call()
    if os.name == "posix" and current_thread() is main_thread():
        return _Bell(seconds, is_expendable).ring_for(call)
    return _left_alone(seconds, call)


class _Bell:
    """Interrupts a call by a signal."""

    def __init__(self, seconds: float, is_expendable: bool) -> None:
        self._seconds = seconds
        self._is_expendable = is_expendable
        self._is_set = False

    def ring_for(self, call: Callable[[], T]) -> T:
        before = signal.signal(signal.SIGALRM, self._ring)
        try:
            return self._timed(call)
        except _Alarm:
            raise TooLateError from None
        finally:
            self._stop()
            signal.signal(signal.SIGALRM, before)

    def _timed(self, call: Callable[[], T]) -> T:
        self._is_set = True
        signal.setitimer(signal.ITIMER_REAL, self._seconds, NAG)
        if self._is_expendable:
            signal.setitimer(signal.ITIMER_VIRTUAL, LAST_RESORT * self._seconds + 1)
        try:
            return call()
        finally:
            self._stop()

    def _stop(self) -> None:
        self._is_set = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._is_expendable:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._is_set:
            raise _Alarm


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
