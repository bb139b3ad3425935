"""The whole log of a game: a list of sentences; each leads to its step."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from typing_extensions import override

from cardhub.base.errors.quoting import printable
from cardhub.tui.dialogs.dialog import Dialog
from cardhub.view.layout.canvas import TableGlyphs
from cardhub.view.view import LogLine


class LogScreen(Dialog[int | str]):
    """Lists the seed and all lines of a log; the result is the step of the chosen line.

    `further`: actions of the table by Textual's names of keys, separated by commas; such a key
    closes the log with the action as the result.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("L,q", "close", "Back", show=False, id="log.close"),
        Binding("j", "move(1)", "Down", show=False, id="log.down"),
        Binding("k", "move(-1)", "Up", show=False, id="log.up"),
    ]
    DEFAULT_CSS = """
    LogScreen > .box { height: 96%; width: 96%; }
    LogScreen OptionList { height: 1fr; border: none; padding: 0; }
    LogScreen .heading { height: auto; text-style: bold; }
    """

    def __init__(
        self,
        log: Sequence[LogLine],
        seed: str,
        glyphs: TableGlyphs,
        further: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self._further = {
            key: action for keys, action in (further or {}).items() for key in keys.split(",")
        }
        self._log = log
        self._seed = seed
        self._glyphs = glyphs

    @override
    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(self._printable(f"Log · {self._seed}"), classes="heading", markup=False)
            lines = [Option(self._line(line)) for line in self._log]
            yield OptionList(*lines, markup=False, compact=True)
            foot = "enter or a click shows the table after that step · esc back"
            yield Static(self._printable(foot), markup=False)

    def on_mount(self) -> None:
        """Go to the newest line."""
        self.query_one(OptionList).highlighted = len(self._log) - 1 if self._log else None
        self.query_one(OptionList).focus()

    @on(OptionList.OptionSelected)
    def choose(self, event: OptionList.OptionSelected) -> None:
        """Close with the step of the chosen line."""
        self.dismiss(self._log[event.option_index].step)

    def on_key(self, event: events.Key) -> None:
        """Close the log for an action of the table."""
        action = self._further.get(event.key)
        if action is not None:
            event.stop()
            self.dismiss(action)

    def action_move(self, step: int) -> None:
        """Move to the next or the previous line."""
        options = self.query_one(OptionList)
        (options.action_cursor_down if step > 0 else options.action_cursor_up)()

    def _line(self, line: LogLine) -> str:
        mark = self._glyphs.new if line.is_new else " "
        return f"{mark} {self._printable(line.text)}"

    def _printable(self, text: str) -> str:
        return self._glyphs.texts.text(printable(text))
