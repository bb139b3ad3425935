"""The viewer's seat: its line, its cards besides the hand, and the hand."""

from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.drawing.card_rows import (
    Placed,
    draw_large,
    draw_small,
    placed_cards,
    step_of,
)
from cardhub.view.layout.drawing.seat_lines import draw_seat_cards, draw_seat_line
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.frame import Box
from cardhub.view.layout.regions.ladder import MARGIN


def draw_own_seat(painter: TablePainter) -> None:
    """Draw the line of the viewer's seat, and below it its cards besides the hand."""
    line, row = painter.plan.box("own_line"), painter.plan.box("own_row")
    if line.height:
        draw_seat_line(painter, painter.view.own, line, "own_line")
    if row.height:
        draw_seat_cards(painter, painter.view.own, row, "own_line")


def draw_hand(painter: TablePainter) -> None:
    """Draw the hand at a step which depends on its number of cards only, from the left.

    More cards than can be told apart there are a row of text.
    """
    box, size = painter.plan.box("hand"), painter.plan.sizes.hand
    if not box.height:
        return
    cards = _cards(painter)
    room = Box(box.x + MARGIN, box.y, box.width - MARGIN, box.height)
    sizes = painter.plan.shape.sizes
    least = sizes.overlapped(size)
    step = step_of(len(cards), sizes.widths[size], room.width, least)
    if size is CardSize.S or (step < least and len(cards) > 1):
        draw_small(painter, cards, room._replace(y=room.y + (size > CardSize.S)), "hand", back=2)
        return
    draw_large(painter, cards, room, step, size, "hand")


def _cards(painter: TablePainter) -> list[Placed]:
    return [
        each for index, area in painter.areas("hand") for each in placed_cards(index, area.cards)
    ]
