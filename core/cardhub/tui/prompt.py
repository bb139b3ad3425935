"""The prompt: one permanent line that says whose turn it is and what to do."""

from textual.widgets import Static

from cardhub.text.glyphs import Glyphs
from cardhub.text.turns import whose_turn
from cardhub.tui.result import winners
from cardhub.tui.session import Session


class Prompt(Static):
    """Says who is to act and how, why bots do not go on, or who has won."""

    DEFAULT_CSS = """
    Prompt { height: auto; max-height: 3; text-style: bold; }
    """

    def __init__(self, session: Session, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self._session = session
        self._glyphs = glyphs

    def show(self, *, is_paused: bool, is_stuck: bool) -> None:
        """Show how things stand; `is_stuck` if the bot to act has failed."""
        self.update(self._glyphs.text(self._text(is_paused, is_stuck)))

    def _text(self, is_paused: bool, is_stuck: bool) -> str:
        referee = self._session.referee
        observation = self._session.observe()
        players = [str(player) for player in referee.players]
        if is_stuck:
            return f"{players[referee.seat]} failed: . to try again, q to leave"
        prompt = whose_turn(observation, players, observation.scene().prompt)
        if referee.is_over:
            return f"{prompt}: {winners(referee)}"
        if is_paused and referee.seat in self._session.bots:
            return f"Paused: p to go on, . for one step. {prompt}"
        return prompt
