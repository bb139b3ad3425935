"""A table in play: the referee, turns of bots and people, faults, and listeners."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cardhub.base.errors import (
    BotFaultError,
    BotIllegalError,
    BotTimeoutError,
    IllegalActionError,
    RecordError,
)
from cardhub.play.advice import public_fault
from cardhub.play.history_entries import Entry, Seated
from cardhub.play.host.replays.results.game_result import FinalResults
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.turns.bot_turns import BotTurns
from cardhub.play.host.turns.clock import Clock
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.table_commands import PaceRequest
from cardhub.play.table_messages import TableStatus
from cardhub.play.workers.client import BotClient

# Seconds until the bots' process starts: the table is drawn first.
PREPARE_BOTS_AFTER = 0.2
STALE = "the table has changed since"
STANDS_IN = "A bot plays for you now."
WATCHES = "You watch this game."
NO_UNDO = "No action of yours can be taken back: a card was seen, or another player acted since."
NO_HELPS = "Hints and undo are off at this table."


class RunningTable:
    """Carries out the actions of people and bots, one after another, in the scheduler's thread.

    `revision` counts the changes of the state. `path`: the record's path, or None. `blockers`:
    conditions under which bots and single choices wait; call `go_on` after removing one.
    `only_choice_seats`: the seats whose turns with one legal action are played automatically.
    `clock` runs for the person to act, unless the table is paused; set it before `begin`. After a
    RecordError (`failure`) the table stops, because the state is ahead of the record. `halted_by`:
    a public text; the table stops until the request to retry, or an action.

    Its only heir is `Host`: a table is compiled, and the rest of a host is not.
    """

    def __init__(
        self,
        referee: Referee[Any],
        bots: BotClient,
        scheduler: Scheduler,
        pace: float,
        path: Path | None = None,
    ) -> None:
        self._referee = referee
        self.path = path
        self.scheduler = scheduler
        self.revision = 0
        self.fault: BotFaultError | None = None
        self.had_fault = False
        self.failure: RecordError | None = None
        self.halted_by = ""
        self.blockers: list[Callable[[], bool]] = []
        self.only_choice_seats: set[int] = set()
        self.turns = BotTurns(bots, scheduler, pace, self._receive, self.notify)
        self.clock: Clock | None = None
        self.results = FinalResults(scheduler, path)
        self._listeners: list[Callable[[], None]] = []
        self._is_running = self._is_asked = False
        # After an undo, the person's only choice is not played again automatically.
        self._is_undone = False
        # Seats of people who play or have played: their owners may see them, also while a bot
        # stands in.
        self._seats_of_people = {
            *(seat for seat, player in enumerate(referee.first_players) if player.is_human),
            *(e.seat for e in referee.entries if isinstance(e, Seated) and e.player.is_human),
        }
        referee.subscribe(self._count_time)

    @property
    def players(self) -> Sequence[Player]:
        """The players by seat."""
        return self._referee.players

    @property
    def seat(self) -> int:
        """The seat to act, as in a state."""
        return self._referee.seat

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, including seats in which a bot stands in for a person."""
        return tuple(sorted(self._seats_of_people))

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to act."""
        seat = self._referee.seat
        return seat >= 0 and not self._referee.players[seat].is_human

    @property
    def is_waiting_for_people(self) -> bool:
        """Whether neither a bot's action nor a single choice is pending."""
        return self._has_stopped or not (self.is_bots_turn or self._is_asked)

    def status(self) -> TableStatus:
        """Return the progress of the game."""
        turns = self.turns
        fault = self.halted_by or None
        if self.fault is not None:
            fault = public_fault(self._referee.players[self._referee.seat], self.fault)
        return TableStatus(
            is_paused=turns.is_paused,
            is_waiting=turns.is_waiting,
            pace=turns.pace,
            thinking=turns.thinking,
            is_slow=turns.is_slow,
            is_unresponsive=turns.is_unresponsive,
            fault=fault,
            failure=None if self.failure is None else str(self.failure),
        )

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return the callback that ends the subscription."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def notify(self) -> None:
        """Set the clock and call all listeners."""
        self._set_clock()  # first: listeners read it
        for listener in tuple(self._listeners):
            listener()

    def begin(self) -> None:
        """Start the game; called once, in the thread of the scheduler."""
        self._is_running = True
        self.scheduler.call_soon(self.go_on)
        if not all(player.is_human for player in self._referee.players):
            # The first turn of a bot then does not wait for its process.
            self.scheduler.call_later(PREPARE_BOTS_AFTER, self._prepare)
        self._set_clock()

    def halt(self) -> None:
        """Stop: no bot acts from now on."""
        self._is_running = False
        self._end_turn()
        self._set_clock()

    def go_on(self) -> None:
        """Ask the bot to act, or play a single choice, unless a blocker holds."""
        has_stopped = self._has_stopped or self._is_asked or not self._is_running
        if has_stopped or any(is_blocked() for is_blocked in self.blockers):
            return
        if self.is_bots_turn:
            self._is_asked = True
            self.turns.start(self._referee.observe(self._referee.seat))
            return
        self.turns.rest()
        action = self._only_choice()
        if action is not None:
            self._is_asked = True
            revision = self.revision
            self.scheduler.call_soon(lambda: self._play_only_choice(action, revision))

    def act(self, seat: int, action: int, revision: int) -> None:
        """Carry out a person's action; raises IllegalActionError, also for an old revision."""
        if not self.is_current(seat, revision):
            is_bot = seat == self.seat and self.is_bots_turn
            raise IllegalActionError(STANDS_IN if is_bot else STALE)
        self._carry_out(lambda: self._referee.apply(action))
        self._is_undone = False
        self.go_on()

    def is_current(self, seat: int, revision: int) -> bool:
        """Return whether the person of a seat is to act at this revision."""
        is_to_act = revision == self.revision and seat == self._referee.seat
        return is_to_act and not self.is_bots_turn

    def why_no_change(self, seat: int) -> str:
        """Return why a viewer cannot take back any action now; empty if it may."""
        if not self._referee.helps:
            return NO_HELPS
        if seat not in range(len(self.players)):
            return WATCHES
        return "" if self.players[seat].is_human else STANDS_IN

    def why_no_undo(self, seat: int) -> str:
        """Return why a seat cannot take back its last action; empty if it can."""
        return self.why_no_change(seat) or ("" if self._referee.can_undo(seat) else NO_UNDO)

    def undo(self, seat: int) -> None:
        """Take a person's last action back, and the single choices after it.

        Raises IllegalActionError.
        """
        if why := self.why_no_change(seat):
            raise IllegalActionError(why)
        self._carry_out(lambda: self._undo_with_only_choices(seat))
        self._is_undone = True
        self.go_on()

    def why_no_takeback(self, seat: int) -> str:
        """Return why the game cannot go back to before a seat's last action; empty if it can."""
        return self.why_no_change(seat) or self._referee.why_no_takeback(seat)

    def request(self, request: PaceRequest) -> None:
        """Change the pace of the game, or decide about a bot that failed or is slow."""
        turns = self.turns
        match request:
            case "pause" | "resume":
                turns.pause(request == "pause")
            case "retry" | "skip" if self.fault is not None or self.halted_by:
                self._end_turn()
            case "stop" if turns.thinking is not None:
                self._stop_bot()
            case "skip" if turns.is_unresponsive:
                self._stop_bot()
            case "skip" if not turns.is_paused:
                turns.skip()
            case "skip" | "step":
                turns.step()
            case "wait":
                turns.wait_on()
        self.notify()
        self.go_on()

    def fail(self, error: RecordError) -> None:
        """Stop the game because the record could not be completed."""
        self.failure = error
        self._end_turn()
        self.notify()

    def note_hint(self, bot: str) -> None:
        """Record that the seat to act got a hint, and call the listeners."""
        self._record(lambda: self._referee.note_hint(bot))
        self.notify()

    @property
    def _has_stopped(self) -> bool:
        return bool(self.fault or self.failure or self.halted_by or self._referee.is_over)

    def _prepare(self) -> None:
        if self._is_running and self.failure is None:
            self.turns.prepare()

    def _set_clock(self) -> None:
        """Run the clock for the person to act, if the game goes on."""
        if self.clock is None:
            return
        has_stopped = self.failure is not None or self.turns.is_paused or not self._is_running
        is_persons_turn = self.seat >= 0 and not self.is_bots_turn
        self.clock.run(self.seat if is_persons_turn and not has_stopped else None)

    def _count_time(self, entry: Entry) -> None:
        if self.clock is not None:
            self.clock.on_entry(entry)

    def _undo_with_only_choices(self, seat: int) -> None:
        self._referee.undo(seat)
        plays = seat in self.only_choice_seats
        while plays and len(self._legal()) == 1 and self._referee.can_undo(seat):
            self._referee.undo(seat)

    def _legal(self) -> list[int]:
        return self._referee.observe(self._referee.seat).legal()

    def _only_choice(self) -> int | None:
        seat = self._referee.seat
        if seat not in self.only_choice_seats or self.turns.is_paused or self._is_undone:
            return None
        legal = self._legal()
        return legal[0] if len(legal) == 1 else None

    def _play_only_choice(self, action: int, revision: int) -> None:
        if revision == self.revision and self._is_running:
            self._carry_out(lambda: self._referee.apply(action))
            self.go_on()

    def _receive(self, answer: object) -> None:
        """Carry out a bot's action, or show its fault."""
        if isinstance(answer, BotFaultError):
            self._show_fault(answer)
            return
        observation = self._referee.observe(self._referee.seat)
        try:
            self._carry_out(lambda: self._referee.apply(answer))
        except IllegalActionError:
            self._show_fault(BotIllegalError(observation.refusal(answer), answer))
        else:
            self._is_undone = False
            self.go_on()

    def _carry_out(self, step: Callable[[], None]) -> None:
        """Call `step`, which changes the state, then the listeners; keep a RecordError."""
        try:
            step()
        except RecordError as error:
            self.failure = error
        self._end_turn()
        self.revision += 1
        self.notify()

    def _record(self, step: Callable[[], None]) -> None:
        """Call `step`, which does not change the state; keep a RecordError."""
        try:
            step()
        except RecordError as error:
            self.failure = error
            self._end_turn()

    def _end_turn(self) -> None:
        # Answers to the state before must not count in the present one.
        self.turns.cancel()
        self.fault, self.halted_by, self._is_asked = None, "", False

    def _show_fault(self, fault: BotFaultError) -> None:
        self._end_turn()
        self.fault, self.had_fault = fault, True
        self.notify()

    def _stop_bot(self) -> None:
        self.turns.stop()
        self._show_fault(BotTimeoutError("it was stopped, as it did not come to an end"))
