"""Lines typed at any time, also while the table goes on: read by a thread."""

import sys
from collections import deque
from functools import partial
from threading import Thread

from cardhub.play.host.scheduler import Scheduler


class TypedLines:
    """The lines of stdin that have not been taken yet, in the thread of a scheduler."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._lines: deque[str] = deque()
        self.is_over = False

    def begin(self) -> None:
        """Start to read; the thread ends with stdin, or with the process."""
        Thread(target=self._read, daemon=True).start()

    def __bool__(self) -> bool:
        return bool(self._lines)

    def take(self) -> str:
        """Return the first line that has not been taken."""
        return self._lines.popleft()

    def _read(self) -> None:
        for line in sys.stdin:
            text = line.strip()
            self._scheduler.call_soon(partial(self._lines.append, text))
        self._scheduler.call_soon(self._end)

    def _end(self) -> None:
        self.is_over = True
