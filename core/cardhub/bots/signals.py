"""Signals while third-party code runs: they interrupt it and are never its fault.

Such code may swallow the exception of a signal handler or raise another one in its place. So an
interruption is distinguished from a fault by whether a signal was received, never by the type of
the exception.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, get_ident, main_thread
from types import FrameType
from typing import Any

from cardhub.base.errors import Interruption

# Signals that end the program.
TERMINATING = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
# Seconds in which a signal to the whole group, having ended other processes, reaches this one.
GROUP_GRACE = 0.2


class Interrupted(Interruption):
    """Raised in a bot's code or the analysis after a signal.

    It never leaves the context of the HeldSignals that raised it.
    """


class SignalState:
    """State of signal handling in this process.

    `thread` is the thread that holds signals, if any; `is_interruptible` says whether its current
    code may be interrupted. A bot is called between `enter` and `leave`.
    """

    def __init__(self) -> None:
        self.thread: int | None = None
        self.is_interruptible = False
        self.has_received = False

    def reset(self, thread: int | None) -> None:
        """Set the thread that holds signals, None for none, and clear received signals."""
        self.thread, self.is_interruptible, self.has_received = thread, False, False

    def enter(self) -> None:
        """Let signals interrupt the following code, if this thread holds them."""
        if self.thread == get_ident():
            self.is_interruptible = True

    def leave(self, before: bool) -> None:
        """Restore `is_interruptible`; raises Interrupted if a signal was received meanwhile."""
        if self.thread == get_ident():
            self.is_interruptible = before
        if self.has_received:
            raise Interrupted


# Singleton, as a process has one handler for each signal.
SIGNALS = SignalState()


@contextmanager
def record_signals() -> Iterator[list[int]]:
    """Yield a list that collects the signals of this block; the previous handlers still run."""
    received: list[int] = []
    before: dict[int, Any] = {}
    handler = _Recorder(received, before)
    if current_thread() is main_thread():  # Python sets and runs handlers in this thread only
        for number in TERMINATING:
            previous = signal.getsignal(number)
            # SIG_IGN and SIG_DFL are no functions: an ignored signal stays ignored.
            if callable(previous):
                before[number] = previous
                signal.signal(number, handler)
    try:
        yield received
    finally:
        for replaced, previous in before.items():
            if signal.getsignal(replaced) is handler:  # keep a handler that the code has set
                signal.signal(replaced, previous)


class _Recorder:
    """A handler that records a signal and calls the handler before it."""

    # No partial: Python's `signal` formats a handler whenever it is set or read, and so all that a
    # partial contains, which took most of the time of a short block.

    def __init__(self, received: list[int], before: dict[int, Any]) -> None:
        self._received = received
        self._before = before

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self._received.append(number)
        self._before[number](number, frame)
