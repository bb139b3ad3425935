"""The processors of this machine."""

import os


def processors() -> int:
    """Return the number of processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
