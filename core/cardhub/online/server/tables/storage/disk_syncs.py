"""Syncs of records to the disk, in threads where the disk is slow: no table waits for others'."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import IO

from cardhub.base.errors import RecordError
from cardhub.base.files import record_access, sync
from cardhub.play.host.scheduler import Scheduler

# Seconds; a thread takes about as long to be told as a disk in memory.
SLOW = 0.0003
# The system writes the files of several threads together.
THREADS = 8

# Is called once a file is on disk, or with the error.
Done = Callable[[RecordError | None], object]


class DiskSyncs:
    """Syncs files of all tables; `scheduler` is that of the thread that all methods belong to."""

    def __init__(self, scheduler: Scheduler, clock: Callable[[], float] = perf_counter) -> None:
        self._scheduler, self._clock = scheduler, clock
        self._threads = ThreadPoolExecutor(THREADS, "disk")
        self._seconds = 0.0  # that a sync took of late

    @property
    def is_slow(self) -> bool:
        """Whether a sync is better done in a thread."""
        return self._seconds > SLOW

    def sync(self, file: IO[bytes]) -> None:
        """Sync an open file at once; raises OSError."""
        begun = self._clock()
        sync(file)
        self._note(self._clock() - begun)

    def sync_later(self, path: Path, done: Done) -> None:
        """Sync a file in a thread, and call `done` by the scheduler."""
        self._threads.submit(self._sync, path, done)

    def close(self) -> None:
        """Wait for the syncs that have begun."""
        self._threads.shutdown()

    def _sync(self, path: Path, done: Done) -> None:
        error, begun = None, self._clock()
        try:
            # Not created again if it has been deleted.
            with record_access(path, "written"), path.open("r+b") as file:
                sync(file)
        except RecordError as found:
            error = found
        seconds = self._clock() - begun
        self._scheduler.call_soon(lambda: self._end(seconds, error, done))

    def _end(self, seconds: float, error: RecordError | None, done: Done) -> None:
        self._note(seconds)
        done(error)

    def _note(self, seconds: float) -> None:
        self._seconds += 0.1 * (seconds - self._seconds)
