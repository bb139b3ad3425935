"""Signal handling: termination signals take effect at safe points and are never faults of bots.

An exception raised by a signal handler at an arbitrary point can leave a lock held, get lost in a
finalizer, or separate a game from its line in the log. Therefore signals are held, and delivered at
safe points. Only long-running code is interrupted at once: bots and the analysis. Such code may
swallow the exception or raise another one in its place, so an interruption is distinguished from a
bot's fault by whether a signal was received, never by the type of the exception.
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

from cardhub.bots.signals import GROUP_GRACE, SIGNALS, TERMINATING, Interrupted

# Seconds after the first signal until a repeated one is delivered at once.
PATIENCE = 2.0


# Raised when worker processes are gone: a signal to the whole process group ends them as well.
LOST = (EOFError, ConnectionError, BrokenExecutor)


class HeldSignals:
    """Context manager that holds signals; `deliver` calls their previous handlers.

    Signals after the first are ignored: some shells and programs send two. After PATIENCE seconds
    a repeated signal is not held any more.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._held: list[int] = []
        self._first = inf

    def __enter__(self) -> Self:
        # Only the main thread runs signal handlers; a nested match leaves them unchanged.
        if current_thread() is main_thread() and SIGNALS.thread is None:
            SIGNALS.reset(get_ident())
            self._before = {n: signal.getsignal(n) for n in TERMINATING}
            for number in TERMINATING:
                if callable(self._before[number]):
                    signal.signal(number, self._hold)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._before:
            return
        if is_disconnected := isinstance(error, LOST):
            sleep(GROUP_GRACE)
        # The handlers come back before one is called: it may raise, and this is the last chance.
        SIGNALS.reset(None)
        for number, handler in self._before.items():
            if callable(handler):
                signal.signal(number, handler)
        # Any other error is a bug or a fault, which an exit by signal would hide.
        if error is None or is_disconnected or isinstance(error, Interrupted):
            self.deliver()

    @property
    def has_received(self) -> bool:
        """Whether a signal was received."""
        return self._first < inf

    def deliver(self) -> None:
        """Call the handler of a held signal; it may raise KeyboardInterrupt or SystemExit."""
        if self._held:
            number = self._held.pop()
            self._before[number](number, None)

    def _hold(self, number: int, frame: FrameType | None) -> None:
        now = monotonic()
        if not self.has_received:
            self._first = now
            self._held.append(number)
            SIGNALS.has_received = True
        if SIGNALS.is_interruptible:
            SIGNALS.is_interruptible = False  # a second signal must not interrupt the clean-up
            raise Interrupted
        # The code is not interruptible and has not come to a safe point: the user insists.
        if now > self._first + PATIENCE:
            self._held.clear()
            self._before[number](number, frame)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let signals interrupt the block at once although they are held outside of it."""
    if SIGNALS.thread != get_ident():
        yield
        return
    before = SIGNALS.is_interruptible
    try:
        SIGNALS.enter()
        yield
    finally:
        SIGNALS.is_interruptible = before
