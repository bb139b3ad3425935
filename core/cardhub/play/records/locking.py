"""Locks on records and match logs: only one program writes to a file at a time."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cardhub.errors import RecordError

if TYPE_CHECKING:
    from filelock import FileLock

BUSY = "this game is being played in another terminal; leave it there first"


@contextmanager
def reserve(path: Path, busy: str = BUSY) -> Iterator[None]:
    """Lock a file for this program; raises RecordError, saying `busy`, if another one has it.

    The system releases the lock when the process ends, even if it is killed. The hidden lock file
    beside the locked one is removed with the block; one that a killed process left is reused.
    """
    try:
        path.open("rb").close()
        target = path.resolve()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    # Windows denies other handles access to locked bytes, so the file itself cannot be locked.
    lock_file = target.with_name(f".{target.name}.lock")
    if not (lock := _acquired(lock_file, f"{path}: {busy}")):
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes it on release instead
            lock_file.unlink()
        lock.release()


def _acquired(lock_file: Path, busy: str) -> "FileLock | None":
    """Return the lock, None where locks are not supported; raises RecordError if it is busy."""
    from filelock import FileLock, Timeout  # imported here: not every command writes a file

    lock = FileLock(lock_file, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise RecordError(busy) from None
    except OSError:
        return None  # some network drives
    return lock
