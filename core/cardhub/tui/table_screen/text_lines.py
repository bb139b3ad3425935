"""Lines of text around the board: prompt, detail line, and the notice of a small terminal."""

from textual.geometry import Size
from textual.widgets import Static

from cardhub.text import Glyphs
from cardhub.text.glyphs import clip
from cardhub.text.plain_text import prompt_line
from cardhub.tui.session import Session
from cardhub.tui.table_screen.bot_turns import BotTurns
from cardhub.view.building import build_view

# Seconds after which the prompt shows that a bot is thinking.
SHOW_THINKING_AFTER = 0.5
# Steps per second of the sign of thinking.
SIGN_STEPS = 4
DETAIL_LINES = 2
# Columns and rows.
MIN_SIZE = Size(60, 20)


class Prompt(Static):
    """The seat to act and the game's prompt, the reason why bots wait, or the winner."""

    DEFAULT_CSS = """
    Prompt { height: auto; max-height: 3; text-style: bold; }
    """

    def __init__(
        self, session: Session, bots: BotTurns, glyphs: Glyphs, *, id: str | None = None
    ) -> None:
        super().__init__("", id=id, markup=False)
        self._session = session
        self._bots = bots
        self._glyphs = glyphs
        self._instruction = ""

    def show(self, *, has_failed: bool) -> None:
        """Show the present state; `has_failed`: the bot to act has a fault."""
        self._instruction = self._session.observe().scene().prompt
        self.update(self._glyphs.text(self._text(has_failed)))

    def show_thinking(self) -> None:
        """Update the sign of thinking, once a bot has been thinking long enough for one."""
        seconds = self._bots.thinking
        if seconds is not None and seconds >= SHOW_THINKING_AFTER and not self._bots.is_paused:
            player = self._session.referee.players[self._session.referee.seat]
            is_stoppable = self._bots.is_unresponsive
            text = ". again to break it off" if is_stoppable else self._instruction
            self.update(self._glyphs.text(f"{player} thinks {thinking_sign(seconds)}: {text}"))

    def _text(self, has_failed: bool) -> str:
        referee = self._session.referee
        players = [str(player) for player in referee.players]
        if has_failed:
            return f"{players[referee.seat]} failed: . to try again, q to leave"
        prompt = prompt_line(build_view(self._session.observe(), players))
        if referee.is_over:
            return f"{prompt}: {self._session.winners()}"
        if self._bots.is_paused and self._session.is_bots_turn:
            return f"Paused: p to go on, . for one step. {prompt}"
        return prompt


class DetailLine(Static):
    """The description of the spot at the cursor or the mouse, and short answers to keys."""

    DEFAULT_CSS = f"""
    DetailLine {{ height: {DETAIL_LINES}; color: $foreground 80%; }}
    """

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self._glyphs = glyphs

    def say(self, text: str) -> None:
        """Show a string that does not describe a spot."""
        self.update(self._glyphs.text(text))

    def explain(self, text: str) -> str:
        """Show a description, clipped if it is too long; return the whole one in that case."""
        whole = self._glyphs.text(text)
        width = max(1, self.content_size.width)
        # Ten cells are left for words that Textual wraps early.
        short = clip(whole, DETAIL_LINES * width - 10, f"{self._glyphs.more} (e: all)")
        self.update(short)
        return "" if short == whole else whole


class TooSmall(Static):
    """The notice that the terminal is too small for the table."""

    DEFAULT_CSS = """
    TooSmall { display: none; }
    """

    def fits(self, size: Size) -> bool:
        """Return whether the table fits; prepare the notice for this size."""
        self.update(
            f"The table needs {MIN_SIZE.width}x{MIN_SIZE.height} characters; this terminal has "
            f"{size.width}x{size.height}. Make it larger, or press q to save and leave."
        )
        return size.width >= MIN_SIZE.width and size.height >= MIN_SIZE.height


def thinking_sign(seconds: float) -> str:
    """Return a string of one to three dots, by time, and the seconds passed."""
    dots = "·" * (int(seconds * SIGN_STEPS) % 3 + 1)
    return f"{dots:<3} {seconds:.0f} s"
