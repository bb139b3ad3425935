"""A board: sites in rows and columns, each with its top card and a list of the cards below."""

from typing import NamedTuple

from cardhub.model.table.actions import column_label
from cardhub.view.layout.canvas import Box, Style
from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.drawing.card_faces import (
    CardLook,
    draw_card,
    small_style,
    small_text,
)
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.plan import LABELS, site_width
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.view import CardView, GridView, Spot

MUTED = Style("muted")
# Columns of a one-row site: its top card, and letters for the cards below it.
SMALL_SITE = 11
# Rows from a one-row site to the next, if the board has room.
SMALL_ROWS = 2


class _Squares(NamedTuple):
    """The cell of the first site, the distances between sites, and the visible sites."""

    x: int
    y: int
    across: int
    down: int
    columns: range
    rows: range

    def box(self, row: int, column: int) -> Box:
        return Box(
            self.x + (column - self.columns.start) * self.across,
            self.y + (row - self.rows.start) * self.down,
            self.across,
            self.down,
        )


def draw_board(painter: TablePainter) -> None:
    """Draw the grid in the middle of its region, or the part around the cursor if it is larger."""
    box = painter.plan.box("board")
    for index, grid in enumerate(painter.view.areas):
        if isinstance(grid, GridView):
            squares = _squares(painter, grid, index, box)
            _draw_labels(painter, squares)
            for site in range(grid.rows * grid.columns):
                _draw_site(painter, grid, index, site, squares)
            return


def _squares(painter: TablePainter, grid: GridView, index: int, box: Box) -> _Squares:
    size, shape = painter.plan.sizes.site, painter.plan.shape
    cursor = painter.cursor
    at = cursor.key if cursor and cursor.kind == "site" and cursor.area == index else 0
    is_small = size is CardSize.S
    least = shape.sizes.widths[CardSize.S] + 2 if is_small else site_width(shape, size)
    widest = SMALL_SITE if is_small else least + 1
    across = max(min((box.width - LABELS) // max(grid.columns, 1), widest), least)
    down = shape.sizes.heights[size]
    if is_small and (box.height - 1) // SMALL_ROWS >= grid.rows:
        down = SMALL_ROWS
    columns = _visible(grid.columns, (box.width - LABELS) // across, at % max(grid.columns, 1))
    rows = _visible(grid.rows, (box.height - 1) // down, at // max(grid.columns, 1))
    x = box.x + LABELS + max((box.width - LABELS - len(columns) * across) // 2, 0)
    y = box.y + 1 + max((box.height - 1 - len(rows) * down) // 2, 0)
    return _Squares(x, y, across, down, columns, rows)


def _visible(count: int, room: int, at: int) -> range:
    """Return the rows or columns around the cursor that fit."""
    room = min(max(room, 1), count)
    first = min(max(at - room // 2, 0), count - room)
    return range(first, first + room)


def _draw_labels(painter: TablePainter, squares: _Squares) -> None:
    width = painter.plan.shape.sizes.widths[painter.plan.sizes.site]
    for column in squares.columns:
        box = squares.box(squares.rows.start, column)
        label = column_label(column)
        is_small = painter.plan.sizes.site is CardSize.S
        x = box.x + (0 if is_small else (width - cells(label)) // 2)
        painter.canvas.write(x, squares.y - 1, label, MUTED)
    for row in squares.rows:
        box = squares.box(row, squares.columns.start)
        label = str(row + 1)
        x = squares.x - LABELS + max(LABELS - 2 - cells(label), 0)
        painter.canvas.write(x, box.y + (squares.down - 1) // 2, label, MUTED)


def _draw_site(
    painter: TablePainter, grid: GridView, index: int, site: int, squares: _Squares
) -> None:
    spot = Spot("site", site, index)
    row, column = divmod(site, grid.columns)
    if row not in squares.rows or column not in squares.columns:
        # The cursor can also reach sites beyond the edge.
        column = min(max(column, squares.columns.start), squares.columns.stop - 1)
        row = min(max(row, squares.rows.start), squares.rows.stop - 1)
        edge = squares.box(row, column)
        painter.stop(spot, Box(edge.x, edge.y, 0, 0), "board")
        return
    box, stack = squares.box(row, column), grid.stacks[site]
    painter.stop(spot, box, "board")
    if not stack:
        _draw_empty(painter, spot, box)
    elif painter.plan.sizes.site is CardSize.S:
        _draw_small_stack(painter, spot, box, stack)
    else:
        _draw_stack(painter, spot, box, stack)


def _draw_empty(painter: TablePainter, spot: Spot, box: Box) -> None:
    size = painter.plan.sizes.site
    width = painter.plan.shape.sizes.widths[size]
    is_small = size is CardSize.S
    x, y = box.x + (0 if is_small else (width - 1) // 2), box.y + (box.height - 1) // 2
    is_heavy = painter.is_heavy(spot)
    style = Style("accent" if is_heavy else "muted", is_bold=spot in painter.legal)
    painter.canvas.write(x, y, painter.glyphs.empty, style)
    if is_heavy:
        _bracket(painter, x, y, x + 1)


def _draw_small_stack(
    painter: TablePainter, spot: Spot, box: Box, stack: tuple[CardView, ...]
) -> None:
    """Draw the top card, and the initial of each card below it."""
    top = stack[-1]
    text = small_text(painter, top)
    end = painter.canvas.write(box.x, box.y, text, small_style(painter, top, spot))
    if painter.is_heavy(spot):
        _bracket(painter, box.x, box.y, end)
    elif painter.marks_legal(spot):
        painter.canvas.write(box.x - 1, box.y, painter.glyphs.to_act, Style("accent"))
    elif top.is_new:
        painter.canvas.write(box.x - 1, box.y, painter.glyphs.new, Style("accent"))
    x, last = end + 1, box.x + box.width
    for card in reversed(stack[:-1]):
        if x >= last:
            break
        letter = small_text(painter, card)[:1].lower()
        x = painter.canvas.write(x, box.y, letter, Style("card", painter.colour(card)))


def _draw_stack(painter: TablePainter, spot: Spot, box: Box, stack: tuple[CardView, ...]) -> None:
    size, sizes = painter.plan.sizes.site, painter.plan.shape.sizes
    width, height = sizes.widths[size], sizes.heights[size]
    draw_card(painter, CardLook(stack[-1], spot, Box(box.x, box.y, width, height), size))
    below = stack[-2::-1] if len(stack) > 1 else ()
    x, room = box.x + width + 1, box.x + box.width - (box.x + width + 1)
    # Size M lists a card in each row; size L leaves the border rows blank.
    first, rows = (0, height) if size is CardSize.M else (1, height - 2)
    cut = len(below) > rows
    for number, card in enumerate(below[: rows - cut]):
        text = clip(small_text(painter, card), room)
        style = Style("card", painter.colour(card))
        painter.canvas.write(x, box.y + first + number, text, style)
    if cut:
        painter.canvas.write(x, box.y + first + rows - 1, f"+{len(below) - rows + 1}", MUTED, room)


def _bracket(painter: TablePainter, x: int, y: int, end: int) -> None:
    painter.canvas.write(x - 1, y, "[", Style("accent", is_bold=True))
    painter.canvas.write(end, y, "]", Style("accent", is_bold=True))
