"""Boxes in front of the table: their base, messages with buttons, summaries, and text input."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Static
from typing_extensions import override

from cardhub.model.game.scene import Summary
from cardhub.tui.keys import is_repeated
from cardhub.view.text.glyphs import Glyphs
from cardhub.view.text.result_sheet import summary_lines

R = TypeVar("R")

# The most cells of a box, and the cells of its borders, padding and scrollbar.
WIDEST, FRAME = 76, 6


def text_width(columns: int) -> int:
    """Return the cells of a line of text in a box, on a terminal of `columns`."""
    return min(WIDEST, columns * 96 // 100) - FRAME


class SingleResultScreen(Screen[R]):
    """A screen that closes at most once, with its first result."""

    @override
    def dismiss(self, result: R | None = None) -> AwaitComplete:
        # Further keys may arrive after the key that closed the screen; keep the screen below open.
        return super().dismiss(result) if self.is_active else AwaitComplete()


# ModalScreen is the first base, because Textual uses only the styles of the first one.
class Dialog(ModalScreen[R], SingleResultScreen[R]):
    """A box in front of the table; escape or a click outside it closes it without a result."""

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

    def action_scroll(self, step: int) -> None:
        """Scroll the text of the box by lines."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    def is_repeated_key(self) -> bool:
        """Return whether the current key was probably meant for what was below the box."""
        return is_repeated(self.app)

    def on_click(self, event: events.Click) -> None:
        """Close the box after a click outside it."""
        # A click inside the box has another widget as its target.
        if event.widget is self:
            self.dismiss(None)


class MessageDialog(Dialog[str]):
    """A text with buttons; the result is the id of the pressed button, None without one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "press('leave')", "Leave", show=False, id="notice.leave"),
        Binding("j,down", "scroll(1)", "Down", show=False, id="notice.down"),
        Binding("k,up", "scroll(-1)", "Up", show=False, id="notice.up"),
    ]
    DEFAULT_CSS = """
    MessageDialog .text { height: auto; max-height: 60vh; }
    MessageDialog Static { width: 100%; }
    MessageDialog .title { text-style: bold; }
    """

    def __init__(self, title: str, text: str, buttons: Mapping[str, str]) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._buttons = buttons

    @override
    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            if self._title:
                yield Static(f"{self._title}\n", markup=False, classes="title")
            with VerticalScroll(classes="text", can_focus=False):
                yield Static(self._text, markup=False)
            with Horizontal(classes="keys"):
                for name, label in self._buttons.items():
                    yield Button(label, id=name, compact=True)

    def show_text(self, text: str) -> None:
        """Replace the text."""
        self._text = text
        if self.is_mounted:
            self.query_one(".text Static", Static).update(text)

    @on(Button.Pressed)
    def press(self, event: Button.Pressed) -> None:
        """Close with the id of the button as the result."""
        self.action_press(event.button.id or "")

    def action_press(self, name: str) -> None:
        """Press a button by its id, if the box has it."""
        if name in self._buttons and not self.is_repeated_key():
            self.dismiss(name)


class ConfirmDialog(MessageDialog):
    """Asks to confirm an action; the result is `act` for yes."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}?", text, {"act": name, "close": "Back"})


# Seconds during which keys are ignored, because they were meant for the table.
GRACE = 0.3
# Keys of the dialog and of its buttons.
SCROLL_KEYS = frozenset(("j", "k", "up", "down"))
BUTTON_KEYS = frozenset(("enter", "space", "tab", "shift+tab"))
LEAVE_KEYS = frozenset(("escape", "q", "ctrl+q", "ctrl+c"))
BUTTONS = {"close": "Continue", "leave": "Leave"}


class SummaryDialog(MessageDialog):
    """Shows the summaries of rounds below the middle of the table.

    Any key that does not scroll, leave or ask for help goes on. With `seconds` it also closes after
    that time.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        # Before any other key, which would go on.
        Binding("question_mark,f1", "help", "Help", show=False, id="table.help", priority=True),
    ]
    DEFAULT_CSS = """
    SummaryDialog { align: center bottom; background: $background 0%; }
    SummaryDialog > .box { max-height: 60%; margin-bottom: 1; }
    SummaryDialog .text { max-height: 36vh; }
    SummaryDialog .keys { margin-top: 0; }
    """

    def __init__(
        self,
        summaries: Sequence[Summary],
        glyphs: Glyphs,
        columns: int,
        seconds: float | None = None,
        *,
        on_help: Callable[[], None],
    ) -> None:
        first, *others = summaries
        width = text_width(columns)
        lines = summary_lines(first, width, glyphs, titled=False)
        for summary in others:
            lines += ["", *summary_lines(summary, width, glyphs)]
        super().__init__(glyphs.text(first.title), "\n".join(lines), BUTTONS)
        self._seconds = seconds
        self._on_help = on_help
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

    def action_help(self) -> None:
        """Show the help of the table."""
        self._on_help()

    def on_key(self, event: events.Key) -> None:
        """Go on, unless the key scrolls, presses a button or leaves."""
        if event.key not in SCROLL_KEYS | BUTTON_KEYS | LEAVE_KEYS:
            event.stop()
            self.action_press("close")


class TextBox(Dialog[str]):
    """Asks for a line of text; enter accepts it, even if it is empty, and escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Overrides the input, which would copy its text.
        Binding("ctrl+c", "app.help_quit", show=False, id="text.leave", priority=True),
    ]
    DEFAULT_CSS = """
    TextBox { align: center bottom; }
    TextBox > .box { height: auto; }
    TextBox Input { border: none; height: 1; padding: 0; }
    """

    def __init__(self, question: str, text: str = "", longest: int = 0) -> None:
        super().__init__()
        self._question = question
        self._text = text
        self._longest = longest

    @override
    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(self._question, markup=False)
            yield Input(self._text, max_length=self._longest, select_on_focus=False, compact=True)

    @on(Input.Submitted)
    def accept(self, event: Input.Submitted) -> None:
        """Close with the text as the result."""
        event.stop()
        self.dismiss(event.value)
