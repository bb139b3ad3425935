"""The chat of a table: its lines and an input."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static
from typing_extensions import override

from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.wire.client_messages import LONGEST_CHAT, Say
from cardhub.tui.dialogs.dialog import Dialog
from cardhub.view.text.glyphs import Glyphs

NO_LINES = "The chat is empty."


class ChatDialog(Dialog[None]):
    """Shows the chat. Enter sends a line, escape closes the dialog."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Otherwise ctrl+c copies the text of the input.
        Binding("ctrl+c", "app.help_quit", show=False, id="chat.leave", priority=True),
    ]
    DEFAULT_CSS = """
    ChatDialog { align: center bottom; }
    ChatDialog > .box { height: auto; }
    ChatDialog VerticalScroll { height: auto; max-height: 12; }
    ChatDialog Input { border: none; height: 1; padding: 0; }
    """

    def __init__(self, client: RemoteClient, glyphs: Glyphs) -> None:
        super().__init__()
        self._client = client
        self._glyphs = glyphs
        self._unsubscribe: Callable[[], None] | None = None

    @override
    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            with VerticalScroll(can_focus=False):
                yield Static("", markup=False)
            yield Input(placeholder="write", max_length=LONGEST_CHAT, compact=True)

    def on_mount(self) -> None:
        """Show all lines, and follow the chat."""
        self._unsubscribe = self._client.subscribe(self._show)
        self._show()

    def on_unmount(self) -> None:
        """Unsubscribe from the table."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    @on(Input.Submitted)
    def write(self, event: Input.Submitted) -> None:
        """Send the line, or close the dialog if it is empty."""
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
        self.query_one(Static).update("\n".join([*lines, *banner]) or NO_LINES)
        self.query_one(VerticalScroll).scroll_end(animate=False)
