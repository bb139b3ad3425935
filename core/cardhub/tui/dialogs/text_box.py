"""The box for typing one line of text."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static
from typing_extensions import override

from cardhub.tui.dialogs.dialog import Dialog


class TextBox(Dialog[str]):
    """Asks for a line of text; enter takes it, also an empty one, escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Otherwise the input copies its text.
        Binding("ctrl+c", "app.help_quit", show=False, id="text.leave", priority=True),
    ]
    DEFAULT_CSS = """
    TextBox { align: center bottom; }
    TextBox > .box { height: auto; }
    TextBox Input { border: none; height: 1; padding: 0; }
    """

    def __init__(self, question: str, text: str = "", longest: int = 0) -> None:
        super().__init__()
        self._question = question
        self._text = text
        self._longest = longest

    @override
    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(self._question, markup=False)
            yield Input(self._text, max_length=self._longest, select_on_focus=False, compact=True)

    @on(Input.Submitted)
    def take(self, event: Input.Submitted) -> None:
        """Close with the text as the result."""
        event.stop()
        self.dismiss(event.value)
