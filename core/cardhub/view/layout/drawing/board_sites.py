"""A board: sites in rows and columns, and beside it seats, tallies, other cards, detail and log."""

from typing import NamedTuple

from msgspec.structs import replace

from cardhub.model.game.scene import Tally, TallyRow
from cardhub.model.table.actions import column_label
from cardhub.view.layout.canvas import Box, Run, Style, column
from cardhub.view.layout.drawing.card_rows import (
    CardLook,
    draw_card,
    small_style,
    small_text,
)
from cardhub.view.layout.drawing.centre import WIDEST_CAPTION, draw_counters, draw_pile
from cardhub.view.layout.drawing.seat_lines import draw_seat_line
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.drawing.texts_around import draw_here, draw_log
from cardhub.view.layout.plan import DETAIL_BESIDE, HERE_ROWS, LABELS, site_width
from cardhub.view.layout.shape import CardSize
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.view import AreaView, CardView, GridView, Spot

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
    for number in squares.columns:
        box = squares.box(squares.rows.start, number)
        label = column_label(number)
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


# The least rows for a log.
LEAST_LOG = 3
# Columns of a count and of the shortest label in a tally, and of the gap after labels.
COUNT, LABEL, GAP = 3, 2, 2
# The least cells of a seat that has a bar, the most cells of the bar, and the least of its note.
BAR_FROM, WIDEST_BAR, BESIDE_BAR = 16, 8, 13
# A note that begins with one of these words gets a mark.
WON, LOST = "won", "lost"


def draw_side(painter: TablePainter) -> None:
    """Draw seats and tallies at the right of the board, or below it on a narrow terminal."""
    box = painter.plan.box("side")
    if box.height <= HERE_ROWS:
        _draw_below(painter, box)
        return
    margin = 1 if painter.plan.width >= DETAIL_BESIDE else 0
    inner = Box(box.x, box.y + margin, box.width - margin, box.height - margin)
    y = _draw_seats(painter, inner)
    y = _draw_tallies(painter, inner, y)
    y = _draw_areas(painter, inner, y)
    end = inner.y + inner.height
    if painter.plan.width >= DETAIL_BESIDE and y + HERE_ROWS < end:
        draw_here(painter, Box(inner.x, y + 1, inner.width, HERE_ROWS))
        y += HERE_ROWS + 1
    if y + LEAST_LOG < end:
        draw_log(painter, Box(inner.x, y + 1, inner.width, end - y - 1))


def _draw_below(painter: TablePainter, box: Box) -> None:
    """Draw the seats in one row, then a row of the tally for each seat, as far as they fit."""
    seats = [*painter.others(), painter.view.own]
    width = box.width // max(len(seats), 1)
    for number, seat in enumerate(seats):
        line = Box(box.x + number * width, box.y, width - 1, 1)
        draw_seat_line(painter, seat, line, "side")
    y, end = box.y + 1, box.y + box.height
    for tally in painter.view.tallies:
        for seat in seats:
            if y < end:
                draw_small_tally(painter, tally, seat, Box(box.x, y, box.width, 1))
                y += 1
    for index, area in _areas(painter):
        if y < end:
            draw_pile(painter, index, area, _line(box, y), WIDEST_CAPTION, "side")
            y += 1


def _draw_seats(painter: TablePainter, box: Box) -> int:
    y = box.y
    for seat in [*painter.others(), painter.view.own]:
        draw_seat_line(painter, seat, Box(box.x, y, box.width, 1), "side")
        y += 1
    return y


def _draw_tallies(painter: TablePainter, box: Box, y: int) -> int:
    for tally in painter.view.tallies:
        rows = tally_rows(tally)
        if y + rows <= box.y + box.height:
            draw_tally(painter, tally, Box(box.x, y, box.width, rows))
            y += rows
    return y


def _draw_areas(painter: TablePainter, box: Box, y: int) -> int:
    """Draw the counters and the areas that are not on the board, each in a row."""
    end = box.y + box.height
    if any(counter.seat is None for counter in painter.view.counters) and y + 1 < end:
        draw_counters(painter, Box(box.x, y + 1, box.width, 1))
        y += 2
    areas = _areas(painter)
    caption = min(max((cells(area.caption) for _, area in areas), default=0), WIDEST_CAPTION) + 1
    for number, (index, area) in enumerate(areas):
        if y + 1 < end:
            y += not number
            draw_pile(painter, index, area, _line(box, y), caption, "side")
            y += 1
    return y


def _areas(painter: TablePainter) -> list[tuple[int, AreaView]]:
    """Return the areas that are not on the board.

    A seat's area includes the seat's name; a text-only area is a badge of its seat instead.
    """
    return [
        (index, area if area.seat is None else _named(painter, area, area.seat))
        for region in ("centre", "front", "seat")
        for index, area in painter.areas(region)
        if area.seat is None or area.count
    ]


def _named(painter: TablePainter, area: AreaView, seat: int) -> AreaView:
    return replace(area, caption=f"{painter.view.players[seat].name} {area.caption}".strip())


def _line(box: Box, y: int) -> Box:
    return Box(box.x + 1, y, box.width - 1, 1)


def tally_rows(tally: Tally) -> int:
    """Return the rows of a tally with its heading."""
    return len(tally.rows) + 1


def draw_tally(painter: TablePainter, tally: Tally, box: Box) -> None:
    """Draw a row for each race, with a column for each seat; the viewer's seat is the last."""
    seats = [*painter.others(), painter.view.own]
    label = max((cells(row.label) for row in tally.rows), default=LABEL) + GAP
    width = (box.width - label - 1) // max(len(seats), 1)
    for number, seat in enumerate(seats):
        name = column(painter.text(painter.view.players[seat].name), width - 1)
        role = Style("accent" if seat == painter.view.to_act else "text", is_bold=True)
        painter.canvas.write(box.x + 1 + label + number * width + 1, box.y, name.rstrip(), role)
    for y, row in enumerate(tally.rows, box.y + 1):
        style = Style("card", row.colour, is_bold=True)
        painter.canvas.write(box.x + 1, y, painter.text(row.label), style)
        for number, seat in enumerate(seats):
            x = box.x + 1 + label + number * width
            _draw_count(painter, row, seat, Box(x, y, width - 1, 1))


def draw_small_tally(painter: TablePainter, tally: Tally, seat: int, box: Box) -> None:
    """Draw a tally of one seat in one row: `Bob A8✓ B6/8 C0✗`."""
    name = painter.text(painter.view.players[seat].name)
    x = painter.canvas.write(box.x + 1, box.y, f"{name} ", MUTED)
    for row in tally.rows:
        mark, _ = _note(painter, row, seat)
        goal = mark or (f"/{row.goal}" if row.goal else "")
        text = painter.text(f"{row.label}{row.counts[seat]}{goal}")
        if x + 1 + cells(text) > box.x + box.width:
            return
        x = painter.canvas.write(x + 1, box.y, text, Style("card", row.colour))


def _draw_count(painter: TablePainter, row: TallyRow, seat: int, box: Box) -> None:
    count, mark_note = row.counts[seat], _note(painter, row, seat)
    runs = [Run(f"{count:>{COUNT - 1}} ", Style(is_bold=mark_note[0] == painter.glyphs.won))]
    if row.goal and box.width >= BAR_FROM:
        runs += _bar(painter, row, seat, min(row.goal, WIDEST_BAR, box.width - BESIDE_BAR))
    runs.append(Run(" ".join(filter(None, mark_note)), MUTED))
    painter.canvas.runs(box.x, box.y, runs, box.width)


def _bar(painter: TablePainter, row: TallyRow, seat: int, width: int) -> list[Run]:
    full = min(max(row.counts[seat], 0) * width // row.goal, width)
    is_lost = _note(painter, row, seat)[0] == painter.glyphs.lost
    colour = "" if is_lost else row.colour
    line = painter.glyphs.light.line
    return [
        Run(painter.glyphs.bar * full, Style("card", colour, is_faint=is_lost)),
        Run(line * (width - full) + " ", Style("line")),
    ]


def _note(painter: TablePainter, row: TallyRow, seat: int) -> tuple[str, str]:
    """Return the mark and the words of a note; a lost race has only a mark."""
    note = row.notes[seat] if row.notes else ""
    if note.startswith(WON):
        return painter.glyphs.won, painter.text(note)
    if note.startswith(LOST):
        return painter.glyphs.lost, ""
    return "", painter.text(note)
