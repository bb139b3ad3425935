"""The memory of this process, which other processes of the same user must not read.

On Linux any program may read the memory of other programs of its user, and so the secret of a match
and the deals of its workers, unless the system forbids it. A process can forbid it for itself.
"""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Numbers of the system call `prctl`.
_GET, _SET = 3, 4
_HIDDEN = 0


def hide_memory() -> None:
    """Deny other processes without privileges the memory of this process, where possible."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET, _HIDDEN, 0, 0, 0)


def is_memory_hidden() -> bool:
    """Return whether other processes without privileges cannot read the memory of this process."""
    return sys.platform == "linux" and bool(ctypes.CDLL(None).prctl(_GET, 0, 0, 0, 0) == _HIDDEN)


@contextmanager
def hidden_memory() -> Iterator[None]:
    """Hide the memory of this process during the block, unless it is hidden anyway."""
    was_hidden = is_memory_hidden()
    hide_memory()
    try:
        yield
    finally:
        if sys.platform == "linux" and not was_hidden:
            ctypes.CDLL(None).prctl(_SET, 1, 0, 0, 0)
