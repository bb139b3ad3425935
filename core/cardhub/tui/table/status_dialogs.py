"""Dialogs about the status of a game: a bot has failed, or takes too long."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from typing_extensions import override

from cardhub.play.table_commands import PaceRequest
from cardhub.play.table_messages import TableStatus
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.table.table_view import TableView
from cardhub.view.view import View

STOPPED = "A bot that you stop can try again, but it forgets this game."
# The requests of the buttons.
REQUESTS: dict[str, PaceRequest] = {"retry": "retry", "wait": "wait", "stop": "stop"}


class StatusDialogs:
    """Opens a dialog once for each fault, and asks whether to wait for a slow bot.

    The question closes as soon as the bot answers. `request` carries the decision out, `leave`
    leaves the game.
    """

    saved = (
        "The game is saved up to this turn. If you leave, you will see how to find out what the bot"
        " did."
    )
    after_fault: ClassVar[Mapping[str, str]] = {"retry": "Ask the bot again", "leave": "Leave"}

    def __init__(
        self, screen: TableView, request: Callable[[PaceRequest], None], leave: Callable[[], None]
    ) -> None:
        self._screen = screen
        self._request = request
        self._leave = leave
        self._fault: tuple[int, str] | None = None
        self._waiting: MessageDialog | None = None

    def show(self, status: TableStatus, view: View) -> None:
        """Open and close dialogs according to a status."""
        if self._waiting is not None and not status.is_slow:
            waiting, self._waiting = self._waiting, None
            if waiting.is_current:
                waiting.dismiss(None)
        fault = None if status.fault is None else (view.revision, status.fault)
        if fault is not None and fault != self._fault:
            self._show_fault(status.fault or "", view)
        elif status.is_slow and self._waiting is None and status.thinking is not None:
            self._ask_to_wait(status.thinking, view)
        self._fault = fault

    def _show_fault(self, fault: str, view: View) -> None:
        text = f"{fault[0].upper()}{fault[1:]}.\n\n{self.saved}"
        title = self._printable(f"The bot of {actor(view)} failed")
        dialog = MessageDialog(title, text, dict(self.after_fault))
        self._screen.app.push_screen(dialog, self._decide)

    def _ask_to_wait(self, seconds: float, view: View) -> None:
        title = f"The bot of {actor(view)} has been thinking for {seconds:.0f} seconds"
        buttons = {"wait": "Wait", "stop": "Stop the bot", "leave": "Leave"}
        self._waiting = MessageDialog(self._printable(title), STOPPED, buttons)
        self._screen.app.push_screen(self._waiting, self._decide)

    def _decide(self, button: str | None) -> None:
        if button == "leave":
            self._leave()
        elif button in REQUESTS:
            self._request(REQUESTS[button])

    def _printable(self, text: str) -> str:
        return self._screen.glyphs.texts.text(text)


def actor(view: View) -> str:
    """Return the player to act, with the spec of its bot."""
    player = view.players[view.to_act]
    return f"{player.name} ({player.bot})" if player.bot else player.name


class OwnerDialogs(StatusDialogs):
    """Opens dialogs at a server's table, for its owner only.

    `is_owner`: whether the person owns the table; `replace` puts another bot into a seat.
    """

    saved = "The game is saved up to this turn, and waits until you decide."
    after_fault: ClassVar[Mapping[str, str]] = {
        "retry": "Ask the bot again",
        "replace": "Another bot",
        "leave": "Leave",
    }

    def __init__(
        self,
        screen: TableView,
        request: Callable[[PaceRequest], None],
        leave: Callable[[], None],
        is_owner: Callable[[], bool],
        replace: Callable[[int], None],
    ) -> None:
        super().__init__(screen, request, leave)
        self._is_owner = is_owner
        self._replace = replace
        self._seat = 0

    @override
    def show(self, status: TableStatus, view: View) -> None:
        self._seat = view.to_act
        if self._is_owner():
            super().show(status, view)

    @override
    def _decide(self, button: str | None) -> None:
        if button == "replace":
            self._replace(self._seat)
        else:
            super()._decide(button)
