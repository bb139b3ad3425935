"""Files: read within limits, written so that they survive a loss of power, locked while in use."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from cardhub.errors import RecordError

if TYPE_CHECKING:
    from filelock import FileLock

if sys.platform == "darwin":
    from fcntl import F_FULLFSYNC, fcntl

MOST_LINE = 1_000_000
"""Bytes of a line; those of real records and logs are far below."""
MOST_FILE = 100_000_000
"""Bytes of a file that is read whole."""
NO_DISK = (errno.EINVAL, errno.ENOTSUP, errno.EROFS)
"""What systems say of something that cannot be synced, such as a pipe."""


class LimitError(Exception):
    """A file or one of its lines is too long to be read; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading; raises OSError for a pipe or a device, which never ends."""
    if not stat.S_ISREG(path.stat().st_mode):
        kind = errno.EISDIR if path.is_dir() else errno.EINVAL
        raise OSError(kind, "it is a directory" if path.is_dir() else "it is not a regular file")
    return path.open("rb")


def read_lines(path: Path, longest: int = MOST_LINE, most: int = MOST_FILE) -> Iterator[bytes]:
    """Yield the lines of a file with their ends; never holds more than one in memory.

    Raises OSError if it cannot be read, and LimitError before a line or the file gets too long.
    """
    left, number = most, 0
    with open_file(path) as file:
        while line := file.readline(longest + 1):
            number, left = number + 1, left - len(line)
            if len(line) > longest:
                raise LimitError(number, f"the line is longer than {longest:,} bytes")
            if left < 0:
                raise LimitError(number, f"the file is longer than {most:,} bytes")
            yield line


def read_within(path: Path, most: int = MOST_FILE) -> bytes:
    """Return the content of a file; raises OSError, or LimitError before it gets too long."""
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise LimitError(1, f"the file is longer than {most:,} bytes")
    return data


def unused_path(folder: Path, stem: str, suffix: str, separator: str = "_") -> Path:
    """Return the first of `stem`, `stem_2`, `stem_3` and so on that is not in a folder yet."""
    path, number = folder / f"{stem}{suffix}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}{separator}{number}{suffix}"
    return path


@contextmanager
def record_access(path: Path, verb: str) -> Iterator[None]:
    """Raise RecordError for an OSError in the block: `game.jsonl cannot be written: ...`."""
    try:
        yield
    except OSError as error:
        raise RecordError(f"{path} cannot be {verb}: {error.strerror}") from error


def sync(file: IO[str] | IO[bytes]) -> None:
    """Return when what was written to a file is on disk; raises OSError if it cannot get there."""
    file.flush()
    try:
        if sys.platform == "darwin":
            fcntl(file.fileno(), F_FULLFSYNC)  # fsync leaves data in the cache of the disk there
        else:
            os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in NO_DISK:
            raise


def sync_folder(folder: Path) -> None:
    """Return when the names of new files in a folder are on disk; nothing where no system can."""
    if os.name == "nt":
        return
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a folder one may write to but not read
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in NO_DISK:
            raise
    finally:
        os.close(number)


@contextmanager
def reserve(path: Path, busy: str) -> Iterator[None]:
    """Lock a file for this program; raises RecordError, saying `busy`, if another one has it.

    The system releases the lock when the process ends, even if it is killed. The hidden lock file
    beside the locked one is removed with the block; one that a killed process left is reused.
    """
    with record_access(path, "read"):
        path.open("rb").close()
        target = path.resolve()
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
