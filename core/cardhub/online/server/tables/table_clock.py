"""The clock of a table over its games and restarts, and calls to people whose turn it is."""

import logging
from collections.abc import Callable

import msgspec

from cardhub.base.errors import RecordError
from cardhub.model.table.state import CHANCE
from cardhub.online.server.tables.storage.table_store import ProgressFile
from cardhub.online.server.tables.table_context import TableContext
from cardhub.online.wire.server_messages import ClockState
from cardhub.play.host.table_host import Host
from cardhub.play.host.turns.clock import Clock, ClockTimes, TimeControl

LOG = logging.getLogger("cardhub.online.server")
# Seconds that the person to act has at least after a restart of the server.
LEAST_AFTER_RESTART = 300.0


class TableClock:
    """Sets the clock of each game, keeps its times on disk, and calls people by the webhook.

    `expired` is called with the seat whose time has run out.
    """

    def __init__(self, context: TableContext, expired: Callable[[int], object]) -> None:
        self._context = context
        self._expired = expired
        self._file = ProgressFile()
        self._seat: int | None = None

    def attach(self, host: Host) -> None:
        """Give a game its clock, with the times of an earlier process."""
        context = self._context
        self._seat = None
        if host.is_over:
            return
        file = context.services.store.course(context.file.table)
        is_same = file.number == context.file.number
        self._file = file if is_same else ProgressFile(number=context.file.number)
        if context.file.clock:
            control, seats = TimeControl.parse(context.file.clock), len(host.players)
            host.clock = Clock(control, seats, context.scheduler, self._expired)
            if len(self._file.left) == seats:
                host.clock.restore(ClockTimes(self._left(), self._file.turn))

    def due_in(self) -> float | None:
        """Return the seconds until the running time ends; None if none runs."""
        clock = None if self._context.host is None else self._context.host.clock
        if clock is None or clock.running is None:
            return None
        return clock.left(clock.running)

    def state(self, seat: int) -> ClockState | None:
        """Return the time of a seat; None without a clock."""
        clock = None if self._context.host is None else self._context.host.clock
        if clock is None:
            return None
        return ClockState(seconds_left=round(clock.left(seat), 1), is_running=clock.running == seat)

    def game_changed(self) -> None:
        """Keep the times at the beginning of each turn, and call the person to act."""
        context, host = self._context, self._context.host
        if host is None or host.is_over or host.seat in (self._seat, CHANCE):
            return
        self._seat = host.seat
        must_call = self._file.called != host.seat and self._is_away(host)
        self._file = msgspec.structs.replace(self._file, called=host.seat)
        if host.clock is not None or context.file.webhook:
            # First: a person is called once in a turn, also if the server starts again meanwhile.
            self.save()
        if must_call:
            file, name = context.file, context.chairs[host.seat].name
            context.services.call_person(file.webhook, file.table, host.title, name)

    def save(self) -> None:
        """Write the times of now."""
        context, host = self._context, self._context.host
        if host is None:
            return
        if host.clock is not None:
            times, now = host.clock.state(), context.services.time()
            self._file = msgspec.structs.replace(
                self._file, left=times.left, turn=times.turn, at=now
            )
        # Without it a restart gives the present turn more time: the game goes on all the same.
        try:
            context.services.store.save_course(context.file.table, self._file)
        except RecordError as error:
            LOG.error("the times of a table cannot be kept: %s", error)

    def _left(self) -> tuple[float, ...]:
        """Return the times of the file; that of the turn ran on while the table was put away."""
        left, turn = list(self._file.left), self._file.turn
        if turn is not None and self._context.is_by_days:
            services = self._context.services
            gone = max(services.time() - self._file.at, 0.0)
            # While no server ran, the person could not act.
            least = LEAST_AFTER_RESTART if self._file.at < services.started else 0.0
            left[turn] = max(left[turn] - gone, min(left[turn], least))
        return tuple(left)

    def _is_away(self, host: Host) -> bool:
        """Return whether the person to act has to be called."""
        context = self._context
        is_person = bool(context.file.webhook) and context.plays(host.seat)
        return is_person and not context.is_here(host.seat)
