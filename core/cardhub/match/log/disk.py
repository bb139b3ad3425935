"""Writing files so that neither a full disk nor a power cut leaves half of anything."""

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
"""Syncing takes no more than one part in so many of the time between."""


class Lines:
    """A file to which whole lines are appended; use it as a `with` block.

    A line that the disk does not take wholly is taken back. With `is_synced`, lines are on disk,
    whatever becomes of the power, after `append` or, if syncing would take more than its share of
    the time, after a later one, at the latest after the block.
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
        """Write lines, given without their ends; raises OSError if not all can be written."""
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
    """Write a whole file that is on disk then; nobody ever sees a part of it. Raises MatchError."""
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
    """Turn what the system says of a file or folder into a MatchError."""
    try:
        yield
    except OSError as error:
        raise MatchError(f"{error.filename or path}: {error.strerror or error}") from error
