"""The guard of a table's record: a table stands still until its last lines are on disk."""

from pathlib import Path
from typing import IO

from cardhub.base.errors import RecordError
from cardhub.base.files import sync
from cardhub.online.server.tables.table_context import TableContext
from cardhub.online.server.tables.table_scheduler import TableScheduler


class RecordGuard:
    """Syncs the record of a table's game, and holds the table meanwhile if that takes long.

    So nobody is told of a step that could still be lost, and no other table waits for this disk.
    """

    def __init__(self, context: TableContext, scheduler: TableScheduler) -> None:
        self._context, self._scheduler = context, scheduler
        self._due: Path | None = None

    def sync(self, file: IO[bytes]) -> None:
        """Sync the file of a record, now or by a thread; raises OSError."""
        syncs = self._context.services.syncs
        if syncs is None:
            sync(file)
        elif not syncs.is_slow:
            syncs.sync(file)
        elif self._due is None:
            # Once for all lines of an action, and after them: they are written in this turn.
            self._due = Path(file.name)
            self._scheduler.hold()
            self._context.services.opener.scheduler.call_soon(self._begin)

    def _begin(self) -> None:
        path, self._due = self._due, None
        syncs, host = self._context.services.syncs, self._context.host
        assert path is not None
        assert syncs is not None

        def done(error: RecordError | None) -> None:
            if error is not None and host is not None and host is self._context.host:
                host.fail(error)
            self._scheduler.release()

        syncs.sync_later(path, done)
