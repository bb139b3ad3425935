"""The middle of the table: counters with pips, lines of text, and piles."""

from collections.abc import Sequence

from cardhub.view.layout.canvas import Box, Style
from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.drawing.card_rows import draw_small, placed_cards
from cardhub.view.layout.drawing.large_piles import COUNT, draw_caption, draw_large_piles
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.plan import pile_rows
from cardhub.view.layout.shape import is_text
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.view import AreaView, CounterView

# Columns of a table on which piles begin as far from the left as from the right.
PILES = 58
LEAST_MARGIN = 3
WIDEST_CAPTION = 16
BETWEEN = 3


def draw_centre(painter: TablePainter) -> None:
    """Draw the counters of the table in one row, then its text, and each pile in a row below."""
    box, shape = painter.plan.box("centre"), painter.plan.shape
    y = box.y
    if shape.counters and box.height > bool(shape.lines or shape.piles):
        draw_counters(painter, Box(box.x, y, box.width, 1))
        y += 1
    rows = box.y + box.height - y
    areas = [*painter.areas("centre"), *_unowned(painter)]
    lines = [area.note for _, area in areas if is_text(area)]
    if lines:
        height = min(shape.lines, rows - _rows_of_piles(painter, rows))
        draw_lines(painter, lines, Box(box.x, y, box.width, height))
        y, rows = y + height, rows - height
    _draw_piles(
        painter,
        [each for each in areas if not is_text(each[1])],
        Box(box.x, y, box.width, rows),
    )


def draw_lines(painter: TablePainter, lines: Sequence[str], box: Box) -> None:
    """Draw lines of text below each other, in columns if there are more of them than rows.

    Blank ones at the end keep room, so that other parts do not move; they need no column.
    """
    texts = [painter.text(line) for line in lines]
    while texts and not texts[-1].strip():
        texts.pop()
    columns = [texts[n : n + box.height] for n in range(0, len(texts), max(box.height, 1))]
    widths = [max(map(cells, column)) for column in columns]
    spare = box.width - LEAST_MARGIN - sum(widths)
    between = min(max(spare // max(len(columns), 1), 1), BETWEEN)
    x = box.x + (_margin(box) if len(columns) == 1 else LEAST_MARGIN // 2)
    end = box.x + box.width
    for column, width in zip(columns, widths, strict=True):
        for number, text in enumerate(column):
            painter.canvas.write(
                x, box.y + number, clip(text, max(end - x, 0), painter.glyphs.more)
            )
        x += width + between


def _rows_of_piles(painter: TablePainter, rows: int) -> int:
    """Return how many of the rows of the centre are for piles, beside text."""
    shape, size = painter.plan.shape, painter.plan.sizes.centre
    needed = pile_rows(shape, size) if size > CardSize.S else shape.piles
    return min(needed, max(rows - shape.lines, rows // 2)) if shape.piles else 0


def _margin(box: Box) -> int:
    return max((box.width - PILES) // 2, LEAST_MARGIN)


def _draw_piles(painter: TablePainter, areas: Sequence[tuple[int, AreaView]], box: Box) -> None:
    if not areas or not box.height:
        return
    if painter.plan.sizes.centre > CardSize.S:
        draw_large_piles(painter, areas, box)
        return
    # Several stand in one row if a terminal has fewer rows than the table has piles.
    beside = -(-len(areas) // box.height)
    margin = _margin(box)
    width = (box.width - margin) // beside
    caption = min(max(cells(area.caption) for _, area in areas), WIDEST_CAPTION) + 1
    for number, (index, area) in enumerate(areas):
        x = box.x + margin + number % beside * width
        line = Box(x, box.y + number // beside, width - (beside > 1), 1)
        draw_pile(painter, index, area, line, caption, "centre")


def draw_counters(painter: TablePainter, box: Box) -> None:
    """Draw the counters of the table, in the middle if all have their greatest number of pips."""
    counters = [each for each in painter.view.counters if each.seat is None]
    x = box.x + max((box.width - sum(map(_widest, counters))) // 2, 1)
    for counter in counters:
        x = painter.canvas.write(x, box.y, painter.text(f"{counter.caption} "), Style("muted"))
        x = painter.canvas.write(x, box.y, str(counter.value), Style(is_bold=True))
        if counter.pips:
            pips = min(max(counter.value, 0), counter.pips)
            painter.canvas.write(x + 1, box.y, painter.glyphs.pip * pips, Style("pips", "yellow"))
            x += 1 + counter.pips
        x += BETWEEN


def draw_pile(
    painter: TablePainter, index: int, area: AreaView, box: Box, caption: int, region: str
) -> None:
    """Draw a pile or any other area as caption, count, cards and note; a queue from its next."""
    x, end = draw_caption(painter, index, area, box, caption, region), box.x + box.width
    note = painter.text(area.note)
    if area.cards:
        room = max(end - x - (cells(note) + BETWEEN if note else 0), 0)
        cards = placed_cards(index, area.cards)
        line = Box(x, box.y, room, 1)
        x = draw_small(painter, cards, line, region, from_end=area.look == "pile") + 1
    painter.canvas.write(x, box.y, note, Style("text"), max(end - x, 0))


def _widest(counter: CounterView) -> int:
    return cells(counter.caption) + COUNT + counter.pips + BETWEEN


def _unowned(painter: TablePainter) -> list[tuple[int, AreaView]]:
    fronts = [(index, area) for index, area in painter.areas("front") if area.seat is None]
    return [*fronts, *((i, area) for i, area in painter.areas("seat") if area.seat is None)]
