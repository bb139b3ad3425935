"""The stop at the end of a round: its summary, until a key is pressed or for some time."""

from collections.abc import Sequence
from time import monotonic

from textual import events
from typing_extensions import override

from cardhub.tui.dialogs.dialog import MessageDialog, text_width
from cardhub.view.text.glyphs import Glyphs
from cardhub.view.text.summaries import summary_lines
from cardhub.view.view import SummaryView

# Seconds during which keys are ignored: they were meant for the table.
GRACE = 0.3
# Keys of the dialog and of its buttons.
SCROLL_KEYS = frozenset(("j", "k", "up", "down"))
BUTTON_KEYS = frozenset(("enter", "space", "tab", "shift+tab"))
LEAVE_KEYS = frozenset(("escape", "q", "ctrl+q", "ctrl+c"))
BUTTONS = {"close": "Go on", "leave": "Leave"}


class SummaryDialog(MessageDialog):
    """Shows the summaries of rounds below the middle of the table that they speak of.

    Any key goes on, but for those that scroll or leave. With `seconds` it closes after that time.
    """

    DEFAULT_CSS = """
    SummaryDialog { align: center bottom; background: $background 0%; }
    SummaryDialog > .box { max-height: 60%; }
    SummaryDialog .text { max-height: 36vh; }
    SummaryDialog .keys { margin-top: 0; }
    """

    def __init__(
        self,
        summaries: Sequence[SummaryView],
        glyphs: Glyphs,
        columns: int,
        seconds: float | None = None,
    ) -> None:
        first, *others = summaries
        width = text_width(columns)
        lines = summary_lines(first, width, glyphs, titled=False)
        for summary in others:
            lines += ["", *summary_lines(summary, width, glyphs)]
        super().__init__(glyphs.text(first.title), "\n".join(lines), BUTTONS)
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
