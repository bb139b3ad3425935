"""Processes that tests start: whether they run, and waiting for them."""

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep


def is_running(pid: int) -> bool:
    """Return whether a process runs and is no zombie."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat").read_text()
    except ProcessLookupError:
        return False
    except OSError:
        return not Path("/proc/self/stat").exists()
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until a condition holds; fail after some seconds."""
    end = monotonic() + seconds
    while not holds():
        assert monotonic() < end, "the condition never held"
        sleep(0.02)
