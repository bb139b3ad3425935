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
from cardhub.play.bot_process.client import BotClient
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.session import Wish
from cardhub.play.host.turns.bot_turns import BotTurns
from cardhub.play.referee import Referee
from cardhub.play.seating import Player

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
        self.gates: list[Callable[[], bool]] = []
        self.forced: set[int] = set()
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
        if stands or any(is_closed() for is_closed in self.gates):
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

    def wish(self, wish: Wish) -> None:
        """Change the course of the game."""
        turns = self.turns
        match wish:
            case "pause" | "resume":
                turns.pause(wish == "pause")
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
        while seat in self.forced and self._is_forced() and self._referee.can_undo(seat):
            self._referee.undo(seat)

    def _is_forced(self) -> bool:
        return len(self._referee.observe(self._referee.seat).legal()) == 1

    def _forced_action(self) -> int | None:
        seat = self._referee.seat
        if seat not in self.forced or self.turns.is_paused or self._is_undone:
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
