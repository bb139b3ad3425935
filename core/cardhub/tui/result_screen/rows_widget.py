"""A widget of rows of styled runs, scrolled by keys and wheel."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from cardhub.tui.palette import rich_style
from cardhub.tui.textual_themes import palette_of
from cardhub.view.layout.frame import Run

WHEEL_ROWS = 3


@dataclass
class RowClicked(Message):
    """A click on a row, numbered from 0 with those that are scrolled away, at a column."""

    widget: "RowsWidget"
    row: int
    column: int

    @property
    @override
    def control(self) -> "RowsWidget":
        return self.widget


class RowsWidget(Widget):
    """Shows as many rows as fit, from `first` on."""

    DEFAULT_CSS = "RowsWidget { width: 1fr; height: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.first = 0
        self._rows: Sequence[Sequence[Run]] = ()

    @property
    def hidden(self) -> int:
        """The number of rows that do not fit."""
        return max(len(self._rows) - self.size.height, 0)

    def show_rows(self, rows: Sequence[Sequence[Run]]) -> None:
        """Show other rows, as far down as before where that is possible."""
        self._rows = rows
        self.scroll_rows(0)

    def scroll_rows(self, by: int) -> None:
        """Scroll by some rows, within the rows."""
        self.first = min(max(self.first + by, 0), self.hidden)
        self.refresh()

    def on_resize(self) -> None:
        """Keep the last rows at the bottom."""
        self.scroll_rows(0)

    @override
    def render_line(self, y: int) -> Strip:
        width, number = self.size.width, self.first + y
        if number >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        palette = palette_of(self.app)
        row = self._rows[number]
        strip = Strip(
            [Segment(run.text, rich_style(palette, run.style, is_middle=False)) for run in row]
        )
        return strip.crop_extend(0, width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Tell the screen of the row."""
        offset = event.get_content_offset(self)
        if offset is not None:
            self.post_message(RowClicked(self, self.first + offset.y, offset.x))

    def on_mouse_scroll_down(self) -> None:
        """Scroll down."""
        self.scroll_rows(WHEEL_ROWS)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up."""
        self.scroll_rows(-WHEEL_ROWS)
