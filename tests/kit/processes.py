"""Processes that tests start."""

import os
from pathlib import Path


def is_running(pid: int) -> bool:
    """Return whether a process runs and is not a zombie."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat").read_text()
    except ProcessLookupError:
        return False
    except OSError:
        return not Path("/proc/self/stat").exists()
    return status.rpartition(")")[2].split()[0] != "Z"
