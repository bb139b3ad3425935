"""The curtain between two people at one terminal."""

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static


class Curtain(Screen[bool]):
    """A blank screen that says who is next; a key or click raises it, and only `q` leaves.

    Its result is whether it was raised.
    """

    DEFAULT_CSS = """
    Curtain { align: center middle; }
    Curtain Static { width: auto; text-align: center; }
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def compose(self) -> ComposeResult:
        """Show the name and nothing else."""
        yield Static(f"Pass to {self._name}.\n\n{self._name}, press a key.", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Raise the curtain, or leave."""
        event.stop()
        self.dismiss(event.key not in ("q", "ctrl+q"))

    def on_click(self) -> None:
        """Raise the curtain."""
        self.dismiss(True)
