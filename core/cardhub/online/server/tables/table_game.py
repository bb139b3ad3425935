"""The games of a table: starts, continues and ends them, and guards their records."""

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
from cardhub.online.server.tables.table_stage import count_winners
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.table_host import Host
from cardhub.play.records.reading import read_record
from cardhub.play.seating import Player
from cardhub.play.table_messages import Refused
from cardhub.play.workers.client import BotClient

# Seconds after which the server retries a game that could not be written.
RETRY_AFTER = 30.0
LOG = logging.getLogger("cardhub.online.server")
CANNOT_GO_ON = (
    "the code of this game failed, and the game cannot be continued from its record. "
    "fix: tell the host of the server, and open the table again later"
)

DISK_FAILS = (
    "the record of this game cannot be written now. Its actions are not lost. "
    "fix: ask the host of the server whether its disk is full"
)


def is_disk_error(error: Exception) -> bool:
    """Return whether a file could not be read or written because of the disk."""
    return isinstance(error, RecordError) and isinstance(error.__cause__, OSError)


class TableGame:
    """Sets the host of the table's last game in the context.

    `listeners` are called after each change of the game. `elsewhere`: the network bots by seat.
    `prepare` is called with a new host before its game continues. `guard` syncs records.
    """

    def __init__(
        self, context: TableContext, elsewhere: Mapping[int, BotClient], guard: "RecordGuard"
    ) -> None:
        self._context = context
        opener, scheduler = context.services.opener, context.scheduler
        self._opener = replace(
            opener,
            scheduler=scheduler,
            elsewhere=elsewhere,
            sync=guard.sync,
            share=context.share,
        )
        self.prepare: Callable[[Host], object] = lambda _: None
        self._is_counting_later = False
        self._why_stuck = ""  # the last reason in the log
        self.listeners: list[Callable[[], object]] = []

    def start(self, players: Sequence[Player], chairs: tuple[Chair, ...]) -> None:
        """Start the next game with these players and chairs; raises RefusedError."""
        context, file = self._context, self._context.file
        number = file.number + 1
        if number > context.services.limits.games:
            raise RefusedError("no more games can be played at this table. fix: make a new table")
        path = context.services.store.record(file.table, number)
        new = NewGame(file.game, players, file.options, record=path, helps=file.has_helps)
        try:
            if file.is_lesson:
                host = self._opener.start_lesson(file.game, path)
            else:
                host = self._opener.start(new)
        except CardhubError as error:
            raise RefusedError(f"the game cannot start: {context.public(error)}") from error
        try:
            changes = {} if context.host is None else count_winners(file, context.host)
            context.update(number=number, stage="playing", chairs=chairs, **changes)
        except RecordError as error:
            host.close()
            with suppress(OSError):
                path.unlink()
            raise RefusedError(f"the game cannot start: {context.public(error)}") from error
        self._adopt(host)

    def load(self) -> None:
        """Continue the last game from its record; raises CardhubError."""
        file, store = self._context.file, self._context.services.store
        store.drop_records_after(file.table, file.number)
        if file.number:
            self._open()

    def practice_opener(self, host: Host) -> Opener:
        """Return the opener for practice at the end of a game, with its pace and without programs.

        The programs of network bots play one game at a time.
        """
        return replace(self._opener, elsewhere={}, pace=host.turns.pace)

    @property
    def is_disconnected(self) -> bool:
        """Whether the game is unfinished and could not be continued from its record."""
        return self._context.host is None and self._context.stage == "playing"

    def restore(self, halted_by: str = "", *, lets_people_act: bool = False) -> None:
        """Roll back to the record, because after an exception the state may be ahead of it.

        `halted_by`: the message with which the game stops until the owner retries, or empty to
        continue. `lets_people_act`: stop only if a bot or an automatic action would follow. All
        clients are closed if the record cannot be continued.
        """
        host = self._context.host
        if host is None:
            return
        self.close()
        try:
            self._open(host.revision + 1, halted_by, lets_people_act=lets_people_act)
        except Exception as error:  # any exception of a game's code
            is_passing = is_disk_error(error)
            if is_passing:
                LOG.error("table %s cannot be continued: %s", self._context.file.table, error)
            else:
                LOG.exception("table %s cannot be continued", self._context.file.table)
            self.close()
            for channel in self._context.clients:
                channel.close(DISK_FAILS if is_passing else CANNOT_GO_ON, is_final=not is_passing)

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
        if is_finished:
            host = self._opener.reopen(path)
        else:
            resume = self._opener.resume_lesson if file.is_lesson else self._opener.resume
            host = resume(path)
        # Larger than all revisions that clients of an earlier process have seen.
        host.revision = max(host.step, revision)
        is_persons_turn = lets_people_act and not self._acts_automatically(host)
        self._adopt(host, "" if is_persons_turn else halted_by)

    def _acts_automatically(self, host: Host) -> bool:
        """Return whether a bot acts next, or a person's only legal action may be automatic."""
        chairs = self._context.chairs
        seats, people = host.choices.missing, host.people_to_act
        return len(people) < len(seats) or any(chairs[seat].plays_forced for seat in people)

    def _adopt(self, host: Host, halted_by: str = "") -> None:
        self.close()
        self._context.host = host
        self.prepare(host)
        host.subscribe(self._on_change)
        for seat in self._context.people():
            if self._context.chairs[seat].plays_forced:
                host.only_choice_seats.add(seat)
        self._on_change()
        if self._context.host is host and not host.is_over:
            host.begin(halted_by)
            self._log_if_stuck()

    def _on_change(self) -> None:
        host = self._context.host
        if host is None:
            return
        if host.activity.failure is not None:
            self._context.scheduler.call_soon(self._roll_back)
            return
        if host.is_over:
            self._end(host)
        self._log_if_stuck()
        for listener in self.listeners:
            listener()
        self._context.game_changed()

    def _log_if_stuck(self) -> None:
        """Log why the game does not go on, the same reason only once."""
        why = self._context.find_stage().why_stuck
        if why and why != self._why_stuck:
            self._why_stuck = why
            LOG.warning("the game of table %s is stuck: %s", self._context.file.table, why)

    def _end(self, host: Host) -> None:
        """Count the winners once. The record, not this count, decides whether a game is over."""
        context = self._context
        changes = count_winners(context.file, host) if context.host is host else {}
        if not changes:
            return
        try:
            context.update(stage="over", **changes)
        except RecordError as error:
            LOG.error("the end of a game cannot be written: %s", error)
            context.changed()
            if not self._is_counting_later:
                self._is_counting_later = True
                context.later(RETRY_AFTER, partial(self._count_again, host))

    def _count_again(self, host: Host) -> None:
        self._is_counting_later = False
        self._end(host)

    def _roll_back(self) -> None:
        """Roll back to the last state on disk; later states must not be published."""
        host = self._context.host
        if host is None or host.activity.failure is None:
            return
        why = (
            f"{self._context.public(host.activity.failure)}. The last step was undone. "
            "fix: free space on the server's disk, then try again"
        )
        # A bot that acted immediately would fail in an endless loop.
        self.restore(why, lets_people_act=True)
        host = self._context.host
        if host is not None and host.activity.halted_by:
            self._context.later(RETRY_AFTER, partial(self._retry, host))
            return
        for channel in self._context.clients:
            channel.send(Refused(why=why))

    def _retry(self, host: Host) -> None:
        """Continue a game that stopped because of a full disk; it may stop again."""
        if self._context.host is host and host.activity.halted_by:
            host.request("retry")


class RecordGuard:
    """Syncs the record of a table's game, and suspends the table during a slow sync.

    Therefore a step is published only after it is on disk, and other tables do not wait for it.
    """

    def __init__(self, context: TableContext, scheduler: TableScheduler) -> None:
        self._context, self._scheduler = context, scheduler
        self._due: Path | None = None

    def sync(self, file: IO[bytes]) -> None:
        """Sync the file of a record, in this thread or in another one; raises OSError."""
        syncs = self._context.services.syncs
        if syncs is None:
            sync(file)
        elif not syncs.is_slow:
            syncs.sync(file)
        elif self._due is None:
            # One sync for all lines of an action, which are written in this turn of the event loop.
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
