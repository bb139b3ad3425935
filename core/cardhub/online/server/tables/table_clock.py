"""The clock of a table across games and restarts, and the webhook calls at turns."""

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
# The minimum time in seconds of the person to act after a restart of the server.
LEAST_AFTER_RESTART = 300.0


class TableClock:
    """Sets the clock of each game, saves its times on disk, and calls the webhook.

    `on_expired` is called with the seat whose time has run out.
    """

    def __init__(self, context: TableContext, on_expired: Callable[[int], object]) -> None:
        self._context = context
        self._on_expired = on_expired
        self._file = ProgressFile()
        self._seat: int | None = None

    def attach(self, host: Host) -> None:
        """Set the clock of a game, with the saved times of an earlier process."""
        context = self._context
        self._seat = None
        if host.is_over:
            return
        file = context.services.store.progress(context.file.table)
        is_same = file.number == context.file.number
        self._file = file if is_same else ProgressFile(number=context.file.number)
        if context.file.clock:
            control, seats = TimeControl.parse(context.file.clock), len(host.players)
            host.clock = Clock(control, seats, context.scheduler, self._on_expired)
            if len(self._file.left) == seats:
                host.clock.restore(ClockTimes(self._saved_times(), self._file.turn))

    def due_in(self) -> float | None:
        """Return the seconds until the running time ends, or None if no clock is running."""
        clock = None if self._context.host is None else self._context.host.clock
        if clock is None or clock.running is None:
            return None
        return clock.left(clock.running)

    def state(self, seat: int) -> ClockState | None:
        """Return the time of a seat, or None without a clock."""
        clock = None if self._context.host is None else self._context.host.clock
        if clock is None:
            return None
        return ClockState(seconds_left=round(clock.left(seat), 1), is_running=clock.running == seat)

    def game_changed(self) -> None:
        """Save the times at the start of each turn, and call the webhook of an absent person."""
        context, host = self._context, self._context.host
        if host is None or host.is_over or host.seat in (self._seat, CHANCE):
            return
        self._seat = host.seat
        must_call = self._file.called != host.seat and self._is_away(host)
        self._file = msgspec.structs.replace(self._file, called=host.seat)
        if host.clock is not None or context.file.webhook:
            # Save first, because after a restart the person must not be called again.
            self.save()
        if must_call:
            file, name = context.file, context.chairs[host.seat].name
            network = context.share.network
            context.services.call_person(file.webhook, file.table, host.title, name, network)

    def save(self) -> None:
        """Save the current times."""
        context, host = self._context, self._context.host
        if host is None:
            return
        if host.clock is not None:
            times, seconds = host.clock.state(), context.services.time()
            self._file = msgspec.structs.replace(
                self._file, left=times.left, turn=times.turn, at=seconds
            )
        # Without the file a restart gives the current turn more time, but the game continues.
        try:
            context.services.store.save_progress(context.file.table, self._file)
        except RecordError as error:
            LOG.error("the times of a table cannot be saved: %s", error)

    def _saved_times(self) -> tuple[float, ...]:
        """Return the saved times, less the time of the turn while the table was unloaded."""
        left, turn = list(self._file.left), self._file.turn
        if turn is not None and self._context.is_by_days:
            services = self._context.services
            elapsed = max(services.time() - self._file.at, 0.0)
            # The person could not act while the server was down.
            least = LEAST_AFTER_RESTART if self._file.at < services.started else 0.0
            left[turn] = max(left[turn] - elapsed, min(left[turn], least))
        return tuple(left)

    def _is_away(self, host: Host) -> bool:
        """Return whether the person to act must be called by the webhook."""
        context = self._context
        is_person = bool(context.file.webhook) and context.plays(host.seat)
        return is_person and not context.is_here(host.seat)
