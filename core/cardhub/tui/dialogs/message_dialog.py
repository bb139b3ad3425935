"""Boxes with some lines and buttons: the result, a bot's failure, all about a card."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Static

from cardhub.tui.dialogs.dialog import Dialog


class MessageDialog(Dialog[str]):
    """Shows text with buttons; its result is the id of the button pressed, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "press('leave')", "Leave", show=False, id="notice.leave"),
        Binding("j,down", "scroll(1)", "Down", show=False, id="notice.down"),
        Binding("k,up", "scroll(-1)", "Up", show=False, id="notice.up"),
    ]
    DEFAULT_CSS = """
    MessageDialog .text { height: auto; max-height: 16; }
    MessageDialog Static { width: 100%; }
    MessageDialog .title { text-style: bold; }
    """

    def __init__(self, title: str, text: str, buttons: Mapping[str, str]) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._buttons = buttons

    def compose(self) -> ComposeResult:
        """Lay out title, text and buttons."""
        with Vertical(classes="box"):
            if self._title:
                yield Static(f"{self._title}\n", markup=False, classes="title")
            with VerticalScroll(classes="text", can_focus=False):
                yield Static(self._text, markup=False)
            with Horizontal(classes="keys"):
                for name, label in self._buttons.items():
                    yield Button(label, id=name, compact=True)

    @on(Button.Pressed)
    def press(self, event: Button.Pressed) -> None:
        """Close with the button's id."""
        self.dismiss(event.button.id)

    def action_press(self, name: str) -> None:
        """Press a button by key, if there is such a button."""
        if name in self._buttons:
            self.dismiss(name)

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)
