"""Syncs of records to the disk, in threads if the disk is slow; other tables do not wait."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import IO

from cardhub.base.errors import RecordError
from cardhub.base.files import record_access, sync
from cardhub.play.host.scheduler import Scheduler

# In seconds: a faster sync takes less time than passing it to a thread.
SLOW = 0.0003
# The operating system combines writes of several threads.
THREADS = 8

# Called with None after a file is on disk, or with the error.
OnSynced = Callable[[RecordError | None], object]


class DiskSyncs:
    """Syncs files of all tables. Call all methods in the thread of `scheduler`."""

    def __init__(self, scheduler: Scheduler, clock: Callable[[], float] = perf_counter) -> None:
        self._scheduler, self._clock = scheduler, clock
        self._threads = ThreadPoolExecutor(THREADS, "disk")
        self._seconds = 0.0  # moving average of the duration of a sync

    @property
    def is_slow(self) -> bool:
        """Whether syncs should run in threads."""
        return self._seconds > SLOW

    def sync(self, file: IO[bytes]) -> None:
        """Sync an open file in this thread; raises OSError."""
        begun = self._clock()
        sync(file)
        self._update_mean(self._clock() - begun)

    def sync_later(self, path: Path, on_synced: OnSynced) -> None:
        """Sync a file in another thread, and call `on_synced` in the scheduler's thread."""
        self._threads.submit(self._sync, path, on_synced)

    def close(self) -> None:
        """Wait for pending syncs."""
        self._threads.shutdown()

    def _sync(self, path: Path, on_synced: OnSynced) -> None:
        error, begun = None, self._clock()
        try:
            # This mode does not create the file again if it was deleted.
            with record_access(path, "written"), path.open("r+b") as file:
                sync(file)
        except RecordError as failure:
            error = failure
        seconds = self._clock() - begun

        def end() -> None:
            self._update_mean(seconds)
            on_synced(error)

        self._scheduler.call_soon(end)

    def _update_mean(self, seconds: float) -> None:
        self._seconds += 0.1 * (seconds - self._seconds)
