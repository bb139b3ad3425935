"""The screen between the turns of two people at one terminal."""

from time import monotonic

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static
from typing_extensions import override

from cardhub.tui.dialogs.dialog import SingleResultScreen

LEAVE_KEYS = ("q", "ctrl+q", "ctrl+c")
# Seconds during which keys are ignored: they were meant for the table before.
GRACE = 0.5


class HandoverScreen(SingleResultScreen[bool]):
    """Hides the table until the next person presses a key or clicks.

    The result is True, or False after a key that leaves the game.
    """

    DEFAULT_CSS = """
    HandoverScreen { align: center middle; }
    HandoverScreen Static { width: auto; text-align: center; }
    """

    def __init__(self, player: str) -> None:
        super().__init__()
        self._player = player
        self._shown_at = 0.0

    @override
    def compose(self) -> ComposeResult:
        yield Static(f"Pass to {self._player}.\n\n{self._player}, press a key.", markup=False)

    def on_mount(self) -> None:
        """Start the grace period, in which keys are ignored."""
        self._shown_at = monotonic()

    def on_key(self, event: events.Key) -> None:
        """Show the table, or leave."""
        event.stop()
        # Leaving needs no grace: the cards stay hidden.
        if event.key in LEAVE_KEYS:
            self.dismiss(False)
        else:
            self.on_click()

    def on_click(self) -> None:
        """Show the table."""
        if monotonic() - self._shown_at >= GRACE:
            self.dismiss(True)
