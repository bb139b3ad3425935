"""The dialogs of one table."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from textual.screen import Screen

from cardhub.errors import BotFaultError
from cardhub.play.advice import public_fault
from cardhub.text import Glyphs, rules_with_options
from cardhub.tui.dialogs.action_box import ActionBox
from cardhub.tui.dialogs.handover_screen import HandoverScreen
from cardhub.tui.dialogs.help_screen import HelpScreen
from cardhub.tui.dialogs.message_dialog import MessageDialog
from cardhub.tui.dialogs.result import result_text, winners
from cardhub.tui.session import Session

Decided = Callable[[str | None], None]
"""Gets the id of the button somebody pressed, or None."""


class Dialogs:
    """Opens dialogs in front of a table's screen; each tells its result to a function."""

    def __init__(self, screen: Screen[None], session: Session, glyphs: Glyphs) -> None:
        self._screen = screen
        self._session = session
        self._glyphs = glyphs
        self._waiting: MessageDialog | None = None

    def pass_to(self, seat: int, raised: Callable[[bool | None], None]) -> None:
        """Draw the curtain until a seat's player is at the terminal."""
        name = self._glyphs.text(self._session.names[seat])
        self._screen.app.push_screen(HandoverScreen(name), raised)

    def ask(self, actions: Sequence[int], decided: Callable[[int | None], None]) -> None:
        """Ask which of some actions is meant."""
        labels = self._session.observe().labels(self._session.names)
        self._screen.app.push_screen(ActionBox(labels, labels.notations(actions)), decided)

    def tell_failure(self, fault: BotFaultError, decided: Decided) -> None:
        """Tell that the bot to act failed; `retry` and `leave` are the buttons.

        Anybody may read it, so it says nothing that could quote the bot's cards.
        """
        referee = self._session.referee
        player = referee.players[referee.seat]
        title = f"The bot of {player} failed"
        lines = [
            _sentence(public_fault(player, fault)),
            "",
            "The game is saved as it stood before this turn. Whoever leaves is told how to see "
            "what the bot did.",
        ]
        self._tell(title, lines, {"retry": "Try again", "leave": "Leave"}, decided)

    def ask_to_wait(self, seconds: float, decided: Decided) -> None:
        """Ask whether to go on waiting for the bot to act; `wait`, `stop`, `leave`.

        Nobody is asked again who has not answered yet.
        """
        if self._waiting is not None and self._waiting.is_current:
            return
        player = self._session.referee.players[self._session.referee.seat]
        lines = ["If it is stopped, it can try again, but will have forgotten this game."]
        buttons = {"wait": "Wait", "stop": "Stop it", "leave": "Leave"}
        title = f"The bot of {player} has been thinking for {seconds:.0f} seconds"
        self._waiting = self._tell(title, lines, buttons, decided)

    def close_waiting(self) -> None:
        """Ask no more whether to wait: there is nobody to wait for."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.is_current:
            waiting.dismiss(None)

    def show_result(self, decided: Decided) -> None:
        """Show the result; `close` and `leave` are the buttons."""
        referee = self._session.referee
        lines = result_text(referee, self._session.record)
        buttons = {"close": "Look at the table", "leave": "Leave"}
        self._tell(winners(referee), lines, buttons, decided)

    def read(self, text: str) -> None:
        """Show a text in full."""
        self._tell("", [text], {"close": "Back"})

    def help(self) -> None:
        """Show the keys and the rules."""
        referee = self._session.referee
        self._screen.app.push_screen(HelpScreen(rules_with_options(referee.game, referee.settings)))

    def _tell(
        self,
        title: str,
        lines: Iterable[str],
        buttons: Mapping[str, str],
        decided: Decided | None = None,
    ) -> MessageDialog:
        text = "\n".join(map(self._glyphs.text, lines))
        notice = MessageDialog(self._glyphs.text(title), text, buttons)
        self._screen.app.push_screen(notice, decided)
        return notice


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
