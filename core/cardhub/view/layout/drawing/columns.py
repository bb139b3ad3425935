"""Columns of the centre: overlapped cards from top to bottom, as in a patience."""

from collections.abc import Sequence

from cardhub.view.layout.canvas import Box, Style
from cardhub.view.layout.drawing.card_rows import (
    CardLook,
    Placed,
    draw_card,
    draw_outline,
    draw_small,
    draw_strip,
    placed_cards,
    small_text,
)
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.plan import column_width
from cardhub.view.layout.shape import CardSize, is_column
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.view import AreaView, Spot

REGION = "columns"
# Least rows of faces with which the first face is always visible.
LEAST_WITH_FIRST = 4


def draw_columns(painter: TablePainter) -> None:
    """Draw the columns side by side, each below its caption."""
    box, shape = painter.plan.box(REGION), painter.plan.shape
    if not box.height:
        return
    columns = [(index, area) for index, area in painter.areas("centre") if is_column(area)]
    count = max(shape.columns, len(columns))
    card = shape.sizes.widths[painter.plan.sizes.column]
    # The left brackets of a row of text take a column.
    width = min(column_width(shape, box.width), box.width // max(count, 1))
    x = box.x + max((box.width - count * width) // 2, 0) + (width > card)
    for number, (index, area) in enumerate(columns):
        left = x + number * width
        _draw_column(painter, index, area, Box(left, box.y, min(card, width), box.height))


def _draw_column(painter: TablePainter, index: int, area: AreaView, box: Box) -> None:
    size = painter.plan.sizes.column
    height = min(painter.plan.shape.sizes.heights[size], box.height - 1)
    placed = placed_cards(index, area.cards)
    _draw_caption(painter, index, area, box if not placed else box._replace(height=1))
    if not placed:
        outline = Box(box.x, box.y + 1, box.width, height)
        if size is CardSize.S:
            painter.canvas.write(outline.x, outline.y, painter.glyphs.empty, Style("outline"))
        else:
            draw_outline(painter, outline)
        return
    backs = next((n for n, card in enumerate(area.cards) if card.face is not None), len(placed))
    at = next((n for n, card in enumerate(placed) if card.spot == painter.cursor), None)
    y = box.y + 1
    for group in shared_rows(len(placed) - 1, backs, box.height - 1 - height, at):
        _draw_covered(painter, [placed[n] for n in group], Box(box.x, y, box.width, 1))
        y += 1
    last = Box(box.x, y, box.width, height)
    if size is CardSize.S:
        draw_small(painter, placed[-1:], last, REGION, back=2)
    else:
        draw_card(painter, CardLook(placed[-1].card, placed[-1].spot, last, size))
        # Down to the bottom of all columns: left and right must lead to the next column.
        painter.stop(placed[-1].spot, last._replace(height=box.y + box.height - y), REGION)


def _draw_caption(painter: TablePainter, index: int, area: AreaView, stop: Box) -> None:
    """Draw the caption and the note of a column; `stop`: the box of the area's stop."""
    spot = Spot("area", 0, index)
    is_heavy = painter.is_heavy(spot)
    text = painter.text(f"{area.caption} {area.note}".strip())
    while cells(text) > stop.width and " " in text:
        # Columns often differ only in the last word, such as a number.
        text = text.partition(" ")[2]
    text = clip(text, stop.width, painter.glyphs.more)
    x = stop.x + (stop.width - cells(text)) // 2
    style = Style("muted", is_bold=spot in painter.legal, is_heavy=is_heavy)
    end = painter.canvas.write(x, stop.y, text, style)
    painter.stop(spot, stop, REGION)
    if is_heavy:
        painter.canvas.write(max(x - 1, 0), stop.y, "[", Style("accent", is_bold=True))
        painter.canvas.write(end, stop.y, "]", Style("accent", is_bold=True))


def shared_rows(covered: int, backs: int, room: int, at: int | None) -> list[range]:
    """Return the cards of each row above the last card of a column, as ranges of their positions.

    `covered`: the number of cards above the last one; `backs`: how many of them lie face down, from
    the first one. If they need more than `room` rows, the backs share a row, and if that is not
    enough, faces do, but not the first one and not the last ones, or the next ones from position
    `at`.
    """
    room = max(room, 1)
    if covered <= room:
        return [range(n, n + 1) for n in range(covered)]
    backs = min(backs, covered)
    faces, left = covered - backs, max(room - bool(backs), 1)
    # The first face begins what can be moved as a whole.
    first = backs + (faces > left >= LEAST_WITH_FIRST)
    shown = left - (first - backs)
    start = end = covered
    if covered - first > shown:
        shown -= 1  # for the number of faces that share a row
        start = covered - shown
        if at is not None and first <= at < start:
            # Another row has the number of the faces after the shown ones.
            start = at
            end = at + max(shown - (at > first), 1)
    else:
        start = first
    rows = [range(backs), *(range(n, n + 1) for n in range(backs, first)), range(first, start)]
    rows += [*(range(n, n + 1) for n in range(start, end)), range(end, covered)]
    rows = [row for row in rows if row]
    # Without room for these either, all the others share the last row.
    return [*rows[: room - 1], range(rows[room - 1].start, covered)] if len(rows) > room else rows


def _draw_covered(painter: TablePainter, cards: Sequence[Placed], box: Box) -> None:
    """Draw the cards that share a row: a single card by its name, several by their number."""
    size = painter.plan.sizes.column
    shown = next((card for card in cards if card.spot == painter.cursor), cards[-1])
    text = small_text(painter, shown.card)
    if len(cards) > 1:
        text = str(len(cards)) if shown.card.face is None else f"+{len(cards)}"
    if size is CardSize.S and len(cards) == 1:
        draw_small(painter, cards, box, REGION, back=2)
        return
    for placed in cards:
        is_shown = placed is shown
        painter.stop(placed.spot, box if is_shown else Box(box.x, box.y, 0, 0), REGION)
    look = CardLook(shown.card, shown.spot, box, size, is_covered=True, visible=box.width)
    draw_strip(painter, look, text, is_number=len(cards) > 1)
