"""Durable writes: neither a full disk nor a power failure leaves a partial line or file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from cardhub.errors import MatchError
from cardhub.files import sync, sync_folder

SHARE = 50
"""At most one part in SHARE of the time is spent on fsync."""


class Lines:
    """Append-only file of whole lines; use it as a context manager.

    A partial write is truncated. With `is_synced`, lines are synced to disk by `append` or, if
    that would exceed the share of time for fsync, by a later `append` or on exit.
    """

    def __init__(self, path: Path, *, is_synced: bool = False) -> None:
        self._file = path.open("ab", buffering=0)
        self._is_synced = is_synced
        self._is_behind = False
        self._due = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._file:
            if self._is_behind:
                self._sync()

    def append(self, *lines: str) -> None:
        """Write lines, given without line ends; raises OSError unless all are written."""
        size = self._file.seek(0, os.SEEK_END)
        left = memoryview("".join(f"{line}\n" for line in lines).encode())
        try:
            while left:
                left = left[self._file.write(left) or 0 :]
        except OSError:
            with suppress(OSError):
                self._file.truncate(size)
            raise
        self._is_behind = self._is_synced
        if self._is_behind and monotonic() >= self._due:
            self._sync()

    def _sync(self) -> None:
        begun = monotonic()
        sync(self._file)
        self._is_behind = False
        self._due = monotonic() + SHARE * (monotonic() - begun)


def replace_file(path: Path, text: str) -> None:
    """Replace a file atomically and sync it to disk; raises MatchError."""
    new = path.with_name(path.name + ".new")
    with explained(path):
        try:
            with new.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                sync(file)
            new.replace(path)
        except OSError:
            with suppress(OSError):
                new.unlink()
            raise
        sync_folder(path.parent)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Convert an OSError into a MatchError that names the file."""
    try:
        yield
    except OSError as error:
        raise MatchError(f"{error.filename or path}: {error.strerror or error}") from error
