"""Hints: what a bot would do in the place of whoever looks at the table."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from textual.screen import Screen

from cardhub.errors import BotFaultError
from cardhub.hidden.observation import Observation
from cardhub.play.advice import tell
from cardhub.play.bot_process.client import BotClient
from cardhub.tui.table_screen.hint_panel import HintPanel
from cardhub.tui.table_screen.prompt import moving
from cardhub.tui.table_screen.table_messages import HintAnswered

OPEN = "-hint"
"""The class of a screen on which a hint is shown or thought over."""


class Hints:
    """Has one hint at a time thought over, and shows it until the table changes.

    `bot` is who is asked, as text.
    """

    def __init__(self, screen: Screen[None], adviser: BotClient, bot: str) -> None:
        self.bot = bot
        self._screen = screen
        self._adviser = adviser
        self._number = 0
        self._began: float | None = None
        self._observation: Observation[Any] | None = None

    @property
    def is_open(self) -> bool:
        """Whether a hint is shown, or thought over."""
        return self._screen.has_class(OPEN)

    @property
    def is_thinking(self) -> bool:
        """Whether a hint is thought over."""
        return self._began is not None

    def ask(self, observation: Observation[Any]) -> None:
        """Have a hint thought over; the screen gets HintAnswered."""
        self.close()
        self._began, self._observation = monotonic(), observation
        self._screen.add_class(OPEN)
        self.move()
        self._adviser.ask(observation, partial(self._answered, self._number))

    def hurry(self) -> None:
        """Have the hint there soon, as good as it is by then."""
        self._adviser.hurry()

    def close(self) -> None:
        """Show no hint any more; one that is thought over is given up."""
        self._number += 1
        if self._began is not None:
            self._began = None
            self._adviser.stop()
        self._screen.remove_class(OPEN)

    def move(self) -> None:
        """Move the sign of thinking."""
        if self._began is not None:
            seconds = monotonic() - self._began
            sign = f"{self.bot} thinks {moving(seconds)}"
            self._panel.say("Hint:", sign, "", ". what it has so far", "i no hint")

    def hear(self, message: HintAnswered, used: Callable[[], None]) -> None:
        """Show what came of a hint, if it is still wanted; call `used` before it can be seen."""
        if message.number != self._number or self._observation is None:
            return
        self._began = None
        if isinstance(message.answer, list):
            used()
            self._panel.show(self.bot, tell(message.answer, self._observation))
        elif isinstance(message.answer, BotFaultError):
            self._panel.say(f"No hint: {self.bot} failed.", *str(message.answer).splitlines())

    @property
    def _panel(self) -> HintPanel:
        return self._screen.query_one(HintPanel)

    def _answered(self, number: int, answer: object) -> None:
        with suppress(RuntimeError):  # the table may have been left meanwhile
            self._screen.post_message(HintAnswered(number, answer))
