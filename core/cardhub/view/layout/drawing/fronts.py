"""The cards in front of the seats, with outlines of expected cards."""

from cardhub.view.layout.canvas import Box, Style
from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.drawing.card_faces import draw_outline
from cardhub.view.layout.drawing.card_rows import Placed, draw_large, draw_small, placed_cards
from cardhub.view.layout.drawing.seat_lines import lanes
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.text.glyphs import cells, clip

# Blank columns between the cards of a trick.
APART = 4


def draw_fronts(painter: TablePainter) -> None:
    """Draw the cards in front of the other seats: a lane each, or close together as a trick."""
    if not painter.plan.box("fronts").height:
        return
    if is_trick(painter):
        _draw_trick(painter)
        return
    for seat, lane in lanes(painter, "fronts"):
        # A blank column separates the lanes.
        width = lane.width - (lane.width < painter.plan.box("fronts").width)
        _draw_front(painter, seat, lane._replace(width=width), "fronts")


def draw_own_front(painter: TablePainter) -> None:
    """Draw the cards in front of the viewer's seat."""
    box = painter.plan.box("own_front")
    if box.height:
        _draw_front(painter, painter.view.own, box, "own_front")


def is_trick(painter: TablePainter) -> bool:
    """Return whether each seat lays one card: the cards stand together, with names on them."""
    return painter.plan.shape.front == 1


def _draw_trick(painter: TablePainter) -> None:
    box, seats = painter.plan.box("fronts"), painter.others()
    width = painter.plan.shape.sizes.widths[painter.plan.sizes.front]
    if painter.plan.sizes.front is CardSize.S:
        width += _name_width(painter)
    step = min(width + APART, box.width // max(len(seats), 1))
    x = box.x + max(box.width - (len(seats) * step - (step - width)), 0) // 2
    for number, seat in enumerate(seats):
        _draw_front(painter, seat, Box(x + number * step, box.y, width, box.height), "fronts")


def _draw_front(painter: TablePainter, seat: int, box: Box, region: str) -> None:
    cards = _cards(painter, seat)
    areas = painter.areas("front", seat)
    slots = sum(area.slots for _, area in areas)
    size = painter.plan.sizes.front
    if size is CardSize.S:
        _draw_row(painter, seat, cards, slots, box, region)
        return
    sizes = painter.plan.shape.sizes
    width, height = sizes.widths[size], sizes.heights[size]
    usual = max(painter.plan.shape.front, 1)
    # A gap between cards, if the lane has room for it.
    step = width + (usual * (width + 1) < box.width)
    # More cards than usual are overlapped, to stay in their lane.
    step = min(step, max((box.width - width) // max(len(cards) - 1, 1), 1))
    x = box.x + max((box.width - (usual - 1) * step - width) // 2, 0)
    # Cards that left the table have outlines, too.
    places = min(len(cards) + sum(area.gone for _, area in areas), usual)
    for number in range(len(cards), max(slots, places)):
        outline = Box(x + number * step, box.y, width, height)
        draw_outline(painter, outline, _owner(painter, seat) if number < slots else "")
    draw_large(painter, cards, Box(x, box.y, box.width, height), step, size, region)


def _draw_row(
    painter: TablePainter, seat: int, cards: list[Placed], slots: int, box: Box, region: str
) -> None:
    x = box.x + 2
    if is_trick(painter):
        x = _draw_owner(painter, seat, box) if cards or slots else box.x
    elif seat == painter.view.own:
        # As in the lanes, a full row of cards is centred.
        full = painter.plan.shape.front * (painter.plan.shape.sizes.widths[CardSize.S] + 1)
        x = box.x + max((box.width - full) // 2, 2)
    x = draw_small(painter, cards, Box(x, box.y, box.x + box.width - x, 1), region, back=2)
    expected = f"{painter.glyphs.empty} " * max(slots - len(cards), 0)
    painter.canvas.write(x, box.y, expected, Style("outline"), max(box.x + box.width - x, 0))


def _draw_owner(painter: TablePainter, seat: int, box: Box) -> int:
    """Draw the owner before a one-row card of a trick; return the column of the card."""
    width = _name_width(painter)
    x = box.x
    if seat == painter.view.own:
        x += max((box.width - width - painter.plan.shape.sizes.widths[CardSize.S]) // 2, 0)
    name = _owner(painter, seat)
    shown = clip(painter.text(name), width - 2, painter.glyphs.more)
    painter.canvas.write(x, box.y, shown, Style("muted"))
    return x + width


def _name_width(painter: TablePainter) -> int:
    """Return the columns of a name before a one-row card, with two blanks after it."""
    lane = painter.plan.box("fronts").width // max(len(painter.others()), 1)
    longest = max(cells(painter.text(player.name)) for player in painter.view.players)
    return min(longest + 2, lane - painter.plan.shape.sizes.widths[CardSize.S] - APART)


def _cards(painter: TablePainter, seat: int) -> list[Placed]:
    owner = painter.view.players[seat].name if is_trick(painter) else ""
    return [
        placed._replace(owner=owner if seat != painter.view.own else "")
        for index, area in painter.areas("front", seat)
        for placed in placed_cards(index, area.cards)
    ]


def _owner(painter: TablePainter, seat: int) -> str:
    if not is_trick(painter):
        return ""
    is_own = seat == painter.view.viewer and painter.texts.says_you
    return "you" if is_own else painter.view.players[seat].name
