"""Letting bots think beside the screen."""

from contextlib import suppress
from threading import Thread
from time import monotonic
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer

from cardhub.bots.bot import Bot
from cardhub.hidden.observation import Observation
from cardhub.tui.messages import BotAnswered

STEP, SLOWEST = 0.3, 3.0


class BotTurns:
    """Has one bot at a time choose, and hands its answer to a screen when the pace allows.

    A turn has a number; once it is cancelled its answer counts no more.
    """

    def __init__(self, screen: MessagePump, pace: float) -> None:
        self.pace = pace
        self._screen = screen
        self._turn = 0
        self._began = 0.0
        self._timer: Timer | None = None
        self._held: BotAnswered | None = None
        self._hurried = False
        self.is_paused = False

    def start(self, bot: Bot, observation: Observation[Any]) -> None:
        """Begin a turn; the screen gets BotAnswered as soon as the bot has chosen."""
        self.cancel()
        self._began = monotonic()
        # A daemon, unlike Textual's thread workers: leaving never waits for a bot to finish.
        thread = Thread(target=self._think, args=(self._turn, bot, observation), daemon=True)
        thread.start()

    def cancel(self) -> None:
        """Forget the turn that is under way."""
        self._turn += 1
        self._held = None
        if self._timer:
            self._timer.stop()

    def is_due(self, message: BotAnswered) -> bool:
        """Return whether an answer counts now; one that comes too fast is sent again in time."""
        if message.turn != self._turn:
            return False
        left = 0.0 if self._hurried else self._began + self.pace - monotonic()
        if message.is_asked_for or (left <= 0 and not self.is_paused):
            return True
        self._held = BotAnswered(message.turn, message.answer, is_asked_for=True)
        if not self.is_paused:
            self._timer = self._screen.set_timer(left, self._deliver)
        return False

    @property
    def is_waiting(self) -> bool:
        """Whether each action is to be seen before the next one."""
        return self.is_paused or (self.pace > 0 and not self._hurried)

    def skip(self) -> None:
        """Let bots act without waiting until `rest` is called; while they pause, only once."""
        self._hurried = not self.is_paused
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

    def _think(self, turn: int, bot: Bot, observation: Observation[Any]) -> None:
        answer: int | BaseException
        try:
            answer = bot.choose(observation)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # people are to see any fault
            answer = error
        with suppress(RuntimeError):  # the table may have been left meanwhile
            self._screen.post_message(BotAnswered(turn, answer))

    def _deliver(self) -> None:
        if self._timer:
            self._timer.stop()
        if self._held:
            held, self._held = self._held, None
            self._screen.post_message(held)
