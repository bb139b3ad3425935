"""Opening the dialogs of a table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from textual.screen import Screen

from cardhub.errors import BotFaultError
from cardhub.game.scene import Summary
from cardhub.play.advice import public_fault
from cardhub.play.referee import Referee
from cardhub.play.result_text import result_rows
from cardhub.table.goal import Goal
from cardhub.text import Glyphs, summary_lines
from cardhub.text.glyphs import cells, pad
from cardhub.tui.dialogs.action_box import ActionBox
from cardhub.tui.dialogs.dialog import HelpScreen, MessageDialog, text_width
from cardhub.tui.dialogs.handover_screen import HandoverScreen
from cardhub.tui.dialogs.summary_dialog import SummaryDialog
from cardhub.tui.session import Session
from cardhub.view.log import summary_view
from cardhub.view.reasons import Reasons
from cardhub.view.rules_text import rules_with_options

# Takes the id of the pressed button, or None.
ButtonHandler = Callable[[str | None], None]


class TableDialogs:
    """Opens dialogs in front of a table's screen; each passes its result to a callback."""

    def __init__(self, screen: Screen[None], session: Session, glyphs: Glyphs) -> None:
        self._screen = screen
        self._session = session
        self._glyphs = glyphs
        self._waiting: MessageDialog | None = None

    def hand_over(self, seat: int, handler: Callable[[bool | None], None]) -> None:
        """Hide the table until the player of a seat is at the terminal."""
        name = self._glyphs.text(self._session.names[seat])
        self._screen.app.push_screen(HandoverScreen(name), handler)

    def ask(self, actions: Sequence[int], handler: Callable[[int | None], None]) -> None:
        """Ask for one of some actions."""
        observation, names = self._session.observe(), self._session.names
        box = ActionBox(observation.labels(names), actions, Reasons(observation, names))
        self._screen.app.push_screen(box, handler)

    def show_failure(self, fault: BotFaultError, handler: ButtonHandler) -> None:
        """Show the fault of the bot to act; buttons `retry` and `leave`."""
        # All people at the terminal read it: only the public text, without the bot's cards.
        referee = self._session.referee
        player = referee.players[referee.seat]
        fault_text = public_fault(player, fault)
        lines = [
            f"{fault_text[0].upper()}{fault_text[1:]}.",
            "",
            "The game is saved up to this turn. If you leave, you are told how to see what the "
            "bot did.",
        ]
        buttons = {"retry": "Try again", "leave": "Leave"}
        self._open(f"The bot of {player} failed", lines, buttons, handler)

    def ask_to_wait(self, seconds: float, handler: ButtonHandler) -> None:
        """Ask whether to wait for the bot to act; buttons `wait`, `stop` and `leave`."""
        if self._waiting is not None and self._waiting.is_current:
            return  # asked already, and not answered yet
        player = self._session.referee.players[self._session.referee.seat]
        lines = ["If it is stopped, it can try again, but will have forgotten this game."]
        buttons = {"wait": "Wait", "stop": "Stop it", "leave": "Leave"}
        title = f"The bot of {player} has been thinking for {seconds:.0f} seconds"
        self._waiting = self._open(title, lines, buttons, handler)

    def close_waiting(self) -> None:
        """Close the question whether to wait: the bot has answered or was stopped."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.is_current:
            waiting.dismiss(None)

    def show_summaries(
        self, summaries: Sequence[Summary], handler: ButtonHandler, seconds: float | None
    ) -> None:
        """Show the summaries of rounds that have ended, for some seconds if given."""
        first, *others = summaries
        lines = self._lines_of(first, titled=False)
        for summary in others:
            lines += ["", *self._lines_of(summary)]
        dialog = SummaryDialog(self._glyphs.text(first.title), "\n".join(lines), seconds)
        self._screen.app.push_screen(dialog, handler)

    def show_result(self, handler: ButtonHandler) -> None:
        """Show the result and all summaries; buttons `close` and `leave`."""
        lines = _result(self._session.referee, self._session.record)
        for summary in self._session.summaries():
            lines += ["", *self._lines_of(summary)]
        buttons = {"close": "Look at the table", "leave": "Leave"}
        self._open(self._session.winners(), lines, buttons, handler)

    def show_text(self, text: str) -> None:
        """Show a long text."""
        self._open("", [text], {"close": "Back"})

    def show_help(self) -> None:
        """Show the keys and the rules."""
        referee = self._session.referee
        rules = rules_with_options(referee.game, referee.settings, len(referee.players))
        self._screen.app.push_screen(HelpScreen(rules))

    def _lines_of(self, summary: Summary, *, titled: bool = True) -> list[str]:
        width = text_width(self._screen.app.size.width)
        return summary_lines(summary_view(summary), width, self._glyphs, titled=titled)

    def _open(
        self,
        title: str,
        lines: Iterable[str],
        buttons: Mapping[str, str],
        handler: ButtonHandler | None = None,
    ) -> MessageDialog:
        text = "\n".join(map(self._glyphs.text, lines))
        dialog = MessageDialog(self._glyphs.text(title), text, buttons)
        self._screen.app.push_screen(dialog, handler)
        return dialog


def _result(referee: Referee[Any], record: Path | None) -> list[str]:
    """Return places, players and scores, the best first; then seed and record."""
    scoring = referee.scoring
    rows = result_rows([str(player) for player in referee.players], referee.scores(), scoring)
    width = max(cells(name) for _, name, _ in rows)
    lines = [f"{place}. {pad(name, width)}  {score:>4}" for place, name, score in rows]
    # The title of a common cause has the unit.
    if scoring.goal is not Goal.COMMON:
        lines.insert(0, f"Scores in {scoring.unit}:")
    # Public now that the game is over; until then only the commitment is shown.
    lines += ["", f"Seed: {referee.seed}"]
    return [*lines, f"Record: {record}"] if record else lines
