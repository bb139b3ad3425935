"""The side of a board: seats, tallies, cards off the board, detail and log."""

from msgspec.structs import replace

from cardhub.model.game.scene import Tally, TallyRow
from cardhub.view.layout.canvas import Box, Run, Style, column
from cardhub.view.layout.drawing.centre import WIDEST_CAPTION, draw_counters, draw_pile
from cardhub.view.layout.drawing.seat_lines import draw_seat_line
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.drawing.texts_around import draw_here, draw_log
from cardhub.view.layout.plan import DETAIL_BESIDE, HERE_ROWS
from cardhub.view.text.glyphs import cells
from cardhub.view.view import AreaView

# The least rows for a log.
LEAST_LOG = 3
# Columns of a count and of the shortest label in a tally, and of the gap after labels.
COUNT, LABEL, GAP = 3, 2, 2
# The least cells of a seat that has a bar, the most cells of the bar, and the least of its note.
BAR_FROM, WIDEST_BAR, BESIDE_BAR = 16, 8, 13
# A note that begins with one of these words gets a mark.
WON, LOST = "won", "lost"
MUTED = Style("muted")


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
