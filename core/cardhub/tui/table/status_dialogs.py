"""Dialogs about the status of a game: a bot has failed, or takes too long."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from textual.message import Message

from cardhub.play.table_messages import TableStatus
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.table.table_view import TableView
from cardhub.view.view import View

STOPPED = "A bot that you stop can try again, but it forgets this game."
# What a person can decide about a bot.
Decision = Literal["retry", "wait", "stop", "leave", "replace"]


@dataclass
class BotDecided(Message):
    """The person has decided about the bot of a seat."""

    decision: Decision
    seat: int


class FaultChoices(NamedTuple):
    """The dialog about a fault: what happened to the game, and the decisions with their labels."""

    saved: str
    buttons: Mapping[Decision, str]


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
AT_SLOW_BOT: Mapping[Decision, str] = {"wait": "Wait", "stop": "Stop the bot", "leave": "Leave"}


class StatusDialogs:
    """Opens a dialog once for each fault, and asks whether to wait for a slow bot.

    The question closes as soon as the bot answers. The screen gets each decision as a BotDecided.
    """

    def __init__(self, screen: TableView, choices: FaultChoices = OWN_GAME) -> None:
        self._screen = screen
        self._choices = choices
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
        text = f"{fault[0].upper()}{fault[1:]}.\n\n{self._choices.saved}"
        title = f"The bot of {actor(view)} failed"
        self._ask(title, text, self._choices.buttons, view.to_act)

    def _ask_to_wait(self, seconds: float, view: View) -> None:
        title = f"The bot of {actor(view)} has been thinking for {seconds:.0f} seconds"
        self._waiting = self._ask(title, STOPPED, AT_SLOW_BOT, view.to_act)

    def _ask(
        self, title: str, text: str, buttons: Mapping[Decision, str], seat: int
    ) -> MessageDialog:
        dialog = MessageDialog(
            self._printable(title), text, {str(name): label for name, label in buttons.items()}
        )

        def decide(button: str | None) -> None:
            for decision in buttons:
                if decision == button:
                    self._screen.post_message(BotDecided(decision, seat))

        self._screen.app.push_screen(dialog, decide)
        return dialog

    def _printable(self, text: str) -> str:
        return self._screen.glyphs.texts.text(text)


def actor(view: View) -> str:
    """Return the player to act, with the spec of its bot."""
    player = view.players[view.to_act]
    return f"{player.name} ({player.bot})" if player.bot else player.name
