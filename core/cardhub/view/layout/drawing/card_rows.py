"""Rows of cards: a row of text, a strip of backs, or bordered cards at a fixed step."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from cardhub.view.layout.canvas import Box, Style
from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.drawing.card_faces import CardLook, draw_card, small_style, small_text
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.text.glyphs import cells
from cardhub.view.view import CardView, Spot

# The most cells of a back in a strip.
WIDEST_BACK = 3


class Placed(NamedTuple):
    """A card of the view and its spot, with the owner's name to write on it."""

    card: CardView
    spot: Spot
    owner: str = ""


class _Item(NamedTuple):
    placed: Placed
    text: str
    width: int


def placed_cards(index: int, cards: Sequence[CardView]) -> list[Placed]:
    """Return the cards of an area with their spots."""
    return [Placed(card, Spot("card", card.token, index)) for card in cards]


def draw_small(
    painter: TablePainter,
    cards: Sequence[Placed],
    box: Box,
    region: str,
    back: int = 1,
    from_end: bool = False,
) -> int:
    """Draw cards as one row of text and return the column after them.

    Each back takes `back` cells. If the cards do not fit, the first ones are drawn, or with
    `from_end` the last ones, and always the card under the cursor; the others get stops without
    width.
    """
    items = [_item(painter, card, back) for card in cards]
    # A blank separates the last back of a strip from the next face.
    for number, (item, after) in enumerate(pairwise(items)):
        if item.placed.card.face is None and after.placed.card.face is not None:
            items[number] = item._replace(width=item.width + 1)
    at = next((n for n, card in enumerate(cards) if card.spot == painter.cursor), None)
    first, last = window([item.width for item in items], box.width, from_end, at)
    more = painter.glyphs.more
    x = box.x
    if first:
        x = painter.canvas.write(x, box.y, more, Style("muted"))
    for number, item in enumerate(items):
        if first <= number < last:
            _small(painter, item, Box(x, box.y, box.x + box.width - x, 1), region)
            x += item.width
        else:
            edge = box.x if number < first else min(x, box.x + box.width)
            painter.stop(item.placed.spot, Box(edge, box.y, 0, 0), region)
    return painter.canvas.write(x, box.y, more, Style("muted")) if last < len(items) else x


def window(widths: Sequence[int], room: int, from_end: bool, at: int | None) -> tuple[int, int]:
    """Return the range of the visible items, as start and end; it includes item `at`."""
    # The last item needs no blank after it.
    if sum(widths) <= room + 1:
        return 0, len(widths)
    # Two cells for the marks of hidden items at both ends.
    room -= 2
    shown = _filled(widths, room, from_end)
    if at is None or shown[0] <= at < shown[1]:
        return shown
    if at >= shown[1]:
        first, _ = _filled(widths[: at + 1], room, True)
        return first, at + 1
    _, last = _filled(widths[at:], room, False)
    return at, at + last


def _filled(widths: Sequence[int], room: int, from_end: bool) -> tuple[int, int]:
    count = 0
    for width in reversed(widths) if from_end else widths:
        if room < width:
            break
        room -= width
        count += 1
    count = max(count, 1)
    return (len(widths) - count, len(widths)) if from_end else (0, count)


def draw_large(
    painter: TablePainter,
    cards: Sequence[Placed],
    box: Box,
    step: int,
    size: CardSize,
    region: str,
) -> None:
    """Draw bordered cards at a fixed step.

    If the box has a spare row, the card under the cursor is raised; it does not hide the value of
    the next card.
    """
    width, height = painter.plan.shape.sizes.widths[size], painter.plan.shape.sizes.heights[size]
    y = box.y + box.height - height
    for number, placed in enumerate(cards):
        place = Box(box.x + number * step, y, width, height)
        is_covered = step < width and number < len(cards) - 1
        visible = step if is_covered else width
        painter.stop(placed.spot, Box(place.x, y, visible, height), region)
        if placed.spot == painter.cursor and box.height > height:
            place = Box(place.x, y - 1, width, height)
        look = CardLook(placed.card, placed.spot, place, size, placed.owner, is_covered)
        draw_card(painter, look)


def step_of(count: int, width: int, room: int, least: int) -> int:
    """Return the widest step of `count` cards: with a gap, touching, or overlapped.

    Cards that do not fit at the step `least` are overlapped further.
    """
    for step in (width + 1, width, min(least + 1, width), least):
        if step <= width + 1 and (count - 1) * step + width <= room:
            return step
    return max((room - width) // (count - 1), 1)


def back_cells(room: int, count: int) -> int:
    """Return the most cells of a back in a strip with which `count` backs fit."""
    return max(min(room // max(count, 1), WIDEST_BACK), 1)


def _item(painter: TablePainter, placed: Placed, back: int) -> _Item:
    text = small_text(painter, placed.card)
    if placed.card.face is None:
        shown = f" {text} " if back == WIDEST_BACK else text + " " * (back - cells(text))
        shown += painter.text(f" {placed.card.mark} ") if placed.card.mark else ""
        return _Item(placed, shown, cells(shown))
    text += painter.text(f" {placed.card.mark}") if placed.card.mark else ""
    sizes = painter.plan.shape.sizes
    width = cells(text) if sizes.is_named else max(cells(text), sizes.widths[CardSize.S])
    return _Item(placed, text, width + 1 + sizes.is_named)


def _small(painter: TablePainter, item: _Item, room: Box, region: str) -> None:
    placed, canvas, x, y = item.placed, painter.canvas, room.x, room.y
    style = small_style(painter, placed.card, placed.spot)
    end = canvas.write(x, y, item.text, style, max(room.width, 0))
    painter.stop(placed.spot, Box(x, y, end - x, 1), region)
    if placed.card.face is None:
        return
    if painter.is_heavy(placed.spot):
        canvas.write(x - 1, y, "[", Style("accent", is_bold=True))
        canvas.write(end, y, "]", Style("accent", is_bold=True))
    elif painter.marks_legal(placed.spot):
        canvas.write(x - 1, y, painter.glyphs.to_act, Style("accent"))
    elif placed.card.is_new:
        canvas.write(x - 1, y, painter.glyphs.new, Style("accent"))
