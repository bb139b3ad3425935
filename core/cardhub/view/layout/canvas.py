"""A canvas of styled cells that becomes the rows of a frame; its characters, styles and rows."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from cardhub.view.text.glyphs import ASCII, NARROW, UNICODE, Glyphs, GlyphSet, cells, clip, pad
from cardhub.view.view import Spot


class Border(NamedTuple):
    """The characters of a card's border."""

    upper_left: str
    upper_right: str
    lower_left: str
    lower_right: str
    line: str
    side: str


NO_BORDER = Border(*" " * 6)


class TableGlyphs(NamedTuple):
    """A set of one-cell characters for tables.

    `has_brackets`: draw buttons in brackets, for terminals without background colours.
    """

    texts: Glyphs
    light: Border
    heavy: Border
    back: str = "▒"
    new: str = "•"
    pip: str = "●"
    to_act: str = "▸"
    empty: str = "·"
    more: str = "…"
    won: str = "✓"
    lost: str = "✗"
    bar: str = "█"
    then: str = "›"
    apart: str = "·"
    has_brackets: bool = False


COLOUR_TABLE = TableGlyphs(UNICODE, Border(*"╭╮╰╯─│"), Border(*"┏┓┗┛━┃"))
ASCII_TABLE = TableGlyphs(
    ASCII,
    Border(*"++++-|"),
    Border(*"####=#"),
    back=":",
    new="*",
    pip="o",
    to_act=">",
    empty=".",
    more="~",
    won="+",
    lost="x",
    bar="#",
    then=">",
    apart=".",
    has_brackets=True,
)
# Not `•`, `●`, `█`, `▒` and frames: these are two cells wide in some terminals.
NARROW_TABLE = ASCII_TABLE._replace(
    texts=NARROW, back="░", to_act="▸", won="✓", lost="✗", then="›", has_brackets=False
)
TABLES: Mapping[GlyphSet, TableGlyphs] = {
    "unicode": COLOUR_TABLE,
    "narrow": NARROW_TABLE,
    "ascii": ASCII_TABLE,
}


# The role of a run, from which a theme derives its style.
Role = Literal[
    "text",
    "muted",
    "accent",  # the turn, the cursor, what is new
    "line",  # lines between regions
    "card",  # the face of a card, in its colour
    "frame",  # the border of a card
    "back",
    "outline",  # the place of an expected card, or of a card that left
    "button",
    "key",  # the key of a button or of the footer
    "bar",  # the prompt bar and the footer
    "turn",  # the tag at the left of the prompt bar
    "pips",
]


class Style(NamedTuple):
    """The look of a run, independent of themes.

    `colour`: one of COLOURS, or empty. `is_faint`: not legal now; `is_heavy`: under the cursor, or
    part of the action there.
    """

    role: Role = "text"
    colour: str = ""
    is_bold: bool = False
    is_faint: bool = False
    is_heavy: bool = False


TEXT = Style()


class Run(NamedTuple):
    """Text in one style, within one row."""

    text: str
    style: Style = TEXT


class Box(NamedTuple):
    """A rectangle in cells: column, row, width, height."""

    x: int
    y: int
    width: int
    height: int


class Stop(NamedTuple):
    """A place of the cursor: its spot, its box, and the name of its region."""

    spot: Spot
    box: Box
    region: str


class Frame(NamedTuple):
    """A drawn table: exactly `height` rows of `width` cells each, and stops for clicks.

    `logged`: the steps that the rows of the log pane describe, by the box of the row. `is_cut`: the
    detail is longer than its place.
    """

    width: int
    height: int
    rows: tuple[tuple[Run, ...], ...]
    stops: tuple[Stop, ...]
    logged: Mapping[Box, int] = {}
    is_cut: bool = False


# The content of the second cell of a character that is two cells wide.
COVERED = ""


class Canvas:
    """Cells of a table that is being drawn, and the stops of its cursor.

    Text outside the canvas is cut off: each row is exactly `width` cells wide.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.stops: list[Stop] = []
        self.logged: dict[Box, int] = {}
        self.is_cut = False
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[TEXT] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, style: Style = TEXT, limit: int = -1) -> int:
        """Write text from a cell, cut to `limit` cells if given; return the column after it."""
        room = self.width - x if limit < 0 else min(limit, self.width - x)
        if not 0 <= y < self.height or x < 0 or room <= 0:
            return x
        shown = clip(text, room)
        width = cells(shown)
        if width:
            self._split_wide(y, x, x + width)
            self._chars[y][x : x + width] = shown if width == len(shown) else _by_cell(shown)
            self._styles[y][x : x + width] = [style] * width
        return x + width

    def runs(self, x: int, y: int, runs: Sequence[Run], limit: int = -1) -> int:
        """Write runs in sequence, cut to `limit` cells if given; return the column after them."""
        end = self.width if limit < 0 else min(x + limit, self.width)
        for text, style in runs:
            x = self.write(x, y, text, style, max(end - x, 0))
        return x

    def fill(self, box: Box, style: Style, char: str = " ") -> None:
        """Fill a rectangle with one character."""
        for y in range(box.y, box.y + box.height):
            self.write(box.x, y, char * box.width, style)

    def rows(self) -> tuple[tuple[Run, ...], ...]:
        """Return the cells as rows of runs; adjacent cells of one style become one run."""
        return tuple(map(_joined, self._chars, self._styles))

    def _split_wide(self, y: int, start: int, end: int) -> None:
        # A wide character that loses a cell becomes a blank.
        row = self._chars[y]
        if row[start] == COVERED:
            row[start - 1] = " "
        if end < self.width and row[end] == COVERED:
            row[end] = " "


def _by_cell(text: str) -> list[str]:
    contents: list[str] = []
    for char in text:
        width = cells(char)
        if width == 0 and contents:
            # A combining character shares the cell of the character before it.
            index = -1 if contents[-1] != COVERED or len(contents) < 2 else -2
            contents[index] += char
        else:
            contents += [char, *[COVERED] * (width - 1)]
    return contents


def _joined(chars: list[str], styles: list[Style]) -> tuple[Run, ...]:
    runs, start = [], 0
    for style, group in groupby(styles):
        end = start + len(list(group))
        runs.append(Run("".join(chars[start:end]), style))
        start = end
    return tuple(runs)


def cut_lines(lines: Sequence[str], count: int, width: int, more: str) -> list[str]:
    """Return at most `count` lines; if lines are cut off, the last one ends with `more`."""
    if len(lines) <= count:
        return list(lines)
    if count < 1:
        return []
    last = clip(f"{lines[count - 1]} {lines[count]}", width)
    return [*lines[: count - 1], clip(last, width - cells(more)).rstrip() + more]


def rule(width: int, left: str, right: str, line: str, style: Style) -> tuple[Run, ...]:
    """Return a line of exactly `width` cells with text at both ends: `─ Bob ── 9 ─`."""
    head = [Run(line, style), *([Run(f" {left} ")] if left else [])]
    tail = [Run(f" {right} ", Style(is_bold=True)), Run(line, style)] if right else []
    if _width(head) + _width(tail) > width:
        tail = []
    between = Run(line * max(width - _width(head) - _width(tail), 0), style)
    return _cut([*head, between, *tail], width, Run(line, style))


def column(text: str, width: int, more: str = "", is_right: bool = False) -> str:
    """Return text of exactly `width` cells: cut and ended with `more`, or padded."""
    shown = clip(text, width, more)
    return " " * (width - cells(shown)) + shown if is_right else pad(shown, width)


def _width(runs: Sequence[Run]) -> int:
    return sum(cells(run.text) for run in runs)


def _cut(runs: Sequence[Run], width: int, filler: Run) -> tuple[Run, ...]:
    cut = []
    for text, style in runs:
        shown = clip(text, width)
        cut.append(Run(shown, style))
        width -= cells(shown)
    # A filler replaces a wide character that was cut in half.
    return (*cut, filler) if width else tuple(cut)
