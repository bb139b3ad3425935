"""The curtain between two people at one terminal."""

from time import monotonic

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

LEAVE = ("q", "ctrl+q", "ctrl+c")
GRACE = 0.5
"""How many seconds a curtain stays whatever is pressed."""


class HandoverScreen(Screen[bool]):
    """A blank screen that says who is next; a key or click raises it, and only `q` or Ctrl-C leave.

    Its result is whether it was raised.
    """

    DEFAULT_CSS = """
    HandoverScreen { align: center middle; }
    HandoverScreen Static { width: auto; text-align: center; }
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._fell = 0.0

    def compose(self) -> ComposeResult:
        """Show the name and nothing else."""
        yield Static(f"Pass to {self._name}.\n\n{self._name}, press a key.", markup=False)

    def on_mount(self) -> None:
        """Look at the clock: keys that come at once were meant for the table."""
        self._fell = monotonic()

    def on_key(self, event: events.Key) -> None:
        """Raise the curtain, or leave."""
        event.stop()
        if event.key in LEAVE:
            self.dismiss(False)
        else:
            self._raise()

    def on_click(self) -> None:
        """Raise the curtain."""
        self._raise()

    def _raise(self) -> None:
        if monotonic() - self._fell >= GRACE:
            self.dismiss(True)
