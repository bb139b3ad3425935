"""The games of a table: started, continued after a restart, and ended."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO

from cardhub.base.errors import CardhubError, RecordError
from cardhub.base.files import sync
from cardhub.online.server.tables.storage.table_store import Chair
from cardhub.online.server.tables.table_context import RefusedError, TableContext
from cardhub.online.server.tables.table_scheduler import TableScheduler
from cardhub.online.wire.server_messages import Refused
from cardhub.play.host.opening import NewGame
from cardhub.play.host.table_host import Host
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import Sync
from cardhub.play.seating import Player
from cardhub.play.workers.client import BotClient

# Seconds after which a game that could not be written goes on by itself.
RETRY_AFTER = 30.0
LOG = logging.getLogger("cardhub.online.server")
CANNOT_GO_ON = (
    "the code of this game failed, and the table cannot go on from its record. "
    "fix: tell the host of the server, and open the table again later"
)


class TableGame:
    """Keeps the host of the table's last game in the context; `listeners` hear of its changes.

    `elsewhere` has the bots that connect over the network, by seat. `prepare` is called with a new
    host before its game goes on. `sync` syncs records.
    """

    def __init__(
        self, context: TableContext, elsewhere: Mapping[int, BotClient], sync: Sync
    ) -> None:
        self._context = context
        opener, scheduler = context.services.opener, context.scheduler
        self._opener = replace(opener, scheduler=scheduler, elsewhere=elsewhere, sync=sync)
        self.prepare: Callable[[Host], object] = lambda _: None
        self.listeners: list[Callable[[], object]] = []

    def start(self, players: Sequence[Player], chairs: tuple[Chair, ...]) -> None:
        """Start the next game, with its players on their chairs; raises RefusedError."""
        context, file = self._context, self._context.file
        number = file.number + 1
        if number > context.services.limits.games:
            raise RefusedError("this table has had all its games. fix: make a new table")
        path = context.services.store.record(file.table, number)
        new = NewGame(file.game, players, file.options, record=path, helps=file.has_helps)
        try:
            host = self._opener.start(new)
        except CardhubError as error:
            raise RefusedError(f"the game cannot start: {context.public(error)}") from error
        try:
            context.update(number=number, stage="playing", chairs=chairs)
        except RecordError as error:
            host.close()
            with suppress(OSError):
                path.unlink()
            raise RefusedError(f"the game cannot start: {context.public(error)}") from error
        self._take(host)

    def load(self) -> None:
        """Continue the last game from its record; raises CardhubError."""
        file, store = self._context.file, self._context.services.store
        store.drop_records_after(file.table, file.number)
        if file.number:
            self._open()

    @property
    def is_disconnected(self) -> bool:
        """Whether the game runs, but could not be continued from its record."""
        return self._context.host is None and self._context.file.stage == "playing"

    def restore(self, halted_by: str = "", *, lets_people_act: bool = False) -> None:
        """Go back to the record, as the state may be ahead of it after an exception.

        With `halted_by`, a text for visitors, the game stands still until the owner retries; with
        `lets_people_act` only where a bot or a forced action would follow at once. All visitors are
        closed if the record cannot be continued.
        """
        host = self._context.host
        if host is None:
            return
        self.close()
        try:
            self._open(host.revision + 1, halted_by, lets_people_act=lets_people_act)
        except Exception:  # any exception of a game's code
            LOG.exception("table %s cannot go on", self._context.file.table)
            self.close()
            for visitor in self._context.clients:
                visitor.close(CANNOT_GO_ON)

    def close(self) -> None:
        """Release the record and the bots."""
        host, self._context.host = self._context.host, None
        if host is not None:
            host.close()

    def _open(
        self, revision: int = 0, halted_by: str = "", *, lets_people_act: bool = False
    ) -> None:
        file, store = self._context.file, self._context.services.store
        path = store.record(file.table, file.number)
        is_finished = read_record(path).is_finished
        host = self._opener.reopen(path) if is_finished else self._opener.resume(path)
        # Larger than any revision that clients of an earlier process have seen.
        host.revision = max(host.step, revision)
        is_persons_turn = lets_people_act and not self._acts_by_itself(host)
        host.halted_by = "" if is_persons_turn else halted_by
        self._take(host)

    def _acts_by_itself(self, host: Host) -> bool:
        """Return whether a bot is to act, or an action may be forced upon a person."""
        chairs = self._context.chairs
        is_forced = host.seat in range(len(chairs)) and chairs[host.seat].plays_forced
        return host.is_bots_turn or is_forced

    def _take(self, host: Host) -> None:
        self.close()
        self._context.host = host
        self.prepare(host)
        host.subscribe(self._changed)
        for seat in self._context.people():
            if self._context.chairs[seat].plays_forced:
                host.only_choice_seats.add(seat)
        self._changed()
        if self._context.host is host and not host.is_over:
            host.begin()

    def _changed(self) -> None:
        host = self._context.host
        if host is None:
            return
        if host.failure is not None:
            self._context.scheduler.call_soon(self._go_back)
            return
        if host.is_over:
            self._end(host)
        for listener in self.listeners:
            listener()
        self._context.game_changed()

    def _end(self, host: Host) -> None:
        """Note the winners once; the record alone tells that the game is over."""
        file = self._context.file
        if file.scored == file.number:
            return
        scores = dict(file.scores)
        for seat in host.winners:
            name = host.players[seat].name
            scores[name] = scores.get(name, 0) + 1
        # After a failure it is noted when the game is loaded again.
        with suppress(RecordError):
            self._context.update(stage="over", scored=file.number, scores=scores)

    def _go_back(self) -> None:
        """Return to the last state on disk: the state after it must not be told to anybody."""
        host = self._context.host
        if host is None or host.failure is None:
            return
        why = (
            f"{self._context.public(host.failure)}. The last step does not count. "
            "fix: free space on the server's disk, then try again"
        )
        # A bot that acted again at once would fail again at once, and so on.
        self.restore(why, lets_people_act=True)
        host = self._context.host
        if host is not None and host.halted_by:
            self._context.later(RETRY_AFTER, partial(self._retry, host))
            return
        for visitor in self._context.clients:
            visitor.send(Refused(why=why))

    def _retry(self, host: Host) -> None:
        """Let a game go on that stands still for a full disk; without space it halts again."""
        if self._context.host is host and host.halted_by:
            host.request("retry")


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
