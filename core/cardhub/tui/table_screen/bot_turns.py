"""Turns of bots: one at a time, at a pace that people can follow; and their faults."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer

from cardhub.errors import BotFaultError, BotTimeoutError
from cardhub.hidden.observation import Observation
from cardhub.play.bot_process.client import BotClient
from cardhub.tui.dialogs.table_dialogs import TableDialogs
from cardhub.tui.table_screen.table_messages import BotAnswered

# Seconds per action.
PACE_STEP, MAX_PACE = 0.3, 3.0
# Seconds after which a bot that was told to hurry can be stopped.
UNRESPONSIVE_AFTER = 1.0
# Seconds without an answer after which people are asked whether to wait.
ASK_TO_WAIT_AFTER = 60.0
# The exit code after a bot failed.
BOT_FAILED = 3


class BotTurns:
    """Asks one bot at a time, and posts its answer to a screen when the pace allows.

    Turns are numbered: the answer of a cancelled turn carries an old number and is dropped.
    """

    def __init__(self, screen: MessagePump, bots: BotClient, pace: float) -> None:
        self.pace = pace
        self.is_paused = False
        self._screen = screen
        self._bots = bots
        self._turn = 0
        self._started_at = 0.0
        self._is_thinking = False
        self._hurried_at: float | None = None
        self._timer: Timer | None = None
        self._held: BotAnswered | None = None
        self._is_skipping = False

    def prepare(self) -> None:
        """Start the bots' process, so that the first turn need not wait for it."""
        with suppress(OSError):  # reported when a bot is asked
            self._bots.start()

    def start(self, observation: Observation[Any]) -> None:
        """Begin a turn; the screen gets the message BotAnswered with an action or exception."""
        self.cancel()
        self._started_at = monotonic()
        self._is_thinking = True
        self._hurried_at = None
        self._bots.ask(observation, partial(self._answered, self._turn))

    def cancel(self) -> None:
        """Drop the current turn; the bots' process goes on."""
        # First the number: an answer that is on its way must no longer count.
        self._turn += 1
        self._held = None
        if self._timer:
            self._timer.stop()
        if self._is_thinking:
            self._is_thinking = False
            self._bots.hurry()  # its answer is dropped: do not let it compute on

    def stop(self) -> None:
        """Drop the current turn and stop the bots' process."""
        # First, so that `cancel` does not tell a stopped process to hurry.
        self._is_thinking = False
        self._bots.stop()
        self.cancel()

    def is_due(self, message: BotAnswered) -> bool:
        """Return whether an answer counts now; an early one is posted again in time."""
        if message.turn != self._turn:
            return False
        self._is_thinking = False
        # The pace counts from the start of the turn: thinking time is part of it.
        left = 0.0 if self._is_skipping else self._started_at + self.pace - monotonic()
        if message.is_due or (left <= 0 and not self.is_paused):
            return True
        self._held = BotAnswered(message.turn, message.answer, is_due=True)
        if not self.is_paused:
            self._timer = self._screen.set_timer(left, self._deliver)
        return False

    @property
    def thinking(self) -> float | None:
        """Seconds since the bot was asked; None if no bot is thinking."""
        return monotonic() - self._started_at if self._is_thinking else None

    @property
    def is_unresponsive(self) -> bool:
        """Whether a bot goes on thinking although it was told to hurry."""
        if not self._is_thinking or self._hurried_at is None:
            return False
        return monotonic() - self._hurried_at > UNRESPONSIVE_AFTER

    @property
    def is_waiting(self) -> bool:
        """Whether each action is shown before the next one."""
        return self.is_paused or (self.pace > 0 and not self._is_skipping)

    def skip(self) -> None:
        """Finish the bot's search early and skip pacing until `rest`; if paused, only once."""
        self._is_skipping = not self.is_paused
        if self._is_thinking:
            # The first time counts: pressing the key again must not prolong the wait.
            self._hurried_at = self._hurried_at or monotonic()
            self._bots.hurry()
        self._deliver()

    def pause(self, is_paused: bool) -> None:
        """Hold back answers, or deliver them again."""
        self.is_paused = is_paused
        if not is_paused:
            self._deliver()
        elif self._timer:
            self._timer.stop()

    def rest(self) -> None:
        """Return to the usual pace after skipping."""
        self._is_skipping = False

    def change_pace(self, sign: int) -> float:
        """Change the pace by a step; return the new one in seconds per action."""
        # Rounded: sums of 0.3 would be shown as 0.8999999999999999.
        self.pace = round(min(max(self.pace + sign * PACE_STEP, 0.0), MAX_PACE), 1)
        return self.pace

    def _answered(self, turn: int, answer: object) -> None:
        with suppress(RuntimeError):  # the app may have been closed meanwhile
            # Called by a thread of the client: only posting a message is safe from there.
            self._screen.post_message(BotAnswered(turn, answer))

    def _deliver(self) -> None:
        if self._timer:
            self._timer.stop()
        if self._held:
            held, self._held = self._held, None
            self._screen.post_message(held)


class FaultHandler:
    """Shows the fault of the bot to act, and handles the decision about it.

    `retry` and `leave` are the callbacks of their buttons; the callback `changed` is for a new
    `fault`.
    """

    def __init__(
        self,
        bots: BotTurns,
        dialogs: TableDialogs,
        *,
        retry: Callable[[], None],
        leave: Callable[[], None],
        changed: Callable[[], None],
    ) -> None:
        self.fault: BotFaultError | None = None
        self.exit_code = 0
        self._bots = bots
        self._dialogs = dialogs
        self._retry, self._leave, self._changed = retry, leave, changed
        self._ask_at = ASK_TO_WAIT_AFTER

    def clear(self) -> None:
        """Forget the fault: another turn begins."""
        self.fault = None
        self._ask_at = ASK_TO_WAIT_AFTER
        self._dialogs.close_waiting()

    def show(self, fault: BotFaultError) -> None:
        """Show the fault of the bot to act, and ask for a decision."""
        self.fault, self.exit_code = fault, BOT_FAILED
        self._changed()
        self._dialogs.close_waiting()
        self._dialogs.show_failure(fault, self.decide)

    def watch(self) -> None:
        """Ask whether to wait if the bot to act has been thinking for long."""
        seconds = self._bots.thinking
        if seconds is not None and seconds >= self._ask_at:
            self._ask_at += seconds  # asked again after twice the time
            self._dialogs.ask_to_wait(seconds, self.decide)

    def stop_bot(self) -> None:
        """Stop the bot that is thinking; this counts as a fault."""
        if self._bots.thinking is not None:
            self._bots.stop()
            self.show(BotTimeoutError("it was stopped, as it did not come to an end"))

    def decide(self, button: str | None) -> None:
        """Call the handler of a button by its id; None and unknown ids are ignored."""
        handlers = {"retry": self._retry, "leave": self._leave, "stop": self.stop_bot}
        if button in handlers:
            handlers[button]()
