"""A table in play: the referee, turns of bots and people, faults, and listeners."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from cardhub.base.errors import (
    BotFaultError,
    BotIllegalError,
    BotTimeoutError,
    IllegalActionError,
    RecordError,
)
from cardhub.play.advice import public_fault
from cardhub.play.history_entries import Entry, Note, Noted, Seated, Taken, TakenBack, Undone
from cardhub.play.host.replays.results.game_result import FinalResults
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.turns.bot_turns import BotTurns
from cardhub.play.host.turns.clock import Clock
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.session import PaceRequest, TableStatus
from cardhub.play.workers.client import BotClient

# Seconds after which the bots' process is started: the table is drawn first.
PREPARE_BOTS_AFTER = 0.2
STALE = "the table has changed since"
STANDS_IN = "A bot plays for you now."
WATCHES = "You watch this game."
NO_UNDO = "No action of yours can be taken back: a card was seen, or another player acted since."
NO_HELPS = "Hints and undo are off at this table."


class RunningTable:
    """Carries out the actions of people and bots, one after another, in the scheduler's thread.

    `revision` counts the changes of the state. `path` is that of the record, None without one. A
    gate is a condition under which bots and forced actions wait; call `go_on` when one has opened.
    After a RecordError, `failure`, the table stands still: the state is ahead of the record. With
    `halted_by`, a public text, it stands still until the wish to retry, or an action.
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
        self._listeners: list[Callable[[], None]] = []
        self._is_running = self._is_asked = False
        # After an undo, the action that was taken back is not forced upon the person again.
        self._is_undone = False

    @property
    def players(self) -> Sequence[Player]:
        """The players by seat."""
        return self._referee.players

    @property
    def seat(self) -> int:
        """The seat to act, as of a state."""
        return self._referee.seat

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return the callback that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def notify(self) -> None:
        """Call all listeners."""
        for listener in tuple(self._listeners):
            listener()

    def begin(self) -> None:
        """Let the game go on; called once, in the thread of the scheduler."""
        self._is_running = True
        self.scheduler.call_soon(self.go_on)
        if not all(player.is_human for player in self._referee.players):
            # So that the first turn of a bot need not wait for it.
            self.scheduler.call_later(PREPARE_BOTS_AFTER, self._prepare)

    def halt(self) -> None:
        """Let no bot act any more."""
        self._is_running = False
        self._end_turn()

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to act."""
        seat = self._referee.seat
        return seat >= 0 and not self._referee.players[seat].is_human

    @property
    def _stands(self) -> bool:
        return bool(self.fault or self.failure or self.halted_by or self._referee.is_over)

    @property
    def is_waiting_for_people(self) -> bool:
        """Whether neither a bot nor a forced action is pending."""
        return self._stands or not (self.is_bots_turn or self._is_asked)

    def go_on(self) -> None:
        """Ask the bot to act, or take a forced action, unless a gate is closed."""
        stands = self._stands or self._is_asked or not self._is_running
        if stands or any(is_closed() for is_closed in self.blockers):
            return
        if self.is_bots_turn:
            self._is_asked = True
            self.turns.start(self._referee.observe(self._referee.seat))
            return
        self.turns.rest()
        action = self._forced_action()
        if action is not None:
            self._is_asked = True
            revision = self.revision
            self.scheduler.call_soon(lambda: self._force(action, revision))

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
        """Return why a viewer can take back no action at all now; empty if it may."""
        if not self._referee.helps:
            return NO_HELPS
        if seat not in range(len(self.players)):
            return WATCHES
        return "" if self.players[seat].is_human else STANDS_IN

    def why_no_undo(self, seat: int) -> str:
        """Return why a seat cannot take back its last action; empty if it can."""
        if why := self.why_no_change(seat):
            return why
        if self._referee.can_undo(seat):
            return ""
        return NO_UNDO

    def undo(self, seat: int) -> None:
        """Take a person's last action back, with forced ones after it; raises as the referee."""
        if why := self.why_no_change(seat):
            raise IllegalActionError(why)
        self._carry_out(lambda: self._take_back(seat))
        self._is_undone = True
        self.go_on()

    def request(self, request: PaceRequest) -> None:
        """Change the course of the game."""
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
        """Stand still: the record turned out to be incomplete after the last change."""
        self.failure = error
        self._end_turn()
        self.notify()

    def _prepare(self) -> None:
        if self._is_running and self.failure is None:
            self.turns.prepare()

    def _take_back(self, seat: int) -> None:
        self._referee.undo(seat)
        while seat in self.only_choice_seats and self._is_forced() and self._referee.can_undo(seat):
            self._referee.undo(seat)

    def _is_forced(self) -> bool:
        return len(self._referee.observe(self._referee.seat).legal()) == 1

    def _forced_action(self) -> int | None:
        seat = self._referee.seat
        if seat not in self.only_choice_seats or self.turns.is_paused or self._is_undone:
            return None
        legal = self._referee.observe(seat).legal()
        return legal[0] if len(legal) == 1 else None

    def _force(self, action: int, revision: int) -> None:
        if revision == self.revision and self._is_running:
            self._carry_out(lambda: self._referee.apply(action))
            self.go_on()

    def _receive(self, answer: object) -> None:
        """Carry out a bot's action, or show its fault."""
        if isinstance(answer, BotFaultError):
            self._show_fault(answer)
            return
        seen = self._referee.observe(self._referee.seat)
        try:
            self._carry_out(lambda: self._referee.apply(answer))
        except IllegalActionError:
            self._show_fault(BotIllegalError(seen.refusal(answer), answer))
        else:
            self._is_undone = False
            self.go_on()

    def _carry_out(self, step: Callable[[], None]) -> None:
        """Call `step`, which changes the state, and tell the listeners; keep a RecordError."""
        try:
            step()
        except RecordError as error:
            self.failure = error
        self._end_turn()
        self.revision += 1
        self.notify()

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


class ChangingTable(RunningTable):
    """Seats other players, notes who left or came back, and takes actions back by consent.

    `clock` runs for the person to act, unless the table is paused; set it before `begin`.
    """

    def __init__(
        self,
        referee: Referee[Any],
        bots: BotClient,
        scheduler: Scheduler,
        pace: float,
        path: Path | None = None,
    ) -> None:
        super().__init__(referee, bots, scheduler, pace, path)
        self.clock: Clock | None = None
        self.results = FinalResults(scheduler, path)
        referee.subscribe(self._count_time)
        # Seats of people who play or have played: their owners may see them, also while a bot
        # stands in.
        self._seats_of_people = {
            *(seat for seat, player in enumerate(referee.first_players) if player.is_human),
            *(e.seat for e in referee.entries if isinstance(e, Seated) and e.player.is_human),
        }

    @override
    def begin(self) -> None:
        super().begin()
        self._set_clock()

    @override
    def halt(self) -> None:
        super().halt()
        self._set_clock()

    @override
    def notify(self) -> None:
        # First, so that listeners see the clock of now.
        self._set_clock()
        super().notify()

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, with those in which a bot stands in for a person."""
        return tuple(sorted(self._seats_of_people))

    @property
    def departed(self) -> frozenset[int]:
        """The seats whose people have left or ran out of time, and are not back yet."""
        notes = {e.seat: e.note for e in self._referee.entries if isinstance(e, Noted)}
        return frozenset(seat for seat, note in notes.items() if note != "back")

    def status(self) -> TableStatus:
        """Return how the game is going on."""
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

    def replace(self, seat: int, player: Player) -> None:
        """Give a seat to another player: to a bot, back to its person, or to another person.

        A bot that is thinking there is cancelled. Raises SeatingError for the name, PluginError or
        OptionError for an unknown bot, and IllegalActionError if the game is over or a person would
        sit down in a game of bots whose hands have been shown.
        """
        self._check_player(player)
        self._note(lambda: self._referee.seat_player(seat, player))
        if player.is_human:
            self._seats_of_people.add(seat)
        if seat == self.seat:
            # An action that was chosen for the player before must not count.
            self.revision += 1
            if self.clock is not None:
                self.clock.end_turn()
        if seat == self.seat or self._is_asked:
            # Also where another bot is thinking: its client may have dropped the question.
            self._end_turn()
        self._reseat()
        self.notify()
        self.go_on()

    def note(self, seat: int, note: Note) -> None:
        """Note that the person of a seat left, came back or ran out of time.

        Once the game is over nothing is noted.
        """
        if self._referee.is_over:
            return
        self._note(lambda: self._referee.note(seat, note))
        self.notify()

    def note_hint(self, bot: str) -> None:
        """Record that the seat to act got a hint, and tell the listeners."""
        self._note(lambda: self._referee.note_hint(bot))
        self.notify()

    def can_take_back(self, seat: int) -> str:
        """Return why the game cannot go back to before a seat's last action; empty if it can."""
        return self.why_no_change(seat) or self._referee.why_no_takeback(seat)

    def take_back(self, seat: int, agreed: Sequence[int]) -> None:
        """Go back to before a seat's last action, as other seats agreed.

        Who must agree is the caller's rule. Raises IllegalActionError.
        """
        if why := self.can_take_back(seat):
            raise IllegalActionError(why)
        self._carry_out(lambda: self._referee.take_back(seat, agreed))
        self._is_undone = True
        self.go_on()

    def _set_clock(self) -> None:
        """Let the clock run for the person to act, if the game goes on."""
        if self.clock is None:
            return
        stands = self.failure is not None or self.turns.is_paused or not self._is_running
        is_persons_turn = self.seat >= 0 and not self.is_bots_turn
        self.clock.run(self.seat if is_persons_turn and not stands else None)

    def _count_time(self, entry: Entry) -> None:
        if self.clock is None:
            return
        match entry:
            case Taken(seat) if seat >= 0:
                self.clock.acted(seat)
            case Undone(seat):
                self.clock.undid(seat)
            case TakenBack():
                self.clock.end_turn()

    def _check_player(self, player: Player) -> None:
        """Raise as `replace` unless a player can sit down here."""

    def _reseat(self) -> None:
        """Tell the clients of the bots who sits where."""

    def _note(self, step: Callable[[], None]) -> None:
        """Call `step`, which leaves the state as it is; keep a RecordError."""
        try:
            step()
        except RecordError as error:
            self.failure = error
            self._end_turn()
