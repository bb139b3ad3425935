"""The pages of menus as data, and their drawing into rows of cells, without Textual."""

from collections.abc import Sequence
from typing import NamedTuple

from cardhub.view.layout.canvas import Canvas, Run, Style, column, cut_lines
from cardhub.view.text.glyphs import UNICODE, Glyphs, cells, wrapped


class MenuRow(NamedTuple):
    """A row that can be opened; `id` is unique on its page.

    `key` opens it; `value` can be changed; `text` explains it on the same line, and `detail` below
    the menu. The cursor skips a row if `is_stop` is False.
    """

    id: str
    label: str
    text: str = ""
    key: str = ""
    value: str = ""
    detail: str = ""
    is_stop: bool = True


class MenuSection(NamedTuple):
    """Rows under a title."""

    title: str
    rows: Sequence[MenuRow]


class MenuPage(NamedTuple):
    """A page: a title, a text at its right, sections, and pairs of key and label for the footer."""

    title: str
    right: str
    sections: Sequence[MenuSection]
    footer: Sequence[tuple[str, str]] = ()

    @property
    def stops(self) -> list[MenuRow]:
        """The rows at which the cursor stops, in order."""
        return [row for section in self.sections for row in section.rows if row.is_stop]

    def matching(self, text: str) -> "MenuPage":
        """Return the page reduced to the rows that contain a text."""
        folded = text.casefold()
        sections = [
            MenuSection(section.title, [row for row in section.rows if _contains(row, folded)])
            for section in self.sections
        ]
        return self._replace(sections=[section for section in sections if section.rows])


def section_of(page: MenuPage, row: str, by: int) -> str:
    """Return the id of the first stop of the next or previous section, wrapping around."""
    starts = [next((r.id for r in s.rows if r.is_stop), "") for s in page.sections]
    starts = [start for start in starts if start]
    stops = [stop.id for stop in page.stops]
    at = stops.index(row) if row in stops else -1
    here = max((n for n, start in enumerate(starts) if stops.index(start) <= at), default=0)
    return starts[(here + by) % len(starts)] if starts else row


def _contains(row: MenuRow, folded: str) -> bool:
    return row.is_stop and folded in f"{row.label} {row.value} {row.text}".casefold()


LINE, MUTED, ACCENT, BAR = Style("line"), Style("muted"), Style("accent"), Style("bar")
KEY, TEXT = Style("key"), Style("text")
# The columns at which keys begin, and labels on a page with keys.
LEFT_OF_KEYS, LEFT_OF_LABELS = 5, 8
# Rows below the menu for the detail of the row under the cursor.
DETAIL_ROWS = 2
# The most rows of a message.
MESSAGE_ROWS = 7
# The least height of a terminal that shows a preview, and of the preview.
PREVIEW_FROM, PREVIEW_ROWS = 34, 14
# The least width of a terminal with columns next to the rows, and the least of these columns.
ASIDE_FROM, LEAST_ASIDE = 100, 42
# Pairs of keys with a common label.
PAIRS = ("↑↓", "←→")
# The most cells of a label, and the least on a page with keys.
MOST_LABEL, LEAST_LABEL = 32, 16


class Preview(NamedTuple):
    """The rows of a drawn table, and a caption."""

    caption: str
    rows: Sequence[Sequence[Run]]


class Aside(NamedTuple):
    """The width of the columns next to the rows of a page, 0 for none, and their preview."""

    width: int = 0
    preview: Preview | None = None


class DrawnMenu(NamedTuple):
    """A drawn page.

    `stops`: the id of the menu's row by row of the screen; `first`: the first visible line;
    `footer`: the start and end column of each key, with its name.
    """

    rows: tuple[tuple[Run, ...], ...]
    stops: dict[int, str]
    first: int
    footer: tuple[tuple[int, int, str], ...]


class MenuState(NamedTuple):
    """The id under the cursor, the first visible line, a message, and a line being typed."""

    cursor: str = ""
    first: int = 0
    message: str = ""
    typed: str = ""


def preview_room(page: MenuPage, width: int, height: int) -> tuple[int, int]:
    """Return width and height of a preview on a page; the height is 0 without room."""
    spare = height - len(_lines(page, is_loose=True)) - DETAIL_ROWS - 6
    is_shown = height >= PREVIEW_FROM and spare >= PREVIEW_ROWS
    return min(width - 8, 112), spare if is_shown else 0


def aside_room(width: int, height: int) -> tuple[int, int, int]:
    """Return the columns next to the rows, and width and height of a preview there.

    All are 0 on a terminal that is too narrow.
    """
    if width < ASIDE_FROM:
        return 0, 0, 0
    aside = max(width * 2 // 5, LEAST_ASIDE)
    return aside, aside - 4, height - DETAIL_ROWS - 6


def draw_menu(
    page: MenuPage,
    state: MenuState,
    width: int,
    height: int,
    glyphs: Glyphs = UNICODE,
    preview: Preview | None = None,
    aside: Aside | None = None,
) -> DrawnMenu:
    """Draw a page with its cursor, scrolled to show the cursor."""
    whole, aside = Canvas(width, height), aside or Aside()
    canvas = Canvas(width - aside.width, height)
    room = max(height - DETAIL_ROWS - 2, 1)
    lines = _lines(page, is_loose=True)
    if len(lines) > room:
        lines = _lines(page, is_loose=False)
    first = _scrolled(lines, state, room)
    stops = _draw_lines(canvas, page, state, lines, first, glyphs)
    for y, row in enumerate(canvas.rows()):
        whole.runs(0, y, row)
    _draw_head(whole, page, glyphs)
    if preview is not None:
        _draw_preview(whole, preview, len(lines) + 2, glyphs)
    elif aside.preview is not None:
        _draw_preview(whole, aside.preview, 2, glyphs, canvas.width + 1)
    _draw_detail(whole, page, state, glyphs, canvas.width)
    footer = _draw_footer(whole, page, state, glyphs)
    return DrawnMenu(whole.rows(), stops, first, tuple(footer))


# A row of the page, a section's title, or an empty line.
_Line = MenuRow | str


def _draw_lines(
    canvas: Canvas,
    page: MenuPage,
    state: MenuState,
    lines: Sequence[_Line],
    first: int,
    glyphs: Glyphs,
) -> dict[int, str]:
    """Draw the lines from number `first` on; return the ids of rows by row of the screen."""
    room = max(canvas.height - DETAIL_ROWS - 2, 1)
    stops = {}
    widths = _column_widths(page)
    for y, line in enumerate(lines[first : first + room], 1):
        if isinstance(line, MenuRow):
            left = LEFT_OF_LABELS if _has_keys(page) else LEFT_OF_KEYS
            is_here = line.id == state.cursor
            _draw_row(canvas, y, left, line, widths[line.id], glyphs, is_here=is_here)
            if line.is_stop:
                stops[y] = line.id
        elif line:
            _draw_rule(canvas, y, line, glyphs)
    for y, is_cut in ((1, first > 0), (room, first + room < len(lines))):
        if is_cut:
            canvas.write(canvas.width - 2, y, glyphs.more, MUTED)
    return stops


def _lines(page: MenuPage, *, is_loose: bool) -> list[_Line]:
    lines: list[_Line] = []
    for section in page.sections:
        if is_loose:
            lines.append("")
        if section.title:
            lines.append(section.title)
        lines += section.rows
    return lines


def _scrolled(lines: Sequence[_Line], state: MenuState, room: int) -> int:
    # Keep the title above the first row visible.
    ids = [line.id if isinstance(line, MenuRow) else "" for line in lines]
    here = ids.index(state.cursor) if state.cursor in ids else 0
    top = 0 if here <= 2 else here
    first = min(max(state.first, here - room + 1), top)
    return max(0, min(first, len(lines) - room))


def _column_widths(page: MenuPage) -> dict[str, tuple[int, int]]:
    """Return the widths of label and value of each row, equal within a section."""
    widths: dict[str, tuple[int, int]] = {}
    least = LEAST_LABEL if _has_keys(page) else 0
    for section in page.sections:
        rows = section.rows
        label = min(max((cells(row.label) for row in rows), default=0), MOST_LABEL)
        value = max((cells(row.value) for row in rows), default=0)
        widths |= {row.id: (max(label, least), value) for row in rows}
    return widths


def _has_keys(page: MenuPage) -> bool:
    return any(row.key for row in page.stops)


def _draw_head(canvas: Canvas, page: MenuPage, glyphs: Glyphs) -> None:
    canvas.write(0, 0, " " * canvas.width, BAR)
    right = glyphs.text(page.right)
    canvas.write(1, 0, glyphs.text(page.title), Style("bar", is_bold=True))
    start = canvas.width - cells(right) - 1
    if start > cells(page.title) + 2:
        canvas.write(start, 0, right, BAR)


def _draw_rule(canvas: Canvas, y: int, title: str, glyphs: Glyphs) -> None:
    line = "─" if glyphs.has_frames else "-"
    canvas.write(1, y, line * (canvas.width - 2), LINE)
    canvas.write(3, y, f" {glyphs.text(title)} ", MUTED)


def _draw_row(
    canvas: Canvas,
    y: int,
    left: int,
    row: MenuRow,
    widths: tuple[int, int],
    glyphs: Glyphs,
    *,
    is_here: bool,
) -> None:
    label_width, value_width = widths
    if is_here:
        canvas.write(LEFT_OF_KEYS - 2, y, ">" if glyphs.name == "ascii" else "▸", ACCENT)
    canvas.write(LEFT_OF_KEYS, y, row.key, KEY)
    style = Style("accent" if is_here else "text", is_bold=is_here) if row.is_stop else MUTED
    label = column(glyphs.text(row.label), label_width, glyphs.more)
    canvas.write(left, y, label, style)
    if value_width:
        value = column(glyphs.text(row.value), value_width, glyphs.more)
        canvas.write(left + label_width + 2, y, value, style)
    x = _text_start(left, widths)
    room = max(canvas.width - x - 1, 0)
    canvas.write(x, y, column(glyphs.text(row.text), room, glyphs.more), MUTED)


def _draw_preview(
    canvas: Canvas, preview: Preview, y: int, glyphs: Glyphs, left: int | None = None
) -> None:
    """Draw a preview in a frame, in the middle of the canvas or from a column on."""
    width = max((sum(cells(run.text) for run in row) for row in preview.rows), default=0)
    if left is None:
        left = max((canvas.width - width - 2) // 2, 0)
    corners = "╭╮╰╯─│" if glyphs.has_frames else "++++-|"
    upper_left, upper_right, lower_left, lower_right, across, down = tuple(corners)
    caption = f"{across} {glyphs.text(preview.caption)} "
    upper = caption + across * width
    canvas.write(left, y, f"{upper_left}{upper[:width]}{upper_right}", LINE)
    for row, runs in enumerate(preview.rows, y + 1):
        canvas.write(left, row, down, LINE)
        canvas.runs(left + 1, row, runs, width)
        canvas.write(left + 1 + width, row, down, LINE)
    bottom = y + len(preview.rows) + 1
    canvas.write(left, bottom, f"{lower_left}{across * width}{lower_right}", LINE)


def _draw_detail(
    canvas: Canvas, page: MenuPage, state: MenuState, glyphs: Glyphs, columns: int
) -> None:
    """Draw the message, or the detail of the row under the cursor; rows end at `columns`."""
    here = next((row for row in page.stops if row.id == state.cursor), None)
    style = ACCENT if state.message else TEXT
    width = canvas.width - 4
    if state.message:
        lines = cut_lines(wrapped(state.message, width), MESSAGE_ROWS, width, glyphs.more)
    else:
        lines = _detail_lines(page, here, width, columns, glyphs) if here else []
    # A long message covers the last rows of the page.
    for y, line in enumerate(lines, canvas.height - max(len(lines), DETAIL_ROWS) - 1):
        canvas.write(0, y, " " * canvas.width)
        canvas.write(3, y, glyphs.text(line), style)


def _detail_lines(
    page: MenuPage, row: MenuRow, width: int, columns: int, glyphs: Glyphs
) -> list[str]:
    """Return the detail of a row, after its text if that is cut on a page of `columns`."""
    left = LEFT_OF_LABELS if _has_keys(page) else LEFT_OF_KEYS
    is_cut = (
        cells(glyphs.text(row.text)) > columns - _text_start(left, _column_widths(page)[row.id]) - 1
    )
    lines = wrapped(row.detail, width) if row.detail else []
    if is_cut and row.text not in row.detail:
        text = wrapped(row.text, width)
        lines = text + lines if len(text + lines) <= DETAIL_ROWS else text
    return cut_lines(lines, DETAIL_ROWS, width, glyphs.more)


def _text_start(left: int, widths: tuple[int, int]) -> int:
    """Return the column of a row's text, after its label and its value."""
    label, value = widths
    return left + label + 2 + (value + 2 if value else 0)


def _draw_footer(
    canvas: Canvas, page: MenuPage, state: MenuState, glyphs: Glyphs
) -> list[tuple[int, int, str]]:
    """Draw the keys that fit, or the line being typed; return the columns and key of each."""
    y = canvas.height - 1
    canvas.write(0, y, " " * canvas.width, BAR)
    if state.typed:
        canvas.write(1, y, glyphs.text(state.typed) + ("▏" if glyphs.has_frames else "_"), KEY)
        return []
    x, boxes = 1, []
    for name, words in page.footer:
        key, label = glyphs.text(name), glyphs.text(words)
        end = x + cells(key) + 1 + cells(label)
        if end >= canvas.width:
            break
        canvas.write(x, y, key, KEY)
        canvas.write(x + cells(key) + 1, y, label, BAR)
        if name in PAIRS:
            boxes += [(x, x + 1, name[0]), (x + 1, end, name[1])]
        else:
            boxes.append((x, end, name))
        x = end + 2
    return boxes
