"""Dialogs about the status of a game: a bot has failed, or takes too long."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from textual.message import Message

from cardhub.play.table_messages import TableStatus
from cardhub.play.table_model import TableModel
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.table.table_view import TableView
from cardhub.view.view import View

STOPPED = "A bot that you stop can try again, but it forgets this game."


@dataclass
class BotReplaced(Message):
    """The person wants another bot in a seat."""

    seat: int


class FaultChoices(NamedTuple):
    """The dialog about a fault: what happened to the game, and the decisions with their labels."""

    saved: str
    buttons: Mapping[str, str]


OWN_GAME = FaultChoices(
    "The game is saved up to this turn. If you leave, you will see how to find out what the bot"
    " did.",
    {"retry": "Ask the bot again", "leave": "Leave"},
)
# The choices of the owner of a server's table.
OWNED_TABLE = FaultChoices(
    "The game is saved up to this turn, and waits until you decide.",
    {"retry": "Ask the bot again", "replace": "Another bot", "leave": "Leave"},
)
AT_SLOW_BOT: Mapping[str, str] = {"wait": "Wait", "stop": "Stop the bot", "leave": "Leave"}


class StatusDialogs:
    """Opens a dialog once for each fault, and asks whether to wait for a slow bot.

    The question closes as soon as the bot answers. The screen gets a BotReplaced if the person
    wants another bot. `is_on`: whether the person decides about bots.
    """

    def __init__(self, screen: TableView, choices: FaultChoices = OWN_GAME) -> None:
        self._screen = screen
        self._choices = choices
        self.is_on = True
        self._fault: tuple[int, str] | None = None
        self._waiting: MessageDialog | None = None

    def show(self, model: TableModel, status: TableStatus, view: View) -> None:
        """Open and close dialogs according to the status of a table."""
        if not self.is_on:
            return
        if self._waiting is not None and not status.is_slow:
            waiting, self._waiting = self._waiting, None
            if waiting.is_current:
                waiting.dismiss(None)
        fault = None if status.fault is None else (view.revision, status.fault)
        if fault is not None and fault != self._fault:
            self._show_fault(model, status.fault or "", view)
        elif status.is_slow and self._waiting is None and status.thinking is not None:
            title = f"{actor(view)} has been thinking for {status.thinking:.0f} seconds"
            self._waiting = MessageDialog(self._printable(title), STOPPED, {**AT_SLOW_BOT})
            self._ask(model, self._waiting)
        self._fault = fault

    def _show_fault(self, model: TableModel, fault: str, view: View) -> None:
        text = f"{fault[0].upper()}{fault[1:]}.\n\n{self._choices.saved}"
        title = f"{actor(view)} failed"
        self._ask(model, MessageDialog(self._printable(title), text, {**self._choices.buttons}))

    def _ask(self, model: TableModel, dialog: MessageDialog) -> None:
        self._screen.app.push_screen(dialog, partial(self._decide, model, model.view().to_act))

    def _decide(self, model: TableModel, seat: int, button: str | None) -> None:
        match button:
            case "retry" | "wait" | "stop" as request:
                model.request(request)
            case "leave":
                self._screen.action_leave()
            case "replace":
                self._screen.post_message(BotReplaced(seat))

    def _printable(self, text: str) -> str:
        return self._screen.glyphs.texts.text(text)


def actor(view: View) -> str:
    """Return the player to act, with the spec of its bot."""
    player = view.players[view.to_act]
    return f"{player.name} ({player.bot})" if player.bot else player.name
