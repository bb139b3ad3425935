"""Files: reading within limits, durable writing, and locks."""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from cardhub.base.errors import RecordError

if TYPE_CHECKING:
    from filelock import FileLock

if sys.platform == "darwin":
    from fcntl import F_FULLFSYNC, fcntl

# The maximum length of a line in bytes; real records and logs are far below it.
MOST_LINE = 1_000_000
# The maximum size in bytes of a file that is read as a whole.
MOST_FILE = 100_000_000
# The error numbers for files that cannot be synced, such as pipes.
NO_DISK = (errno.EINVAL, errno.ENOTSUP, errno.EROFS)


class LimitError(Exception):
    """A file or one of its lines is too long to be read; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def is_file(path: Path) -> bool:
    """Return whether a path is a file; False for names that no file can have."""
    try:
        return path.is_file()
    except OSError:
        return False  # the name is too long, or a parent folder is not accessible


def files_below(folder: Path) -> list[Path]:
    """Return the files in a folder and its folders, sorted, without compiled code of Python."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts and path.is_file()
    ]


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading; raises OSError for any other kind."""
    # A pipe or a device may never end.
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


def numbered_paths(folder: Path, stem: str, suffix: str, separator: str = "_") -> Iterator[Path]:
    """Yield `stem`, `stem_2`, `stem_3` and so on in a folder, without end."""
    yield folder / f"{stem}{suffix}"
    yield from (folder / f"{stem}{separator}{number}{suffix}" for number in count(2))


def write_unused(paths: Iterable[Path], text: str) -> Path:
    """Write a text to the first path without a file, and return that path; raises OSError.

    The file is created, not looked up: of two programs with the same names, neither overwrites the
    file of the other.
    """
    for path in paths:
        try:
            path.open("x").close()
        except FileExistsError:
            continue
        try:
            replace_text(path, text)
        except BaseException:  # also Ctrl-C
            with suppress(OSError):
                path.unlink()
            raise
        return path
    raise FileExistsError(errno.EEXIST, "all names are taken")


@contextmanager
def record_access(path: Path, verb: str) -> Iterator[None]:
    """Raise RecordError for an OSError in the block: `game.jsonl cannot be written: ...`."""
    try:
        yield
    except OSError as error:
        raise RecordError(f"{path} cannot be {verb}: {error.strerror}") from error


def sync(file: IO[str] | IO[bytes]) -> None:
    """Write the buffered data of a file to disk and wait for it; raises OSError."""
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
    """Write the names of new files in a folder to disk, where the system supports it."""
    if os.name == "nt":
        return
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a folder with permission to write but not to read
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in NO_DISK:
            raise
    finally:
        os.close(number)


def replace_text(path: Path, text: str) -> None:
    """Replace a file atomically and sync it to disk; raises OSError."""
    replace_bytes(path, text.encode("utf-8"))


def replace_bytes(path: Path, data: bytes) -> None:
    """Replace a file as `replace_text` does; raises OSError."""
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as file:
            file.write(data)
            sync(file)
        # Synced before it is renamed: after a power failure the path has the old or new data.
        new.replace(path)
    except BaseException:  # also Ctrl-C
        with suppress(OSError):
            new.unlink()
        raise
    sync_folder(path.parent)


@contextmanager
def reserve(path: Path, busy: str, *, is_new: bool = False) -> Iterator[None]:
    """Lock a file for this program; raises RecordError, saying `busy`, if another one has it.

    With `is_new` the file may be missing. The system releases the lock when the process ends, even
    if it is killed. The hidden lock file in the same folder is removed with the block; a lock file
    that a killed process left is reused.
    """
    with record_access(path, "read"):
        if not is_new:
            path.open("rb").close()
        target = path.resolve()
    # Windows denies other handles access to locked bytes, so the file itself cannot be locked.
    lock_file = _lock_file(target)
    if not (lock := _acquired(lock_file, f"{path}: {busy}")):
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes it on release instead
            lock_file.unlink()
        lock.release()


def is_reserved(path: Path) -> bool:
    """Return whether a program has locked a file with `reserve`."""
    lock_file = _lock_file(path.resolve())
    if not lock_file.exists():
        return False
    from filelock import FileLock, Timeout  # imported here, as below

    # A killed program leaves the file, but not the lock.
    lock = FileLock(lock_file, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        return True
    except OSError:
        return False
    lock.release()
    return False


def _lock_file(target: Path) -> Path:
    return target.with_name(f".{target.name}.lock")


def _acquired(lock_file: Path, busy: str) -> "FileLock | None":
    # None where locks are not supported, as on some network drives: better no lock than no game.
    from filelock import FileLock, Timeout  # imported here: not every command writes a file

    lock = FileLock(lock_file, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise RecordError(busy) from None
    except OSError:
        return None
    return lock
