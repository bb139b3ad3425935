"""Hints: a bot's rated actions for the person at the terminal, and the panel that shows them."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from textual.screen import Screen
from textual.widgets import Static

from cardhub.errors import BotFaultError
from cardhub.hidden.observation import Observation
from cardhub.play.advice import Told, advice_lines, tell
from cardhub.play.bot_process.client import BotClient
from cardhub.text.glyphs import Glyphs
from cardhub.tui.table_screen.table_messages import HintAnswered
from cardhub.tui.table_screen.text_lines import thinking_sign

# CSS class of a screen while a hint is shown or computed.
OPEN = "-hint"


class HintPanel(Static):
    """Shows a hint in place of the log or, where there is none, of the top lines of the board."""

    DEFAULT_CSS = """
    HintPanel {
        display: none; width: 26; height: 1fr;
        border-left: solid $foreground 30%; padding-left: 1;
    }
    """

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self._glyphs = glyphs
        self._bot = ""
        self._told: Sequence[Told] = ()

    def say(self, *lines: str) -> None:
        """Show strings, one per line."""
        self._told = ()
        self._write(lines)

    def show(self, bot: str, told: Sequence[Told]) -> None:
        """Show rated actions, the best one first."""
        self._bot, self._told = bot, told
        self._lay_out()

    def on_resize(self) -> None:
        """Lay out for the new width."""
        if self._told:
            self._lay_out()

    def _lay_out(self) -> None:
        self._write(advice_lines(self._bot, self._told, self.content_size.width))

    def _write(self, lines: Iterable[str]) -> None:
        self.update("\n".join(map(self._glyphs.text, lines)))


class Hints:
    """Asks a bot for one hint at a time, and shows it until the state changes.

    `bot` is the spec of that bot, a string; `players` are names by seat.
    """

    def __init__(
        self, screen: Screen[None], adviser: BotClient, bot: str, players: Sequence[str]
    ) -> None:
        self.bot = bot
        self._players = players
        self._screen = screen
        self._adviser = adviser
        self._number = 0
        self._started_at: float | None = None
        self._observation: Observation[Any] | None = None

    @property
    def is_open(self) -> bool:
        """Whether a hint is shown or computed."""
        return self._screen.has_class(OPEN)

    @property
    def is_thinking(self) -> bool:
        """Whether a hint is computed."""
        return self._started_at is not None

    def ask(self, observation: Observation[Any]) -> None:
        """Ask for a hint; the screen gets the message HintAnswered with ratings or an exception."""
        self.close()
        self._started_at, self._observation = monotonic(), observation
        self._screen.add_class(OPEN)
        self.show_thinking()
        self._adviser.ask(observation, partial(self._answered, self._number))

    def hurry(self) -> None:
        """Finish the search early."""
        self._adviser.hurry()

    def close(self) -> None:
        """Hide the hint; stop its search."""
        self._number += 1  # an answer on its way is dropped by its number
        if self._started_at is not None:
            self._started_at = None
            # Stopped, not told to hurry: a bot that ignores this would delay the next hint.
            self._adviser.stop()
        self._screen.remove_class(OPEN)

    def show_thinking(self) -> None:
        """Update the sign of thinking."""
        if self._started_at is not None:
            sign = f"{self.bot} thinks {thinking_sign(monotonic() - self._started_at)}"
            self._panel.say("Hint:", sign, "", ". what it has so far", "i no hint")

    def receive(self, message: HintAnswered, record: Callable[[], None]) -> None:
        """Show a hint if it is still wanted; the callback `record` notes it in the record."""
        # The hint was closed, or another one asked for, while this answer was on its way.
        if message.number != self._number or self._observation is None:
            return
        self._started_at = None
        if isinstance(message.answer, list):
            record()  # before it can be seen: a hint that cannot be recorded is not shown
            self._panel.show(self.bot, tell(message.answer, self._observation, self._players))
        elif isinstance(message.answer, BotFaultError):
            self._panel.say(f"No hint: {self.bot} failed.", *str(message.answer).splitlines())

    @property
    def _panel(self) -> HintPanel:
        return self._screen.query_one(HintPanel)

    def _answered(self, number: int, answer: object) -> None:
        with suppress(RuntimeError):  # the app may have been closed meanwhile
            self._screen.post_message(HintAnswered(number, answer))
