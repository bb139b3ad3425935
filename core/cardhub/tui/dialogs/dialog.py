"""What all screens in front of the table have in common."""

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

R = TypeVar("R")


class Dialog(ModalScreen[R]):
    """A box in front of the table; escape or a click beside it closes it without a result."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Back", id="dialog.close"),
        Binding("ctrl+c", "app.help_quit", "Leave", show=False, id="dialog.leave"),
    ]
    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > .box {
        width: 76; max-width: 96%; height: auto; max-height: 96%;
        border: round $foreground 60%; padding: 0 1; background: $surface;
    }
    Dialog .keys { height: auto; width: 100%; align-horizontal: center; margin-top: 1; }
    Dialog .keys Button { min-width: 8; margin: 0 1; }
    """

    def action_close(self) -> None:
        """Close the box."""
        self.dismiss(None)

    def on_click(self, event: object) -> None:
        """Close the box when somebody clicks beside it."""
        widget = getattr(event, "widget", None)
        if widget is self:
            self.dismiss(None)
