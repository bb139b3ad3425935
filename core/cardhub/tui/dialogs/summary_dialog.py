"""The stop at the end of a round: its summary, until a key is pressed or for some time."""

from time import monotonic

from textual import events
from typing_extensions import override

from cardhub.tui.dialogs.dialog import MessageDialog

# Seconds during which keys are ignored: they were meant for the table.
GRACE = 0.3
# Keys of the dialog and of its buttons.
SCROLL_KEYS = frozenset(("j", "k", "up", "down"))
BUTTON_KEYS = frozenset(("enter", "space", "tab", "shift+tab"))
LEAVE_KEYS = frozenset(("escape", "q", "ctrl+q", "ctrl+c"))
BUTTONS = {"close": "Go on", "leave": "Leave"}


class SummaryDialog(MessageDialog):
    """Shows the summaries of rounds; any key goes on, but for those that scroll or leave.

    With `seconds` it closes after that time.
    """

    def __init__(self, title: str, text: str, seconds: float | None = None) -> None:
        super().__init__(title, text, BUTTONS)
        self._seconds = seconds
        self._shown_at = 0.0

    def on_mount(self) -> None:
        """Start the grace period, and the time after which the dialog closes."""
        self._shown_at = monotonic()
        if self._seconds is not None:
            self.set_timer(self._seconds, self.action_close)

    @override
    def action_press(self, name: str) -> None:
        if name == "leave" or monotonic() - self._shown_at >= GRACE:
            super().action_press(name)

    def on_key(self, event: events.Key) -> None:
        """Go on, unless the key has a meaning here."""
        if event.key not in SCROLL_KEYS | BUTTON_KEYS | LEAVE_KEYS:
            event.stop()
            self.action_press("close")
