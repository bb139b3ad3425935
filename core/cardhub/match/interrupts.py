"""Ctrl-C and its like, heard at the right moment.

An exception that a signal raises anywhere can leave a lock held, get lost in a finalizer, or come
between a game and its line in the log. So signals wait, and are passed on where nothing can break.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType, TracebackType
from typing import Any, Self

HELD = (signal.SIGINT, signal.SIGTERM)
PATIENCE = 2.0
"""Seconds after which a signal that is repeated breaks off whatever is done."""


class Interrupts:
    """Holds signals back while its block lasts; `pass_on` lets whoever had them before have them.

    Those that follow one that was passed on are ignored: some shells and programs send two. But who
    repeats it after a while will not wait any longer.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._held: list[int] = []
        self._first = inf

    def __enter__(self) -> Self:
        if current_thread() is main_thread():  # nobody else hears signals
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
        for number, handler in self._before.items():
            if callable(handler):
                signal.signal(number, handler)
        if error is None:
            self.pass_on()

    @property
    def have_come(self) -> bool:
        """Whether there has been any signal."""
        return self._first < inf

    def pass_on(self) -> None:
        """Have a signal heard that came since; may raise KeyboardInterrupt or SystemExit."""
        if self._held:
            number = self._held.pop()
            self._before[number](number, None)

    def _hold(self, number: int, frame: FrameType | None) -> None:
        is_first, now = not self.have_come, monotonic()
        self._first = min(self._first, now)
        if _PLACE.is_breakable or now > self._first + PATIENCE:
            self._before[number](number, frame)
        elif is_first:
            self._held.append(number)


class _Place:
    """Whether what is being done may be broken off."""

    is_breakable = False


_PLACE = _Place()


@contextmanager
def breakable() -> Iterator[None]:
    """Have signals break off the block although they are held back outside of it."""
    try:
        _PLACE.is_breakable = True
        yield
    finally:
        _PLACE.is_breakable = False
