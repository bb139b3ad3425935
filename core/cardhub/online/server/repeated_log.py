"""A log in which a problem that repeats takes one line a minute, with the number of times."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Timer

# Seconds between two lines about the same problem.
EVERY = 60.0
# The maximum number of different problems a minute; further ones share one line.
MOST_PROBLEMS = 100
OTHERS = ("other", "problems")

# Calls a function after a number of seconds.
CallLater = Callable[[float, Callable[[], None]], object]


@dataclass(slots=True)
class _Problem:
    """The last text of a problem, and how often it came since the last line about it."""

    text: str
    count: int = 0


def call_in_thread(seconds: float, callback: Callable[[], None]) -> None:
    """Call `callback` after some seconds in a thread that does not keep the process alive."""
    timer = Timer(seconds, callback)
    timer.daemon = True
    timer.start()


class RepeatedLog:
    """Logs problems of clients and of other servers, which can come any number of times.

    The first line about a problem comes at once, the next ones once a minute with the number of
    times. Safe to use from any thread.
    """

    def __init__(self, log: logging.Logger, call_later: CallLater = call_in_thread) -> None:
        self._log = log
        self._call_later = call_later
        self._problems: dict[tuple[str, ...], _Problem] = {}
        self._lock = Lock()

    def warn(self, key: tuple[str, ...], text: str) -> None:
        """Log a problem; problems with the same key are counted as one."""
        with self._lock:
            if len(self._problems) >= MOST_PROBLEMS and key not in self._problems:
                key = OTHERS
            if problem := self._problems.get(key):
                problem.text = text
                problem.count += 1
                return
            self._problems[key] = _Problem(text)
            if len(self._problems) == 1:
                self._call_later(EVERY, self._report)
        self._log.warning("%s", text)

    def _report(self) -> None:
        """Log the number of times for each problem, and forget the problems that have ended."""
        with self._lock:
            repeated = [problem for problem in self._problems.values() if problem.count]
            lines = [f"{problem.text} ({problem.count} more in a minute)" for problem in repeated]
            self._problems = {key: _Problem(p.text) for key, p in self._problems.items() if p.count}
            if self._problems:
                self._call_later(EVERY, self._report)
        for line in lines:
            self._log.warning("%s", line)
