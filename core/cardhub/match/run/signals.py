"""Signals that end the program, raised only where nothing can be lost and never blamed on a bot.

An exception that a signal raises anywhere can leave a lock held, get lost in a finalizer, or come
between a game and its line in the log. So signals are held, and raised at safe points. Only code
that may take long is broken off at once: that of bots, and the analysis. Such code may swallow the
exception or raise another one in its place. Hence what tells an interruption from a bot's fault is
never an exception's type, but whether a signal has been received.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType, TracebackType
from typing import Any, Self

HELD = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
PATIENCE = 2.0
"""Seconds after which a repeated signal breaks off whatever is done."""


class Interrupted(BaseException):
    """Breaks off a bot's code or the analysis since a signal was received; no Exception, as Alarm.

    It never leaves the block of the Interrupts that caused it.
    """


class Pending:
    """Whether signals are held in this process, and whether one was received.

    `thread` is the one that holds them, if any; `is_breakable` says whether what it does may be
    broken off. A bot is called between `enter` and `leave`.
    """

    def __init__(self) -> None:
        self.thread: int | None = None
        self.is_breakable = False
        self.have_come = False

    def enter(self) -> None:
        """Let signals break off what follows, if they are held in this thread."""
        if self.thread == get_ident():
            self.is_breakable = True

    def leave(self, before: bool) -> None:
        """Set `is_breakable` as it was; raises Interrupted if a signal was received meanwhile."""
        if self.thread == get_ident():
            self.is_breakable = before
        if self.have_come:
            raise Interrupted


PENDING = Pending()
"""The only one, as a process has one handler for each signal."""


class Interrupts:
    """Holds signals back while its block lasts; `pass_on` calls the handlers they had before.

    Those that follow a first one are ignored: some shells and programs send two. After a while a
    repeated one is not held any more.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._held: list[int] = []
        self._first = inf

    def __enter__(self) -> Self:
        # Only the main thread runs signal handlers; a match in a match leaves them as they are.
        if current_thread() is main_thread() and PENDING.thread is None:
            PENDING.thread, PENDING.is_breakable, PENDING.have_come = get_ident(), False, False
            self._before = {n: signal.getsignal(n) for n in HELD}
            for number in HELD:
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
        PENDING.thread, PENDING.is_breakable, PENDING.have_come = None, False, False
        for number, handler in self._before.items():
            if callable(handler):
                signal.signal(number, handler)
        if error is None or isinstance(error, Interrupted):
            self.pass_on()

    @property
    def have_come(self) -> bool:
        """Whether there has been any signal."""
        return self._first < inf

    def pass_on(self) -> None:
        """Call the handler of a held signal; it may raise KeyboardInterrupt or SystemExit."""
        if self._held:
            number = self._held.pop()
            self._before[number](number, None)

    def _hold(self, number: int, frame: FrameType | None) -> None:
        now = monotonic()
        if not self.have_come:
            self._first = now
            self._held.append(number)
            PENDING.have_come = True
        if PENDING.is_breakable:
            PENDING.is_breakable = False  # the way out is not interrupted by a second signal
            raise Interrupted
        if now > self._first + PATIENCE:
            self._held.clear()
            self._before[number](number, frame)


@contextmanager
def breakable() -> Iterator[None]:
    """Have signals break off the block although they are held back outside of it."""
    if PENDING.thread != get_ident():
        yield
        return
    before = PENDING.is_breakable
    try:
        PENDING.enter()
        yield
    finally:
        PENDING.is_breakable = before
