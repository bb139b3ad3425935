"""A table in play: the referee, turns of bots and people, faults, and listeners."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardhub.errors import (
    BotFaultError,
    BotIllegalError,
    BotTimeoutError,
    IllegalActionError,
    RecordError,
)
from cardhub.host.bot_turns import UNRESPONSIVE_AFTER, BotTurns
from cardhub.host.scheduler import Scheduler, Timer
from cardhub.host.session import Course, Wish
from cardhub.play.advice import public_fault
from cardhub.play.bot_process.client import BotClient
from cardhub.play.referee import Referee

# Seconds without an answer after which people are asked whether to wait.
ASK_TO_WAIT_AFTER = 60.0
STALE = "the table has changed since"
NO_HELPS = "Hints and undo are off at this table."


class RunningTable:
    """Carries out the actions of people and bots, one after another, in the scheduler's thread.

    `revision` counts the changes of the state. `path` is that of the record, None without one. A
    gate is a condition under which bots and forced actions wait; call `go_on` when one has opened.
    After a RecordError, `failure`, the table stands still: the state is ahead of the record.
    Without `helps` there are no hints and no undo.
    """

    def __init__(
        self,
        referee: Referee[Any],
        bots: BotClient,
        scheduler: Scheduler,
        pace: float,
        path: Path | None = None,
    ) -> None:
        self.referee = referee
        self.path = path
        self.scheduler = scheduler
        self.revision = 0
        self.fault: BotFaultError | None = None
        self.had_fault = False
        self.failure: RecordError | None = None
        self.gates: list[Callable[[], bool]] = []
        self.forced: set[int] = set()
        self.helps = True
        self.turns = BotTurns(bots, scheduler, pace, self._receive)
        self._listeners: list[Callable[[], None]] = []
        self._is_running = self._is_asked = False
        # After an undo, the action that was taken back is not forced upon the person again.
        self._is_undone = False
        self._slow_after = ASK_TO_WAIT_AFTER
        self._watch: Timer | None = None

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

    def halt(self) -> None:
        """Let no bot act any more."""
        self._is_running = False
        self._end_turn()

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to act."""
        seat = self.referee.seat
        return seat >= 0 and not self.referee.players[seat].is_human

    @property
    def is_waiting_for_people(self) -> bool:
        """Whether neither a bot nor a forced action is pending."""
        stands = self.fault is not None or self.failure is not None or self.referee.is_over
        return stands or not (self.is_bots_turn or self._is_asked)

    def course(self) -> Course:
        """Return how the game is going on."""
        turns, thinking = self.turns, self.turns.thinking
        fault = None
        if self.fault is not None:
            fault = public_fault(self.referee.players[self.referee.seat], self.fault)
        return Course(
            turns.is_paused,
            turns.is_waiting,
            turns.pace,
            thinking,
            thinking is not None and thinking >= self._slow_after,
            turns.is_unresponsive,
            fault,
            None if self.failure is None else str(self.failure),
        )

    def go_on(self) -> None:
        """Ask the bot to act, or take a forced action, unless a gate is closed."""
        stands = self._is_asked or self.fault or self.failure or self.referee.is_over
        if stands or not self._is_running or any(is_closed() for is_closed in self.gates):
            return
        if self.is_bots_turn:
            self._is_asked = True
            self._watch_turn(self._slow_after)
            self.turns.start(self.referee.observe(self.referee.seat))
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
            raise IllegalActionError(STALE)
        self._carry_out(lambda: self.referee.apply(action))
        self._is_undone = False
        self.go_on()

    def is_current(self, seat: int, revision: int) -> bool:
        """Return whether a seat is to act at this revision."""
        return revision == self.revision and seat == self.referee.seat

    def why_no_undo(self, seat: int) -> str:
        """Return why a seat cannot take back its last action; empty if it can."""
        if not self.helps:
            return NO_HELPS
        if self.referee.can_undo(seat):
            return ""
        return (
            "There is no action of yours to take back: a card has been seen or another player has "
            "acted since."
        )

    def undo(self, seat: int) -> None:
        """Take a person's last action back, with forced ones after it; raises as the referee."""
        if not self.helps:
            raise IllegalActionError(NO_HELPS)
        self._carry_out(lambda: self._take_back(seat))
        self._is_undone = True
        self.go_on()

    def note_hint(self, bot: str) -> None:
        """Record that the seat to act got a hint, and tell the listeners."""
        try:
            self.referee.note_hint(bot)
        except RecordError as error:
            self.failure = error
            self._end_turn()
        self.notify()

    def wish(self, wish: Wish) -> None:
        """Change the course of the game."""
        turns = self.turns
        match wish:
            case "pause" | "resume":
                turns.pause(wish == "pause")
            case "retry" | "skip" if self.fault is not None:
                self._retry()
            case "stop" if turns.thinking is not None:
                self._stop_bot()
            case "skip" if turns.is_unresponsive:
                self._stop_bot()
            case "skip" if not turns.is_paused:
                turns.skip()
            case "skip" | "step":
                turns.step()
            case "wait":
                self._slow_after = 2 * (turns.thinking or self._slow_after)
                self._watch_turn(self._slow_after - (turns.thinking or 0))
        if turns.thinking is not None and wish in ("skip", "step"):
            self._watch_turn(UNRESPONSIVE_AFTER + 0.1)
        self.notify()
        self.go_on()

    def _take_back(self, seat: int) -> None:
        self.referee.undo(seat)
        while seat in self.forced and self._is_forced() and self.referee.can_undo(seat):
            self.referee.undo(seat)

    def _is_forced(self) -> bool:
        return len(self.referee.observe(self.referee.seat).legal()) == 1

    def _forced_action(self) -> int | None:
        seat = self.referee.seat
        if seat not in self.forced or self.turns.is_paused or self._is_undone:
            return None
        legal = self.referee.observe(seat).legal()
        return legal[0] if len(legal) == 1 else None

    def _force(self, action: int, revision: int) -> None:
        if revision == self.revision and self._is_running:
            self._carry_out(lambda: self.referee.apply(action))
            self.go_on()

    def _receive(self, answer: object) -> None:
        """Carry out a bot's action, or show its fault."""
        if isinstance(answer, BotFaultError):
            self._show_fault(answer)
            return
        seen = self.referee.observe(self.referee.seat)
        try:
            self._carry_out(lambda: self.referee.apply(answer))
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
        self.fault, self._is_asked = None, False
        self._slow_after = ASK_TO_WAIT_AFTER
        self._watch_turn(None)

    def _show_fault(self, fault: BotFaultError) -> None:
        self._end_turn()
        self.fault, self.had_fault = fault, True
        self.notify()

    def _stop_bot(self) -> None:
        self.turns.stop()
        self._show_fault(BotTimeoutError("it was stopped, as it did not come to an end"))

    def _retry(self) -> None:
        self._end_turn()

    def _watch_turn(self, seconds: float | None) -> None:
        """Tell the listeners after some seconds in which the bot may not have answered."""
        if self._watch is not None:
            self._watch.cancel()
        later = self.scheduler.call_later
        self._watch = None if seconds is None else later(seconds, self.notify)
