"""The widget of a replayed table: the table with rows of the replay instead of buttons."""

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message
from typing_extensions import override

from cardhub.tui.keys import CURSOR_KEYS, bindings
from cardhub.tui.replay_screen.timeline import TIMELINE_ROWS
from cardhub.tui.table_screen.table_widget import TableWidget
from cardhub.view.layout.plan import PlanOptions

# Keys of the cursor that a replay does not use for its steps.
CURSOR_IDS = ("board.up", "board.down", "board.region", "board.before", "board.inspect")
LOG_IDS = ("board.log_up", "board.log_down")
REPLAY_CURSOR_KEYS = tuple(key for key in CURSOR_KEYS if key.id in (*CURSOR_IDS, *LOG_IDS))


@dataclass
class ControlClicked(Message):
    """A click on a row of the replay: its number from 0, and the column."""

    row: int
    column: int


class ReplayTable(TableWidget, inherit_bindings=False):
    """The table without actions; its lowest rows are those of the replay."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(REPLAY_CURSOR_KEYS)

    @override
    def set_options(self, options: PlanOptions) -> None:
        super().set_options(options._replace(controls=TIMELINE_ROWS))

    def on_click(self, event: events.Click) -> None:
        """Tell the screen of a click on the rows of the replay."""
        offset = event.get_content_offset(self)
        box = self.plan.regions.get("actions") if self.plan else None
        if offset is not None and box is not None and box.y <= offset.y < box.y + box.height:
            self.post_message(ControlClicked(offset.y - box.y, offset.x - box.x))
