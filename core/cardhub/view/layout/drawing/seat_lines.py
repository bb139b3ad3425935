"""The seats: a line with name, badges and score, their hands, and the cards in front of them."""

from collections.abc import Sequence
from itertools import accumulate, takewhile

from cardhub.view.layout.canvas import Box, Role, Run, Style
from cardhub.view.layout.drawing.card_rows import (
    Placed,
    back_cells,
    draw_large,
    draw_outline,
    draw_small,
    placed_cards,
    step_of,
)
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.plan import MARGIN
from cardhub.view.layout.shape import CardSize
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.view import AreaView, Spot

# Least columns of a row of cards whose first area shows its caption.
CAPTIONS_FROM = 40
LEAST_NAME = 7
# Columns of a line for its ends, and for blanks around name and score.
LEAST_AROUND = 5
YOU = " (you)"
# A pile of a seat shows its last cards in this share of a row (1/4), and at least in LEAST_PILE.
PILE_SHARE, LEAST_PILE = 4, 8


def draw_others(painter: TablePainter) -> None:
    """Draw the other seats in turn order, each in a lane.

    The row below has the cards, and after them the badges that are too long for the first row.
    """
    for seat, lane in lanes(painter, "others"):
        width = lane.width - (lane.width < painter.plan.box("others").width)
        badges = draw_seat_line(painter, seat, Box(lane.x, lane.y, width, 1), "others")
        below = Box(lane.x, lane.y + 1, width, lane.height - 1)
        if painter.plan.sizes.backs > CardSize.S:
            hand = below._replace(height=below.height - painter.plan.shape.own_row)
            _draw_backs(painter, seat, hand)
            rest = below._replace(y=hand.y + hand.height, height=1)
            draw_seat_cards(painter, seat, rest, "others", with_hand=False)
        else:
            x = draw_seat_cards(painter, seat, below, "others", badges=badges)
            draw_badges(painter, badges, below._replace(x=x, width=below.x + below.width - x))


def lanes(painter: TablePainter, region: str) -> list[tuple[int, Box]]:
    """Return the other seats with their parts of a region."""
    box, seats = painter.plan.box(region), painter.others()
    width = box.width // max(len(seats), 1)
    return [
        (seat, Box(box.x + number * width, box.y, width, box.height))
        for number, seat in enumerate(seats)
    ]


def draw_badges(painter: TablePainter, badges: Sequence[str], box: Box) -> None:
    """Draw badges in the rest of a row, as many as fit."""
    x, end = box.x, box.x + box.width
    for badge in badges if box.height else ():
        if x + cells(badge) <= end:
            x = painter.canvas.write(x, box.y, badge, Style("text")) + 2


def draw_seat_line(painter: TablePainter, seat: int, box: Box, region: str) -> Sequence[str]:
    """Draw the line of a seat: `▸ Anna (you) · leads ─── won 7 ─`.

    Return the badges that are too long for the line.
    """
    canvas, spot = painter.canvas, Spot("seat", seat)
    is_to_act = painter.view.to_act == seat
    line = painter.glyphs.light.line
    style = Style("accent") if is_to_act else Style("line")
    canvas.write(box.x, box.y, line * box.width, style)
    canvas.write(box.x, box.y, painter.glyphs.to_act if is_to_act else line, style)
    name = painter.text(painter.view.players[seat].name)
    score = painter.text(painter.view.players[seat].score)
    if cells(name) + cells(score) + LEAST_AROUND > box.width and score[:1].isdigit():
        # The number says enough: `98` of `98 chips`.
        score = score.partition(" ")[0]
    # Drop the blank after the score rather than a letter of the name.
    after = int(cells(name) + cells(score) + 6 <= box.width)
    score = clip(f" {score}{' ' * after}" if score else "", max(box.width - LEAST_NAME, 0))
    canvas.write(box.x + box.width - after - cells(score), box.y, score, Style(is_bold=True))
    room = box.width - 1 - after - cells(score)
    runs, left_out = _naming(painter, seat, spot, room)
    canvas.runs(box.x + 1, box.y, runs, room)
    if painter.is_heavy(spot):
        canvas.write(box.x, box.y, "[", Style("accent", is_bold=True))
        canvas.write(box.x + box.width - 1, box.y, "]", Style("accent", is_bold=True))
    painter.stop(spot, box, region)
    return left_out


def draw_seat_cards(
    painter: TablePainter,
    seat: int,
    box: Box,
    region: str,
    *,
    with_hand: bool = True,
    badges: Sequence[str] = (),
) -> int:
    """Draw the hand, if wanted, and the other cards of a seat in one row.

    Return the column after them. `badges` are drawn after that, so cards leave room.
    """
    hand = hand_of(painter, seat)
    areas = [
        (index, area)
        for index, area in painter.areas("seat", seat)
        if area.count and (with_hand or index != hand)
    ]
    # The hand comes first, because each seat has one.
    areas.sort(key=lambda indexed: indexed[0] != hand)
    x, end = box.x + 2, box.x + box.width
    for number, (index, area) in enumerate(areas):
        x = 2 + _draw_area(
            painter,
            index,
            area,
            Box(x, box.y, end - x, 1),
            region,
            is_captioned=number > 0 or box.width >= CAPTIONS_FROM,
            after=[area for _, area in areas[number + 1 :]],
            badges=badges,
        )
        if x >= end:
            break
    return x


def hand_of(painter: TablePainter, seat: int) -> int | None:
    """Return the index of the area that is another seat's hand, or None if it has no cards.

    Another seat's hand may have any look, so it is the area called "hand", or the first one.
    """
    areas = [(index, area) for index, area in painter.areas("seat", seat) if area.count]
    named = [index for index, area in areas if "hand" in (area.look, area.caption)]
    return next(iter([*named, *(index for index, _ in areas)]), None)


def _draw_area(
    painter: TablePainter,
    index: int,
    area: AreaView,
    box: Box,
    region: str,
    *,
    is_captioned: bool,
    after: Sequence[AreaView],
    badges: Sequence[str],
) -> int:
    spot = Spot("area", 0, index)
    headings = [_heading(painter, area, is_captioned=is_captioned)]
    headings.append(_heading(painter, area, is_captioned=False))
    # The blank at its end separates it from cards.
    most = box.width + (not area.cards)
    heading = next((text for text in headings if cells(text) <= most), "")
    style = Style("muted", is_heavy=painter.is_heavy(spot), is_bold=spot in painter.legal)
    if not heading:
        # The area is not visible, but the cursor can reach it.
        box = box._replace(width=0)
    x = painter.canvas.write(box.x, box.y, heading, style, box.width)
    painter.stop(spot, Box(box.x, box.y, x - box.x, 1), region)
    room = box.x + box.width - x
    if area.look == "pile" and (after or badges):
        room = min(room, _pile_room(painter, box.width, room, after, badges))
    # One third remains for the seat's other cards.
    back = 1 if badges else back_cells(2 * room // 3, area.count)
    line = Box(x, box.y, max(room, 0), 1)
    cards = placed_cards(index, area.cards)
    return draw_small(painter, cards, line, region, back, from_end=area.look == "pile")


def _heading(painter: TablePainter, area: AreaView, *, is_captioned: bool) -> str:
    """Return the text before the cards of an area: its caption, and its count if that is news."""
    # Face-up cards need no count.
    is_counted = not area.is_listed or any(card.face is None for card in area.cards)
    caption = f"{area.caption} " if is_captioned and area.caption else ""
    # The mark of a new card takes the cell before it.
    return painter.text(f"{caption}{area.count} " if is_counted or not caption else f"{caption} ")


def _pile_room(
    painter: TablePainter, width: int, room: int, after: Sequence[AreaView], badges: Sequence[str]
) -> int:
    """Return the cells for a pile in a row of `width` cells that areas and badges follow."""
    if any(area.cards for area in after):
        return max(width // PILE_SHARE, LEAST_PILE)
    headings = [_heading(painter, area, is_captioned=True) for area in after]
    following = sum(cells(text) + 2 for text in (*headings, *badges))
    return max(room - following, min(width // PILE_SHARE, LEAST_PILE))


def _draw_backs(painter: TablePainter, seat: int, box: Box) -> None:
    """Draw the bordered hand of a single opponent, centred on the table."""
    size, sizes = painter.plan.sizes.backs, painter.plan.shape.sizes
    hand = hand_of(painter, seat)
    cards = [
        placed
        for index, area in painter.areas("seat", seat)
        if index == hand
        for placed in placed_cards(index, area.cards)
    ]
    room = box.width - MARGIN
    width = sizes.widths[size]
    step = step_of(len(cards), width, room, sizes.overlapped(size))
    full = (max(painter.plan.shape.hand, 1) - 1) * (width + 1) + width
    x = box.x + max((box.width - full) // 2, MARGIN)
    x = min(x, box.x + box.width - ((len(cards) - 1) * step + width) if cards else x)
    draw_large(painter, cards, Box(x, box.y, room, box.height), step, size, "others")


def _naming(
    painter: TablePainter, seat: int, spot: Spot, room: int
) -> tuple[list[Run], Sequence[str]]:
    """Return the name and the badges that fit, and the other badges.

    "(you)" is left out if a badge would have to go to another row because of it.
    """
    name = clip(painter.text(painter.view.players[seat].name), room - 1, painter.glyphs.more)
    role: Role = "accent" if painter.view.to_act == seat else "text"
    runs = [Run(f" {name}", Style(role, is_bold=True))]
    separator = f" {painter.glyphs.apart} "
    badges = [separator + badge for badge in badges_of(painter, seat)]
    room -= cells(name) + 2
    is_own = seat == painter.view.viewer and painter.texts.says_you
    count = _count_fitting(badges, room)
    has_room = cells(YOU) <= room and _count_fitting(badges, room - cells(YOU)) == count
    if is_own and has_room:
        runs.append(Run(YOU, Style("muted")))
    style = Style("muted", is_bold=spot in painter.legal)
    texts = [badge.removeprefix(separator) for badge in badges]
    for text in texts[:count]:
        runs += [Run(separator, Style("line")), Run(text, style)]
    return [*runs, Run(" ", Style("line"))], texts[count:]


def _count_fitting(texts: Sequence[str], room: int) -> int:
    """Return how many texts fit into a number of cells."""
    ends = accumulate(map(cells, texts))
    return sum(1 for _ in takewhile(lambda end: end <= room, ends))


def badges_of(painter: TablePainter, seat: int) -> list[str]:
    """Return the counters of a seat, its badges, and its text-only areas."""
    view = painter.view
    counters = [f"{c.caption} {c.value}" for c in view.counters if c.seat == seat]
    notes = [
        f"{area.caption} {area.note}".strip()
        for _, area in painter.areas("seat", seat)
        if area.note and not area.count
    ]
    return [painter.text(text) for text in (*counters, *view.players[seat].badges, *notes)]


# Blank columns between the cards of a trick, and the fewest if names stand before the cards.
APART, BETWEEN_NAMED = 4, 2


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
    """Draw the cards of a trick with names: on their borders, or if one is too long before them."""
    box, seats = painter.plan.box("fronts"), painter.others()
    width = painter.plan.shape.sizes.widths[painter.plan.sizes.front]
    before = _name_width(painter) if painter.plan.sizes.front is CardSize.S else 0
    names = [painter.text(_owner(painter, seat)) for seat in seats]
    longest = max(map(cells, names), default=0)
    # Two corners and the mark of a new card leave the other cells to a name.
    is_too_long = not before and longest > width - 3
    if is_too_long and len(seats) * (longest + 1 + width + BETWEEN_NAMED) <= box.width:
        before = longest + 1
    else:
        names = []
    step = min(before + width + APART, box.width // max(len(seats), 1))
    x = box.x + max(box.width - (len(seats) * step - (step - before - width)), 0) // 2
    for number, seat in enumerate(seats):
        place = Box(x + number * step, box.y, before + width, box.height)
        has_places = any(area.count or area.slots for _, area in painter.areas("front", seat))
        if names and has_places:
            name = names[number]
            at = place.x + before - 1 - cells(name)
            painter.canvas.write(at, box.y + box.height // 2, name, Style("muted"))
        if names:
            place = place._replace(x=place.x + before, width=width)
        _draw_front(painter, seat, place, "fronts", is_named=not names)


def _draw_front(
    painter: TablePainter, seat: int, box: Box, region: str, is_named: bool = True
) -> None:
    """Draw the cards of a seat; `is_named`: in a trick, the owner's name is on them."""
    owner = _owner(painter, seat) if is_named else ""
    cards = [
        placed._replace(owner=owner if seat != painter.view.own else "")
        for index, area in painter.areas("front", seat)
        for placed in placed_cards(index, area.cards)
    ]
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
        draw_outline(painter, outline, owner if number < slots else "")
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


def _owner(painter: TablePainter, seat: int) -> str:
    if not is_trick(painter):
        return ""
    is_own = seat == painter.view.viewer and painter.texts.says_you
    return "you" if is_own else painter.view.players[seat].name
