"""Wait for an answer, without counting time in which this process was stopped."""

from queue import Empty, SimpleQueue
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

SLICE = 0.05
"""Duration of one wait, in seconds."""
STOPPED = 0.2
"""Delay of a wait, in seconds, from which this process is assumed to have been stopped."""


def get_within(queue: SimpleQueue[T], seconds: float) -> T:
    """Return the next item of a queue; raises Empty after a timeout in seconds.

    Time in which this process was stopped (Ctrl-Z, a frozen container) does not count. It is
    detected by a wait that takes much longer than its timeout.
    """
    left = max(seconds, 0.0)
    while True:
        wait, begun = min(left, SLICE), monotonic()
        try:
            return queue.get(timeout=wait)
        except Empty:
            took = monotonic() - begun
            left -= took if took < wait + STOPPED else wait
            if left <= 0:
                raise
