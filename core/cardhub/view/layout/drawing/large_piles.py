"""Captions of areas, and piles of cards with borders beside each other."""

from collections.abc import Sequence

from cardhub.view.layout.canvas import Box, Style
from cardhub.view.layout.drawing.card_rows import draw_large, placed_cards, step_of
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.plan import pile_width
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.view import AreaView, Spot

# Columns of a count with a blank.
COUNT = 4


def draw_caption(
    painter: TablePainter,
    index: int,
    area: AreaView,
    box: Box,
    caption: int,
    region: str,
    is_aligned: bool = True,
) -> int:
    """Draw the caption and the count of an area, which are its stop; return the column after."""
    spot, canvas = Spot("area", 0, index), painter.canvas
    is_heavy = painter.is_heavy(spot)
    style = Style("muted", is_bold=spot in painter.legal, is_heavy=is_heavy)
    text = clip(painter.text(area.caption), caption - 1, painter.glyphs.more)
    canvas.write(box.x, box.y, text, style, box.width)
    count = count_of(area)
    count = count.rjust(COUNT - 1) if count and is_aligned else count
    number = canvas.write(box.x + caption, box.y, count, Style(is_bold=True))
    end = box.x + box.width
    painter.stop(spot, Box(box.x, box.y, min(number, end) - box.x, 1), region)
    if is_heavy:
        canvas.write(max(box.x - 1, 0), box.y, "[", Style("accent", is_bold=True))
        canvas.write(number, box.y, "]", Style("accent", is_bold=True))
    return box.x + caption + (COUNT if count else 0)


def count_of(area: AreaView) -> str:
    """Return the number of cards as text, empty for an area of text only."""
    return "" if not area.count and area.note else str(area.count)


def draw_large_piles(
    painter: TablePainter, areas: Sequence[tuple[int, AreaView]], box: Box
) -> None:
    """Draw piles beside each other: caption and count, cards with borders, and the note."""
    shape = painter.plan.shape
    across = pile_width(shape, box.width)
    x = box.x + max((box.width - across * max(shape.piles, len(areas))) // 2, 0)
    for number, (index, area) in enumerate(areas):
        pile = Box(x + number * across, box.y, across - 1, box.height)
        heading = pile._replace(height=1)
        caption = min(cells(area.caption), pile.width - cells(count_of(area)) - 1) + 1
        draw_caption(painter, index, area, heading, caption, "centre", is_aligned=False)
        _draw_cards(painter, index, area, pile)
        note = clip(painter.text(area.note), pile.width, painter.glyphs.more)
        painter.canvas.write(pile.x, box.y + box.height - 1, note)


def _draw_cards(painter: TablePainter, index: int, area: AreaView, box: Box) -> None:
    """Draw the cards that fit: the last ones of a pile, else the first ones."""
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
    for each in (*cards[:first], *cards[first + fitting :]):
        painter.stop(each.spot, Box(box.x, box.y + 1, 0, 0), "centre")
