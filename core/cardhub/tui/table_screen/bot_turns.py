"""The turns of bots: one at a time, as fast as people can follow."""

from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer

from cardhub.hidden.observation import Observation
from cardhub.play.bot_process.client import BotClient
from cardhub.tui.table_screen.table_messages import BotAnswered

STEP, SLOWEST = 0.3, 3.0
DEAF = 1.0
"""After how many seconds a bot that was hurried and goes on thinking can be broken off."""


class BotTurns:
    """Has one bot at a time choose, and hands its answer to a screen when the pace allows.

    A turn has a number; once it is cancelled its answer counts no more.
    """

    def __init__(self, screen: MessagePump, bots: BotClient, pace: float) -> None:
        self.pace = pace
        self._screen = screen
        self._bots = bots
        self._turn = 0
        self._began = 0.0
        self._is_thinking = False
        self._hurried_at: float | None = None
        self._timer: Timer | None = None
        self._held: BotAnswered | None = None
        self._hurried = False
        self.is_paused = False

    def start(self, observation: Observation[Any]) -> None:
        """Begin a turn; the screen gets BotAnswered as soon as the bot has chosen."""
        self.cancel()
        self._began = monotonic()
        self._is_thinking = True
        self._hurried_at = None
        self._bots.ask(observation, partial(self._answered, self._turn))

    def cancel(self) -> None:
        """Forget the turn that is under way."""
        self._turn += 1
        self._held = None
        if self._timer:
            self._timer.stop()
        if self._is_thinking:
            self._is_thinking = False
            self._bots.hurry()  # nobody waits for it any more

    def break_off(self) -> None:
        """Forget the turn that is under way, and stop the bot whatever it does."""
        self._is_thinking = False
        self._bots.stop()
        self.cancel()

    def is_due(self, message: BotAnswered) -> bool:
        """Return whether an answer counts now; one that comes too fast is sent again in time."""
        if message.turn != self._turn:
            return False
        self._is_thinking = False
        left = 0.0 if self._hurried else self._began + self.pace - monotonic()
        if message.is_asked_for or (left <= 0 and not self.is_paused):
            return True
        self._held = BotAnswered(message.turn, message.answer, is_asked_for=True)
        if not self.is_paused:
            self._timer = self._screen.set_timer(left, self._deliver)
        return False

    @property
    def thinking(self) -> float | None:
        """For how many seconds a bot has been thinking; None if none is."""
        return monotonic() - self._began if self._is_thinking else None

    @property
    def is_deaf(self) -> bool:
        """Whether a bot goes on thinking although it was hurried."""
        hurried_at = self._hurried_at
        return self._is_thinking and hurried_at is not None and monotonic() - hurried_at > DEAF

    @property
    def is_waiting(self) -> bool:
        """Whether each action is to be seen before the next one."""
        return self.is_paused or (self.pace > 0 and not self._hurried)

    def skip(self) -> None:
        """Have whoever thinks act with the best found so far, and nobody wait until `rest`.

        While bots pause, only once.
        """
        self._hurried = not self.is_paused
        if self._is_thinking:
            self._hurried_at = self._hurried_at or monotonic()
            self._bots.hurry()
        self._deliver()

    def pause(self, is_paused: bool) -> None:
        """Have bots wait, or go on."""
        self.is_paused = is_paused
        if not is_paused:
            self._deliver()
        elif self._timer:
            self._timer.stop()

    def rest(self) -> None:
        """Go back to the usual pace."""
        self._hurried = False

    def change_pace(self, sign: int) -> float:
        """Make bots wait a step longer or shorter; return the new pace."""
        self.pace = round(min(max(self.pace + sign * STEP, 0.0), SLOWEST), 1)
        return self.pace

    def _answered(self, turn: int, answer: object) -> None:
        with suppress(RuntimeError):  # the table may have been left meanwhile
            self._screen.post_message(BotAnswered(turn, answer))

    def _deliver(self) -> None:
        if self._timer:
            self._timer.stop()
        if self._held:
            held, self._held = self._held, None
            self._screen.post_message(held)
