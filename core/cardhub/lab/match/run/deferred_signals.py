"""Signal handling: termination signals take effect at safe points and are never faults of bots.

An exception raised by a signal handler at an arbitrary point can leave a lock held, get lost in a
finalizer, or separate a game from its line in the log. Therefore signals are deferred to safe
points. Only long-running code is interrupted immediately: bots and the analysis. This code may
swallow the exception or raise a different one, so an interruption is distinguished from a bot's
fault by whether a signal was received, never by the type of the exception.
"""

import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from math import inf
from threading import current_thread, get_ident, main_thread
from time import monotonic, sleep
from types import FrameType, TracebackType
from typing import Any, Self

from cardhub.bots.deadline import GROUP_GRACE, SIGNALS, TERMINATING, Interrupted

# Seconds after the first signal until a repeated one is delivered immediately.
PATIENCE = 2.0


# Raised when worker processes are gone: a signal to the whole process group also ends them.
WORKERS_LOST = (EOFError, ConnectionError, BrokenExecutor)


class DeferredSignals:
    """Context manager that defers signals; `deliver` calls their previous handlers.

    Signals after the first are ignored, because some shells and programs send two. After PATIENCE
    seconds a repeated signal is delivered immediately.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._pending: list[int] = []
        self._first = inf

    def __enter__(self) -> Self:
        # Only the main thread runs signal handlers; a nested match leaves them unchanged.
        if current_thread() is main_thread() and SIGNALS.thread is None:
            SIGNALS.reset(get_ident())
            self._before = {n: signal.getsignal(n) for n in TERMINATING}
            for number in TERMINATING:
                if callable(self._before[number]):
                    signal.signal(number, self._defer)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._before:
            return
        if is_worker_lost := isinstance(error, WORKERS_LOST):
            sleep(GROUP_GRACE)
        # All handlers are restored before one is called, because it may raise.
        SIGNALS.reset(None)
        for number, handler in self._before.items():
            if callable(handler):
                signal.signal(number, handler)
        # Other errors are bugs or faults, which an exit by signal would hide.
        if error is None or is_worker_lost or isinstance(error, Interrupted):
            self.deliver()

    @property
    def has_received(self) -> bool:
        """Whether a signal was received."""
        return self._first < inf

    def deliver(self) -> None:
        """Call the handler of a pending signal; it may raise KeyboardInterrupt or SystemExit."""
        if self._pending:
            number = self._pending.pop()
            self._before[number](number, None)

    def _defer(self, number: int, frame: FrameType | None) -> None:
        now = monotonic()
        if not self.has_received:
            self._first = now
            self._pending.append(number)
            SIGNALS.has_received = True
        if SIGNALS.is_interruptible:
            SIGNALS.is_interruptible = False  # a second signal must not interrupt the clean-up
            raise Interrupted
        # The user insists, while uninterruptible code has not reached a safe point.
        if now > self._first + PATIENCE:
            self._pending.clear()
            self._before[number](number, frame)


@contextmanager
def interruptible() -> Iterator[None]:
    """Deliver signals immediately within the block, although they are deferred outside it."""
    if SIGNALS.thread != get_ident():
        yield
        return
    before = SIGNALS.is_interruptible
    try:
        SIGNALS.enter()
        yield
    finally:
        SIGNALS.is_interruptible = before
