"""The chat of a table: its lines, and a line to write."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static
from typing_extensions import override

from cardhub.online.remote.table_model import TableModel
from cardhub.online.wire.client_messages import LONGEST_CHAT, Say
from cardhub.tui.dialogs.dialog import Dialog
from cardhub.view.text.glyphs import Glyphs

NOTHING_SAID = "No line has been written yet."


class ChatDialog(Dialog[None]):
    """Shows the chat as it goes on; enter sends a line, escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Otherwise the input copies its text.
        Binding("ctrl+c", "app.help_quit", show=False, id="chat.leave", priority=True),
    ]
    DEFAULT_CSS = """
    ChatDialog { align: center bottom; }
    ChatDialog > .box { height: auto; }
    ChatDialog VerticalScroll { height: auto; max-height: 12; }
    ChatDialog Input { border: none; height: 1; padding: 0; }
    """

    def __init__(self, client: TableModel, glyphs: Glyphs) -> None:
        super().__init__()
        self._client = client
        self._glyphs = glyphs
        self._end: Callable[[], None] | None = None

    @override
    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            with VerticalScroll(can_focus=False):
                yield Static("", markup=False)
            yield Input(placeholder="write", max_length=LONGEST_CHAT, compact=True)

    def on_mount(self) -> None:
        """Show the lines so far, and new ones as they come."""
        self._end = self._client.subscribe(self._show)
        self._show()

    def on_unmount(self) -> None:
        """Listen no longer."""
        if self._end is not None:
            self._end()

    @on(Input.Submitted)
    def write(self, event: Input.Submitted) -> None:
        """Send the line; an empty one goes back."""
        event.stop()
        if event.value.strip() and not self._client.is_connected:
            return  # the line stays until it can be sent
        if event.value.strip():
            self._client.send(Say(text=event.value))
            event.input.value = ""
        else:
            self.dismiss(None)

    def _show(self) -> None:
        if not self.query(Static):
            return  # being opened or closed
        lines = [self._glyphs.text(f"{line.name}: {line.text}") for line in self._client.chat.lines]
        banner = [self._client.banner] if self._client.banner else []
        self.query_one(Static).update("\n".join([*lines, *banner]) or NOTHING_SAID)
        self.query_one(VerticalScroll).scroll_end(animate=False)
