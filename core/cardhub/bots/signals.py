"""Signals during third-party code: they interrupt the code and are never its fault.

The code may swallow the exception of a signal handler or raise another exception instead. So the
received signal distinguishes an interruption from a fault, not the type of the exception.
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
# Seconds within which a signal to the process group reaches this process, after other processes.
GROUP_GRACE = 0.2


class Interrupted(Interruption):
    """Raised in a bot's code or in the analysis after a signal.

    The DeferredSignals context that raised it always catches it.
    """


class SignalState:
    """The state of signal handling in this process.

    `thread`: the thread that defers signals, or None. `is_interruptible`: whether a signal may
    interrupt the thread's current code. A bot is called between `enter` and `leave`.
    """

    def __init__(self) -> None:
        self.thread: int | None = None
        self.is_interruptible = False
        self.has_received = False

    def reset(self, thread: int | None) -> None:
        """Set the thread that defers signals, or None, and clear received signals."""
        self.thread, self.is_interruptible, self.has_received = thread, False, False

    def enter(self) -> None:
        """Allow signals to interrupt the following code, if this thread defers signals."""
        if self.thread == get_ident():
            self.is_interruptible = True

    def leave(self, before: bool) -> None:
        """Restore `is_interruptible`; raises Interrupted if a signal has come since `enter`."""
        if self.thread == get_ident():
            self.is_interruptible = before
        if self.has_received:
            raise Interrupted


# A singleton, because a process has one handler for each signal.
SIGNALS = SignalState()


@contextmanager
def record_signals() -> Iterator[list[int]]:
    """Yield a list that collects the block's signals; the previous handlers still run."""
    received: list[int] = []
    before: dict[int, Any] = {}
    handler = _Recorder(received, before)
    if current_thread() is main_thread():  # Python sets and runs handlers only in this thread
        for number in TERMINATING:
            previous = signal.getsignal(number)
            # SIG_IGN and SIG_DFL are not functions: an ignored signal stays ignored.
            if callable(previous):
                before[number] = previous
                signal.signal(number, handler)
    try:
        yield received
    finally:
        for replaced, previous in before.items():
            if signal.getsignal(replaced) is handler:  # do not replace a handler that the code set
                signal.signal(replaced, previous)


class _Recorder:
    """A handler that records a signal and calls the previous handler."""

    # A class instead of a partial: Python's `signal` formats a handler whenever it is set or read,
    # and formatting a partial's content took most of the time of a short block.

    def __init__(self, received: list[int], before: dict[int, Any]) -> None:
        self._received = received
        self._before = before

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self._received.append(number)
        self._before[number](number, frame)
