"""The prompt: one permanent line that says whose turn it is and what to do."""

from textual.widgets import Static

from cardhub.text.glyphs import Glyphs
from cardhub.text.plain_text import prompt_line
from cardhub.tui.dialogs.result import winners
from cardhub.tui.session import Session
from cardhub.tui.table_screen.bot_turns import BotTurns

SIGN_AFTER = 0.5
"""After how many seconds it is said that a bot thinks."""
STEPS = 4
"""How often the sign of thinking moves, per second."""


class Prompt(Static):
    """Says who is to act and how, why bots do not go on, or who has won."""

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

    def show(self, *, is_stuck: bool) -> None:
        """Show how things stand; `is_stuck` if the bot to act has failed."""
        self._instruction = self._session.observe().scene().prompt
        self.update(self._glyphs.text(self._text(is_stuck)))

    def show_thinking(self) -> None:
        """Move the sign of thinking, if a bot thinks long enough for one."""
        seconds = self._bots.thinking
        if seconds is not None and seconds >= SIGN_AFTER and not self._bots.is_paused:
            player = self._session.referee.players[self._session.referee.seat]
            what = ". again to break it off" if self._bots.is_deaf else self._instruction
            self.update(self._glyphs.text(f"{player} thinks {moving(seconds)}: {what}"))

    def _text(self, is_stuck: bool) -> str:
        referee = self._session.referee
        observation = self._session.observe()
        players = [str(player) for player in referee.players]
        if is_stuck:
            return f"{players[referee.seat]} failed: . to try again, q to leave"
        prompt = prompt_line(observation, players, self._instruction)
        if referee.is_over:
            return f"{prompt}: {winners(referee)}"
        if self._bots.is_paused and self._session.is_bots_turn:
            return f"Paused: p to go on, . for one step. {prompt}"
        return prompt


def moving(seconds: float) -> str:
    """Return a sign that something goes on, and for how long."""
    dots = "·" * (int(seconds * STEPS) % 3 + 1)
    return f"{dots:<3} {seconds:.0f} s"
