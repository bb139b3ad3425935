"""Turns of bots: one question at a time, answered at a pace that people can follow."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import Any, Literal, Protocol

from cardhub.base.errors import BotFaultError, BotTimeoutError
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.beats import Beat
from cardhub.play.history_entries import Entry, Taken, TakenBack, Undone
from cardhub.play.host.scheduler import Scheduler, Timer
from cardhub.play.host.turns.forced_pauses import ForcedPauses
from cardhub.play.table_commands import PaceRequest
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.client import BotClient

# Seconds after which a bot that was asked to hurry can be stopped.
UNRESPONSIVE_AFTER = 1.0
# Seconds without an answer after which people are asked whether to wait.
ASK_TO_WAIT_AFTER = 60.0
MAX_PACE = 3.0

# `thinking`: the bot has not answered. `hurried`: as `thinking`, and it was asked to hurry; its
# answer counts even in a pause. `answered`: the answer waits until the pace allows it.
Progress = Literal["thinking", "hurried", "answered"]


class Table(Protocol):
    """The table that asks its bots."""

    def on_answer(self, answer: object) -> None:
        """Handle a bot's action, or its BotFaultError."""
        ...

    def notify(self) -> None:
        """Call the listeners, because a bot has become slow or unresponsive."""
        ...


@dataclass(eq=False, slots=True)
class _Turn:
    """The turn of a bot: when it began and was hurried, and when people are asked to wait.

    `pause`: the least seconds of thinking if the bot has one legal action, else None. `is_early`:
    the answer came before, and the bot seems to think. `reading`: the seconds that people read
    before the time of the turn begins. `is_secret`: nobody sees the action yet, so it waits
    neither for the pace nor for the end of a pause.
    """

    seat: int
    started_at: float
    slow_after: float
    pause: float | None
    reading: float
    is_secret: bool
    is_early: bool = False
    progress: Progress = "thinking"
    hurried_at: float = 0.0
    answer: object = None


class BotTurns:
    """Asks one bot at a time, and passes its answer on to the table when the pace allows.

    A turn begins with `start`, and ends when its answer is passed on. An answer to a turn that has
    ended otherwise is dropped.

    | progress | event | next |
    |---|---|---|
    | no turn | `start` | thinking |
    | thinking | request `step` or `skip` | hurried |
    | thinking | the only legal action, sooner than a bot that has a choice | thinking |
    | thinking | an answer in a pause, or too early for the pace | answered |
    | hurried | an answer without a pause, too early for the pace | answered |
    | thinking, hurried | another answer | no turn |
    | answered | request `step` or `skip`, the end of the pause, the end of the pace | no turn |
    | any | `cancel`, request `stop` | no turn |
    """

    def __init__(
        self,
        bots: BotClient,
        scheduler: Scheduler,
        pace: float,
        table: Table,
        pauses: ForcedPauses,
    ) -> None:
        self.pace = pace
        self._pauses = pauses
        self.is_paused = False
        self._is_skipping = False
        self._beats: list[Beat] = []
        self._bots = bots
        self._scheduler = scheduler
        self._table: Table | None = table
        self._turn: _Turn | None = None
        # Passes an answer on when the pace allows it, and calls the listeners when a bot is late.
        self._timer: Timer | None = None
        self._watch: Timer | None = None

    def prepare(self) -> None:
        """Start the bots' process before the first turn, which then does not wait for it."""
        with suppress(OSError):  # reported when a bot is asked
            self._bots.start()

    def reseat(self, lineup: Lineup) -> None:
        """Ask the bots of another lineup from now on."""
        self._bots.reseat(lineup)

    def note_entry(self, entry: Entry, beats: Sequence[Beat]) -> None:
        """Note the beats of an action, which people read before the next action of a seat."""
        if isinstance(entry, Undone | TakenBack) or (isinstance(entry, Taken) and entry.seat >= 0):
            self._beats.clear()
        if isinstance(entry, Taken):
            self._beats += beats

    @property
    def reading_seconds(self) -> float:
        """How long people read the beats of the last action; 0 if bots do not wait."""
        pace = self.pace if self.is_waiting else 0.0
        return fsum(beat.seconds(pace) for beat in self._beats)

    @property
    def spacing(self) -> float:
        """The least seconds until the next action: the time to read, then the pace."""
        return self.reading_seconds + self.pace

    def start(
        self, observation: Observation[Any], *, hides_speed: bool, is_secret: bool = False
    ) -> None:
        """Begin a turn: the table gets the bot's action or fault.

        `hides_speed`: an only legal action takes as long as another turn of the seat. `is_secret`:
        others choose at the same time, and have yet to do so.
        """
        self.cancel()
        seat = observation.seat
        is_forced = hides_speed and len(observation.legal()) == 1
        pause = self._pauses.draw(seat) if is_forced else None
        now, reading = self._scheduler.now(), self.reading_seconds
        self._turn = turn = _Turn(seat, now, ASK_TO_WAIT_AFTER, pause, reading, is_secret)
        self._watch_for(turn.slow_after)
        self._bots.ask(observation, partial(self._on_answer, turn))

    def cancel(self) -> None:
        """Drop the current turn; the bots' process goes on."""
        # First: an answer that is already under way must not count.
        is_thinking, self._turn = self._is_thinking, None
        self._stop_timer()
        self._watch_for(None)
        if is_thinking:
            self._bots.hurry()  # its answer is dropped: do not let it compute on

    def close(self) -> None:
        """Drop the current turn, and call the table no more."""
        self.cancel()
        self._table = None

    @property
    def thinking(self) -> float | None:
        """Seconds since the bot was asked; None if no bot is thinking."""
        turn = self._turn
        if turn is None or turn.progress == "answered":
            return None
        return self._scheduler.now() - turn.started_at

    @property
    def is_slow(self) -> bool:
        """Whether to ask people whether to keep waiting."""
        turn, thinking = self._turn, self.thinking
        return turn is not None and thinking is not None and thinking >= turn.slow_after

    @property
    def is_unresponsive(self) -> bool:
        """Whether a bot is still thinking although it was asked to hurry."""
        turn = self._turn
        if turn is None or turn.progress != "hurried":
            return False
        return self._scheduler.now() - turn.hurried_at > UNRESPONSIVE_AFTER

    @property
    def is_waiting(self) -> bool:
        """Whether each action is shown before the next one."""
        return self.is_paused or (self.pace > 0 and not self._is_skipping)

    def request(self, request: PaceRequest) -> BotFaultError | None:
        """Change the pace of the game; return the fault of a bot that was stopped, or None."""
        match request:
            case "pause" | "resume":
                self._pause(request == "pause")
            case "stop" if self._is_thinking:
                return self._stop()
            case "skip" if self.is_unresponsive:
                return self._stop()
            case "skip":
                # In a pause only one bot acts.
                self._is_skipping |= not self.is_paused
                self._step()
            case "step":
                self._step()
            case "wait":
                self._wait_on()
            case "read":
                self._end_reading()
        return None

    def _pause(self, is_paused: bool) -> None:
        """Hold back answers, or deliver them again."""
        self.is_paused = is_paused
        self._stop_timer()
        if not is_paused:
            self._deliver()

    def _stop(self) -> BotFaultError:
        """Drop the current turn and stop the bots' process."""
        # First, because `cancel` must not ask a stopped process to hurry.
        self._turn = None
        self._bots.stop()
        self.cancel()
        return BotTimeoutError("it was stopped because it did not finish")

    def _step(self) -> None:
        """Finish the bot's search early and let its answer count."""
        turn = self._turn
        if turn is not None and self._is_thinking:
            # The first time counts: pressing the key again must not prolong the wait.
            if turn.progress == "thinking":
                turn.progress, turn.hurried_at = "hurried", self._scheduler.now()
            self._watch_for(UNRESPONSIVE_AFTER + 0.1)
            self._bots.hurry()
            if turn.is_early:
                self._accept(turn, turn.answer)
        self._deliver()

    def _wait_on(self) -> None:
        """Keep waiting for a slow bot, until twice the time has passed."""
        turn, thinking = self._turn, self.thinking
        if turn is not None and thinking is not None:
            turn.slow_after = 2 * max(thinking, turn.slow_after)
            self._watch_for(turn.slow_after - thinking)

    def _end_reading(self) -> None:
        """Let the bot act when the pace allows it, because people have read."""
        self._beats.clear()
        turn = self._turn
        if turn is not None and turn.reading:
            turn.reading = 0.0
            if turn.progress == "answered" and not self.is_paused:
                self._stop_timer()
                self._deliver_in_time(turn)

    def rest(self) -> None:
        """Return to the usual pace after skipping."""
        self._is_skipping = False

    def set_pace(self, seconds: float) -> None:
        """Set the minimum number of seconds of a turn, at most MAX_PACE."""
        # Rounded: sums of 0.3 would be shown as 0.8999999999999999.
        self.pace = round(min(max(seconds, 0.0), MAX_PACE), 1)

    @property
    def _is_thinking(self) -> bool:
        return self._turn is not None and self._turn.progress != "answered"

    def _on_answer(self, turn: _Turn, answer: object) -> None:
        # Called by a thread of the client: only the scheduler is safe from there.
        self._scheduler.call_soon(partial(self._receive, turn, answer))

    def _receive(self, turn: _Turn, answer: object) -> None:
        if turn is not self._turn or turn.progress == "answered":
            return
        seconds = self._scheduler.now() - turn.started_at
        if turn.pause is None:
            if turn.progress == "thinking":
                self._pauses.record(turn.seat, seconds)
        elif turn.progress == "thinking" and seconds < turn.pause:
            turn.is_early, turn.answer = True, answer
            accept = partial(self._accept, turn, answer)
            self._scheduler.call_later(turn.pause - seconds, accept)
            return
        self._accept(turn, answer)

    def _accept(self, turn: _Turn, answer: object) -> None:
        """Pass an answer on to the table, or hold it back until the pace allows it."""
        if turn is not self._turn or turn.progress == "answered":
            return
        was_hurried = turn.progress == "hurried"
        turn.progress, turn.answer = "answered", answer
        self._watch_for(None)
        if turn.is_secret or (self.is_paused and was_hurried):
            self._deliver()
        elif not self.is_paused:
            self._deliver_in_time(turn)

    def _deliver_in_time(self, turn: _Turn) -> None:
        """Pass an answer on when the pace allows it."""
        # The pace counts from the start of the turn: thinking time is part of it.
        left = turn.started_at + turn.reading + self.pace - self._scheduler.now()
        if self._is_skipping or left <= 0:
            self._deliver()
        else:
            self._timer = self._scheduler.call_later(left, self._deliver)

    def _deliver(self) -> None:
        """Pass an answer that waits on to the table."""
        self._stop_timer()
        turn = self._turn
        if turn is not None and turn.progress == "answered" and self._table is not None:
            self._turn = None
            self._table.on_answer(turn.answer)

    def _on_late(self) -> None:
        if self._table is not None:
            self._table.notify()

    def _watch_for(self, seconds: float | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        later = self._scheduler.call_later
        self._watch = None if seconds is None else later(seconds, self._on_late)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
