"""The clock of a table across games and restarts, and the webhook calls at turns."""

import logging
from collections.abc import Callable, Sequence

import msgspec

from cardhub.base.errors import RecordError
from cardhub.online.server.tables.storage.table_store import ProgressFile
from cardhub.online.server.tables.table_context import TableContext
from cardhub.online.wire.server_messages import ClockState
from cardhub.play.host.table_host import Host
from cardhub.play.host.turns.clock import Clock, TimeControl

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
        # The seats to act, and the number of actions before them if they choose at the same time.
        self._turn: tuple[Sequence[int], int] | None = None

    def attach(self, host: Host) -> None:
        """Set the clock of a game, with the saved times of an earlier process."""
        context = self._context
        self._turn = None
        if host.is_over:
            return
        file = context.services.store.progress(context.file.table)
        is_same = file.number == context.file.number
        self._file = file if is_same else ProgressFile(number=context.file.number)
        if context.file.clock:
            control, seats = TimeControl.parse(context.file.clock), len(host.players)
            host.clock = Clock(control, seats, context.scheduler, self._on_expired)
            if len(self._file.left) == seats:
                host.clock.restore(self._saved_times(), self._file.running)

    def due_in(self) -> float | None:
        """Return the seconds until the running time ends, or None if no clock is running."""
        clock = None if self._context.host is None else self._context.host.clock
        if clock is None:
            return None
        return min(map(clock.left, clock.running), default=None)

    def state(self, seat: int) -> ClockState | None:
        """Return the time of a seat, or None without a clock."""
        clock = None if self._context.host is None else self._context.host.clock
        if clock is None:
            return None
        return ClockState(seconds_left=round(clock.left(seat), 1), is_running=seat in clock.running)

    def game_changed(self) -> None:
        """Save the times at the start of each turn, and call the webhooks of absent people."""
        context, host = self._context, self._context.host
        if host is None or host.is_over or not host.choices.asked:
            return
        asked = host.choices.asked
        turn = asked, len(host.acting_seats()) if host.choices.is_round else 0
        if turn == self._turn:
            return
        # After a start, people who were called before it must not be called again.
        called = self._file.called if self._turn is None else ()
        self._turn = turn
        called_seats = called if isinstance(called, tuple) else (called,)
        away = [seat for seat in asked if seat not in called_seats and self._is_away(seat)]
        last = tuple(asked) if len(asked) > 1 else asked[0]
        self._file = msgspec.structs.replace(self._file, called=last)
        if host.clock is not None or context.file.webhook:
            # Save first, because after a restart the people must not be called again.
            self.save()
        file, network = context.file, context.share.network
        for seat in away:
            name = context.chairs[seat].name
            context.services.call_person(file.webhook, file.table, host.title, name, network)

    def save(self) -> None:
        """Save the current times."""
        context, host = self._context, self._context.host
        if host is None:
            return
        if host.clock is not None:
            left, seats = host.clock.state()
            self._file = msgspec.structs.replace(
                self._file,
                left=left,
                turn=seats[0] if seats else None,
                turns=seats if len(seats) > 1 else (),
                at=context.services.time(),
            )
        # Without the file a restart gives the current turn more time, but the game continues.
        try:
            context.services.store.save_progress(context.file.table, self._file)
        except RecordError as error:
            LOG.error("the times of a table cannot be saved: %s", error)

    def _saved_times(self) -> tuple[float, ...]:
        """Return the saved times, less the time of the turn while the table was unloaded."""
        left, turns = list(self._file.left), self._file.running
        if turns and self._context.is_by_days:
            services = self._context.services
            elapsed = max(services.time() - self._file.at, 0.0)
            # People could not act while the server was down.
            least = LEAST_AFTER_RESTART if self._file.at < services.started else 0.0
            for turn in turns:
                left[turn] = max(left[turn] - elapsed, min(left[turn], least))
        return tuple(left)

    def _is_away(self, seat: int) -> bool:
        """Return whether the person of a seat must be called by the webhook."""
        context = self._context
        is_person = bool(context.file.webhook) and context.plays(seat)
        return is_person and not context.is_here(seat)
