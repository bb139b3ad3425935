"""Waiting for an answer, but not for time in which nobody could give one."""

from queue import Empty, SimpleQueue
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

SLICE = 0.05
"""How long it is waited at a time, in seconds."""
STOPPED = 0.2
"""Seconds by which something has to be late before this process is taken to have been stopped."""


def get_within(queue: SimpleQueue[T], seconds: float) -> T:
    """Return what comes next in a queue; raises Empty if nothing does within so many seconds.

    Time in which this process was stopped (Ctrl-Z, a frozen container) does not count. It shows as
    a wait that takes much longer than it was meant to.
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
