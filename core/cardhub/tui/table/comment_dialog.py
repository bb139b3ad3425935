"""The box of a comment, placed so as not to cover the parts of the table that it is about."""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static
from typing_extensions import override

from cardhub.tui.dialogs.dialog import WIDEST, Dialog
from cardhub.view.layout.canvas import Box
from cardhub.view.text.glyphs import wrapped

# Cells of the border and the padding of a box, and the widths of a box, the preferred one first.
BORDER, PADDING = 2, 4
WIDTHS = (WIDEST, 46)
# The cost of a narrow box, in cells of other parts that a wide box may cover instead.
NARROWNESS = 150
# Rows of text of a page, as a share of the terminal, and the least for a short comment.
PAGE_SHARE, SHORTEST_PAGE = 0.3, 5


class Parts(NamedTuple):
    """Boxes of a table: the `wanted` parts, which a comment is about, and all others."""

    wanted: Sequence[Box] = ()
    others: Sequence[Box] = ()


class CommentDialog(Dialog[None]):
    """A comment; Enter, space or a click closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "go_on", "Continue", show=False, id="comment.next"),
        Binding("j,down", "scroll(1)", "Down", show=False, id="comment.down"),
        Binding("k,up", "scroll(-1)", "Up", show=False, id="comment.up"),
    ]
    DEFAULT_CSS = """
    CommentDialog { align: left top; background: $background 0%; }
    CommentDialog > .box { max-width: 100%; max-height: 100%; }
    CommentDialog VerticalScroll { height: 1fr; }
    """

    def __init__(self, title: str, text: str, parts: Callable[[], Parts]) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._parts = parts

    @override
    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box", can_focus=False) as box:
            yield Static(self._text, markup=False)
        box.border_title = self._title
        box.border_subtitle = "Enter: continue"

    def on_mount(self) -> None:
        """Place the box."""
        self._place()

    def on_resize(self) -> None:
        """Place the box on the resized terminal."""
        self._place()

    def _place(self) -> None:
        # The last row is the footer of the table.
        size = self.app.size
        box = place(self._text, self._parts(), size.width, size.height - 1)
        styles = self.query_one(".box").styles
        styles.width, styles.height = box.width, box.height
        styles.offset = (box.x, box.y)

    def action_go_on(self) -> None:
        """Close the box."""
        if not self.is_repeated_key():
            self.dismiss(None)

    @override
    def on_click(self, event: events.Click) -> None:
        self.dismiss(None)


def pages(lines: Sequence[str], columns: int, rows: int) -> list[str]:
    """Return the lines in pages for a box on a terminal; a line stays on one page."""
    width = min(WIDEST, columns) - PADDING
    room = max(SHORTEST_PAGE, int(rows * PAGE_SHARE))
    texts: list[str] = []
    for line in lines:
        joined = f"{texts[-1]}\n\n{line}" if texts else line
        if texts and len(wrapped(joined, width)) <= room:
            texts[-1] = joined
        else:
            texts.append(line)
    return texts


def place(text: str, parts: Parts, columns: int, rows: int) -> Box:
    """Return the box of a text that covers the fewest cells of the wanted parts, then of others."""
    boxes = list(_boxes(text, columns, rows)) or [Box(0, 0, min(WIDEST, columns), rows)]

    wanted = [_covered(box, parts.wanted) for box in boxes]
    least = min(wanted)

    def cost(box: Box) -> int:
        return _covered(box, parts.others) + NARROWNESS * (box.width < boxes[0].width)

    return min((box for box, cells in zip(boxes, wanted, strict=True) if cells == least), key=cost)


def _boxes(text: str, columns: int, rows: int) -> Iterator[Box]:
    """Yield the boxes that fit a terminal, preferred ones first: wide, at the bottom, centred."""
    for most in WIDTHS:
        width = min(most, columns)
        height = len(wrapped(text, width - PADDING)) + BORDER
        free = columns - width
        for y in range(rows - height, -1, -1):
            for x in dict.fromkeys((free // 2, free, 0)):
                yield Box(x, y, width, height)


def _covered(box: Box, parts: Sequence[Box]) -> int:
    """Return the number of cells of the parts that a box covers."""
    right, bottom = box.x + box.width, box.y + box.height
    covered = 0
    for part in parts:
        width = min(right, part.x + part.width) - max(box.x, part.x)
        height = min(bottom, part.y + part.height) - max(box.y, part.y)
        if width > 0 and height > 0:
            covered += width * height
    return covered
