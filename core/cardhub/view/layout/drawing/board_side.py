"""The side of a board: seats, tallies, cards that lie beside the board, detail and log."""

from msgspec.structs import replace

from cardhub.view.layout.canvas import Box
from cardhub.view.layout.drawing.centre import WIDEST_CAPTION, draw_counters, draw_pile
from cardhub.view.layout.drawing.seat_lines import draw_seat_line
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.drawing.tally_rows import draw_small_tally, draw_tally, tally_rows
from cardhub.view.layout.drawing.texts_around import draw_here, draw_log
from cardhub.view.layout.plan import DETAIL_BESIDE, HERE_ROWS
from cardhub.view.text.glyphs import cells
from cardhub.view.view import AreaView

# Rows below which the log is left out.
LEAST_LOG = 3


def draw_side(painter: TablePainter) -> None:
    """Draw seats and tallies at the right of the board, or below it where that is narrow."""
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
    """Draw the seats in one row, then a row of the tally for each seat as far as there is room."""
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
    """Draw counters and all areas besides the board, a row each."""
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
    """Return the areas besides the board, those of seats with their names.

    Areas of text only are badges of their seat.
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
