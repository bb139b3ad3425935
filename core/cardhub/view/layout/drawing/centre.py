"""The middle of the table: counters with pips, lines of text, and piles with their captions."""

from collections.abc import Sequence

from cardhub.view.layout.canvas import Box, Style
from cardhub.view.layout.drawing.card_rows import draw_large, draw_small, placed_cards, step_of
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.plan import pile_rows, pile_width
from cardhub.view.layout.shape import CardSize, is_column, is_text
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.view import AreaView, Spot

# Columns that are centred on the table for piles and text.
PILES = 58
LEAST_MARGIN = 3
WIDEST_CAPTION = 16
BETWEEN = 3
# Looks of which the last cards matter most.
FROM_END = ("pile", "column")
# Columns of a count with a blank.
COUNT = 4


def draw_centre(painter: TablePainter) -> None:
    """Draw the counters of the table in one row, then its text, and each pile in a row below."""
    box, shape = painter.plan.box("centre"), painter.plan.shape
    y = box.y
    if shape.counters and box.height > bool(shape.lines or shape.piles):
        draw_counters(painter, Box(box.x, y, box.width, 1))
        y += 1
    rows = box.y + box.height - y
    placed = (*painter.areas("front"), *painter.areas("seat"))
    areas = [*painter.areas("centre"), *(pair for pair in placed if pair[1].seat is None)]
    lines = [area.note for _, area in areas if is_text(area)]
    if lines:
        height = min(shape.lines, rows - _rows_of_piles(painter, rows))
        draw_lines(painter, lines, Box(box.x, y, box.width, height))
        y, rows = y + height, rows - height
    _draw_piles(
        painter,
        [(index, area) for index, area in areas if not (is_text(area) or is_column(area))],
        Box(box.x, y, box.width, rows),
    )


def draw_lines(painter: TablePainter, lines: Sequence[str], box: Box) -> None:
    """Draw lines of text, in columns if there are more lines than rows.

    Blank lines at the end only reserve rows, and do not need a column.
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
    """Return the number of rows for piles in a centre that also has text."""
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
    # Several piles share a row if there are fewer rows than piles.
    columns = -(-len(areas) // box.height)
    margin = _margin(box)
    width = (box.width - margin) // columns
    caption = min(max(cells(area.caption) for _, area in areas), WIDEST_CAPTION) + 1
    for number, (index, area) in enumerate(areas):
        x = box.x + margin + number % columns * width
        line = Box(x, box.y + number // columns, width - (columns > 1), 1)
        draw_pile(painter, index, area, line, caption, "centre")


def draw_counters(painter: TablePainter, box: Box) -> None:
    """Draw the counters of the table, centred for their greatest number of pips."""
    counters = [counter for counter in painter.view.counters if counter.seat is None]
    widest = sum(cells(counter.caption) + COUNT + counter.pips + BETWEEN for counter in counters)
    x = box.x + max((box.width - widest) // 2, 1)
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
    """Draw an area in one row: caption, count, cards (a queue from its next card) and note."""
    x, end = draw_caption(painter, index, area, box, caption, region), box.x + box.width
    note = painter.text(area.note)
    if area.cards:
        room = max(end - x - (cells(note) + BETWEEN if note else 0), 0)
        cards = placed_cards(index, area.cards)
        line = Box(x, box.y, room, 1)
        x = draw_small(painter, cards, line, region, from_end=area.look in FROM_END) + 1
    expected = " ".join(painter.glyphs.empty * max(area.slots - area.count, 0))
    if not (expected or area.count or area.note or count_of(area)):
        expected = "none"
    if expected:
        x = BETWEEN + painter.canvas.write(x, box.y, expected, Style("outline"), max(end - x, 0))
    painter.canvas.write(x, box.y, note, Style("text"), max(end - x, 0))


def draw_caption(
    painter: TablePainter,
    index: int,
    area: AreaView,
    box: Box,
    caption: int,
    region: str,
    is_aligned: bool = True,
) -> int:
    """Draw the caption and count of an area, and add its stop there; return the column after."""
    spot, canvas = Spot("area", 0, index), painter.canvas
    is_heavy = painter.is_heavy(spot)
    style = Style("muted", is_bold=spot in painter.legal, is_heavy=is_heavy)
    text = clip(painter.text(area.caption), caption - 1, painter.glyphs.more)
    canvas.write(box.x, box.y, text, style, box.width)
    count = count_of(area)
    if is_aligned and count:
        count = f"{count.rstrip(':'):>{COUNT - 1}}{':' if count.endswith(':') else ''}"
    number = canvas.write(box.x + caption, box.y, count, Style(is_bold=True))
    end = box.x + box.width
    painter.stop(spot, Box(box.x, box.y, min(number, end) - box.x, 1), region)
    if is_heavy:
        canvas.write(max(box.x - 1, 0), box.y, "[", Style("accent", is_bold=True))
        canvas.write(number, box.y, "]", Style("accent", is_bold=True))
    if area.note and not area.count:
        return box.x + caption
    return box.x + caption + COUNT + count.endswith(":")


def count_of(area: AreaView) -> str:
    """Return the number of cards as text, empty for text, and for a row of cards that all see.

    Before cards face up the number ends with a colon, because it could be read as a card.
    """
    are_open = bool(area.cards) and all(card.face is not None for card in area.cards)
    is_row = area.look == "row" and (are_open or not area.count) and area.is_listed
    if is_row or (not area.count and area.note):
        return ""
    return f"{area.count}:" if are_open else str(area.count)


def draw_large_piles(
    painter: TablePainter, areas: Sequence[tuple[int, AreaView]], box: Box
) -> None:
    """Draw bordered piles in one row, each with caption and count above and a note below."""
    shape = painter.plan.shape
    across = pile_width(shape, box.width)
    # A column is left for the bracket of a caption under the cursor.
    x = box.x + max((box.width - across * max(shape.piles, len(areas))) // 2, 1)
    for number, (index, area) in enumerate(areas):
        pile = Box(x + number * across, box.y, across - 1, box.height)
        heading = pile._replace(height=1)
        caption = min(cells(area.caption), pile.width - cells(count_of(area)) - 1) + 1
        draw_caption(painter, index, area, heading, caption, "centre", is_aligned=False)
        _draw_cards(painter, index, area, pile)
        note = clip(painter.text(area.note), pile.width, painter.glyphs.more)
        painter.canvas.write(pile.x, box.y + box.height - 1, note)


def _draw_cards(painter: TablePainter, index: int, area: AreaView, box: Box) -> None:
    """Draw the cards that fit: a pile's last cards, another area's first cards."""
    size, sizes = painter.plan.sizes.centre, painter.plan.shape.sizes
    width, height = sizes.widths[size], sizes.heights[size]
    cards = placed_cards(index, area.cards)
    least = sizes.overlapped(size)
    fitting = max((box.width - width) // least + 1, 1)
    first = len(cards) - fitting if area.look == "pile" and len(cards) > fitting else 0
    shown = cards[first : first + fitting]
    line = Box(box.x, box.y + 1, box.width, height)
    if shown:
        step = step_of(len(shown), width, box.width, least)
        draw_large(painter, shown, line, step, size, "centre")
    for hidden in (*cards[:first], *cards[first + fitting :]):
        painter.stop(hidden.spot, Box(box.x, box.y + 1, 0, 0), "centre")
