"""Cards: rows of text, strips of backs, and bordered cards with their texts and styles."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from cardhub.view.layout.canvas import NO_BORDER, Border, Box, Role, Style, cut_lines
from cardhub.view.layout.drawing.card_pictures import draw_art, draw_pips
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.shape import CardSize
from cardhub.view.text.glyphs import cells, clip, wrapped
from cardhub.view.view import CardFace, CardView, Spot

OUTLINE, BOLD = Style("outline"), Style(is_bold=True)
# Rows of a title in L and larger cards, and of the text below a picture.
TITLE_ROWS, TEXT_ROWS = 2, 5
# The fewest rows in which a picture can be recognized.
LEAST_PICTURE = 4


class CardLook(NamedTuple):
    """A card at a place of the canvas.

    `box`: the whole card; `owner`: the name on its upper border; `is_covered`: the next card hides
    its right side, so that only `visible` columns are seen.
    """

    card: CardView
    spot: Spot
    box: Box
    size: CardSize
    owner: str = ""
    is_covered: bool = False
    visible: int = 0


def small_text(painter: TablePainter, card: CardView) -> str:
    """Return a one-row card as text: its short name, or its back's letter."""
    if card.face is None:
        return painter.text(painter.catalogue.backs[card.back].letter)
    face = painter.catalogue.faces[card.face]
    is_named = painter.plan.shape.sizes.is_named
    # A name alone does not show the card's value.
    with_corner = is_named and face.corner not in ("", face.short)
    return painter.text(f"{face.corner}·{face.short}" if with_corner else face.short)


def small_style(painter: TablePainter, card: CardView, spot: Spot) -> Style:
    """Return the style of a one-row card."""
    is_faint = painter.is_faint(spot)
    role: Role = "back" if card.face is None else "card"
    is_bold = not is_faint and card.face is not None
    is_heavy = painter.is_heavy(spot) or bool(painter.hint_number(spot))
    return Style(role, painter.colour(card), is_bold, is_faint, is_heavy)


def draw_outline(painter: TablePainter, box: Box, text: str = "") -> None:
    """Draw the place of an expected card."""
    _border(painter, box, painter.glyphs.light, OUTLINE)
    if text:
        _middle(painter, box, box.height // 2, painter.text(text), OUTLINE)


def draw_card(painter: TablePainter, look: CardLook) -> None:
    """Draw a card with a border: M, L or XL."""
    card, box = look.card, look.box
    style = _frame_style(painter, look)
    _border(painter, box, _border_of(painter, style), style)
    if card.face is None:
        _back(painter, look)
    else:
        _INSIDES[look.size](painter, look, painter.catalogue.faces[card.face])
    _upper(painter, look)
    _lower(painter, look)
    if card.is_new:
        painter.canvas.write(box.x + box.width - 2, box.y, painter.glyphs.new, Style("accent"))
    if number := painter.hint_number(look.spot):
        # In the corner, which no text of a card uses and the next card does not cover.
        painter.canvas.write(box.x, box.y, number, Style("turn", is_bold=True))


def draw_strip(painter: TablePainter, look: CardLook, text: str, *, is_number: bool) -> None:
    """Draw the upper border of a covered card, with a text in it; a back has its pattern there.

    `is_number`: the text is the number of cards that share the row.
    """
    card, box = look.card, look.box
    style = _frame_style(painter, look)
    border, canvas, inside = _border_of(painter, style), painter.canvas, box.width - 2
    line = border.line if card.face is not None else painter.glyphs.back
    canvas.write(box.x, box.y, border.upper_left + line * inside + border.upper_right, style)
    mark = "" if is_number else card.mark
    shown = clip(painter.text(f"{text} {mark}".strip()), inside, painter.glyphs.more)
    is_centred = card.face is None or is_number
    if is_centred:
        shown = clip(f" {shown} ", inside)
    at = (inside - cells(shown)) // 2 if is_centred else 0
    canvas.write(box.x + 1 + at, box.y, shown, _text_style(painter, look))
    if card.is_new:
        canvas.write(box.x + box.width - 2, box.y, painter.glyphs.new, Style("accent"))
    if number := painter.hint_number(look.spot):
        canvas.write(box.x, box.y, number, Style("turn", is_bold=True))


def _frame_style(painter: TablePainter, look: CardLook) -> Style:
    if look.spot == painter.marked:
        return Style("accent", is_bold=True, is_heavy=True)
    is_heavy = look.spot in painter.companions
    is_faint = painter.is_faint(look.spot) and not is_heavy
    return Style("frame", painter.colour(look.card), is_heavy, is_faint, is_heavy)


def _border_of(painter: TablePainter, style: Style) -> Border:
    if style.is_heavy:
        return painter.glyphs.heavy
    # Without colours, a faint border would look like a normal one.
    return NO_BORDER if style.is_faint and painter.glyphs.has_brackets else painter.glyphs.light


def _border(painter: TablePainter, box: Box, border: Border, style: Style) -> None:
    canvas, inside = painter.canvas, box.width - 2
    middle = border.side + " " * inside + border.side
    canvas.write(box.x, box.y, border.upper_left + border.line * inside + border.upper_right, style)
    for y in range(box.y + 1, box.y + box.height - 1):
        canvas.write(box.x, y, middle, style)
    lower = border.lower_left + border.line * inside + border.lower_right
    canvas.write(box.x, box.y + box.height - 1, lower, style)


def _text_style(painter: TablePainter, look: CardLook, is_bold: bool = True) -> Style:
    is_faint = painter.is_faint(look.spot)
    return Style("card", painter.colour(look.card), is_bold and not is_faint, is_faint)


def _back(painter: TablePainter, look: CardLook) -> None:
    box, canvas = look.box, painter.canvas
    style = Style("frame", painter.colour(look.card), is_faint=painter.is_faint(look.spot))
    inner = Box(box.x + 1, box.y + 1, box.width - 2, box.height - 2)
    canvas.fill(inner, style, painter.glyphs.back)
    back = painter.catalogue.backs[look.card.back]
    name = painter.text(back.short)
    if not 0 < cells(name) <= inner.width:
        name = painter.text(back.unknown)
    _middle(painter, box, box.height // 2, name, _text_style(painter, look))


def _medium(painter: TablePainter, look: CardLook, face: CardFace) -> None:
    _middle(painter, look.box, 1, painter.text(face.short), _text_style(painter, look))


def _large(painter: TablePainter, look: CardLook, face: CardFace) -> None:
    box, style = look.box, _text_style(painter, look)
    inside = box.width - 2
    corner = clip(painter.text(_corner(painter, face)), inside)
    painter.canvas.write(box.x + 1, box.y + 1, corner, style)
    if painter.plan.shape.sizes.is_named:
        _title(painter, look, face, _text_style(painter, look, is_bold=False))
    elif not look.is_covered:
        x = box.x + 1 + inside - cells(corner)
        painter.canvas.write(x, box.y + box.height - 2, corner, style)


def _corner(painter: TablePainter, face: CardFace) -> str:
    """Return the text in the corners of L and XL: a named card's value, or the short name."""
    return (face.corner or face.short) if painter.plan.shape.sizes.is_named else face.short


def _largest(painter: TablePainter, look: CardLook, face: CardFace) -> None:
    box, style = look.box, _text_style(painter, look)
    inside = box.width - 2
    corner = painter.text(_corner(painter, face))
    painter.canvas.write(box.x + 1, box.y + 1, corner, style, inside)
    used = 1 + _title(painter, look, face, style)
    rows = box.height - 2 - used - bool(look.card.mark and look.card.foot)
    lines = wrapped(painter.text(face.text), inside) if face.text else []
    muted = Style("muted", is_faint=style.is_faint)
    for number, line in enumerate(cut_lines(lines, rows, inside, painter.glyphs.more)):
        painter.canvas.write(box.x + 1, box.y + 1 + used + number, line, muted)


def _pictured(painter: TablePainter, look: CardLook, face: CardFace) -> None:
    """Write the corners and the picture, and below it the title and the text of a named card."""
    box, style = look.box, _text_style(painter, look)
    sizes = painter.plan.shape.sizes
    inside = sizes.widths[look.size] - 2
    seen = look.visible - 1 if look.is_covered else inside
    lines = _title_and_text(painter, face, seen, style) if sizes.is_named else []
    below = len(lines) + bool(look.card.mark and look.card.foot)
    # A named card has its value beside the picture, another one above it.
    top = box.y + 1 + (not sizes.is_named)
    height = min(box.y + box.height - 1 - below - top, inside // 2)
    room = Box(box.x + 1, top, inside, height)
    plain = _text_style(painter, look, is_bold=False)
    has_picture = room.height >= LEAST_PICTURE and draw_art(painter, face.art, room, seen, plain)
    # The rows of the corners stay free of pips.
    pips = Box(box.x + 1, box.y + 2, inside, box.height - 4)
    if not has_picture and not draw_pips(painter, face, pips, seen, style):
        lines = _title_and_text(painter, face, seen, style)
        above = 1 if face.text or sizes.is_named else (box.height - 2 - len(lines)) // 2
        room = Box(room.x, box.y + 1, inside, above)
    for number, (line, line_style) in enumerate(lines[: box.height - 3]):
        x = box.x + 1 + (seen - cells(line)) // 2 * (line_style == style)
        painter.canvas.write(x, room.y + room.height + number, line, line_style, seen)
    corner = painter.text(_corner(painter, face))
    painter.canvas.write(box.x + 1, box.y + 1, corner, style, box.width - 2)
    if not sizes.is_named and not look.is_covered:
        x = box.x + 1 + inside - cells(corner)
        painter.canvas.write(x, box.y + box.height - 2, corner, style)


def _title_and_text(
    painter: TablePainter, face: CardFace, width: int, style: Style
) -> list[tuple[str, Style]]:
    """Return the lines of a card's title and of its text, each with its style."""
    muted = Style("muted", is_faint=style.is_faint)
    title = cut_lines(
        wrapped(painter.text(face.title), width), TITLE_ROWS, width, painter.glyphs.more
    )
    text = wrapped(painter.text(face.text), width) if face.text else []
    text = cut_lines(text, TEXT_ROWS, width, painter.glyphs.more)
    return [*((line, style) for line in title), *((line, muted) for line in text)]


def _title(painter: TablePainter, look: CardLook, face: CardFace, style: Style) -> int:
    """Write the title in the middle of its rows; return the number of rows."""
    inside = look.box.width - 2
    lines = wrapped(painter.text(face.title), inside)
    lines = cut_lines(lines, TITLE_ROWS, inside, painter.glyphs.more)
    for number, line in enumerate(lines):
        _middle(painter, look.box, 2 + number, line, style)
    return len(lines)


def _middle(painter: TablePainter, box: Box, row: int, text: str, style: Style) -> None:
    """Write text in the middle of a row inside a card."""
    inside = box.width - 2
    shown = clip(text, inside, painter.glyphs.more)
    x = box.x + 1 + (inside - cells(shown)) // 2
    painter.canvas.write(x, box.y + row, shown, style)


def _upper(painter: TablePainter, look: CardLook) -> None:
    """Write the value of a named card in size M, and the owner or the head."""
    card, box = look.card, look.box
    start = box.x + 1
    sizes = painter.plan.shape.sizes
    if look.size is CardSize.M and sizes.is_named and card.face is not None:
        face = painter.catalogue.faces[card.face]
        # A corner that repeats the name would stand right above it.
        corner = painter.text(face.corner if face.corner != face.short else "")
        start = painter.canvas.write(start, box.y, corner, _text_style(painter, look))
    head = painter.text(card.head or look.owner)
    copies = painter.text(f"×{card.copies}") if card.copies > 1 else ""
    # The mark of a new card takes the last cell before the corner.
    end = box.x + min(look.visible or box.width, box.width) - 1 - card.is_new - cells(copies)
    painter.canvas.write(end, box.y, copies, BOLD)
    room = end - start
    if head and start > box.x + 1:
        painter.canvas.write(start, box.y, f" {head}", BOLD, room)
    elif head:
        _on_border(painter, Box(start, box.y, room, 1), head, BOLD)


def _lower(painter: TablePainter, look: CardLook) -> None:
    """Write the foot, the mark or the detail; with a foot, the mark goes into the row above."""
    card, box = look.card, look.box
    detail = "" if card.face is None else painter.catalogue.faces[card.face].detail
    text = painter.text(card.foot or card.mark or detail)
    y = box.y + box.height - 1
    if text:
        is_faint = painter.is_faint(look.spot)
        is_of_game = bool(card.foot or card.mark)
        # A detail belongs to the card and has its colour; a foot or mark belongs to the game.
        style = Style(is_bold=not is_faint) if is_of_game else _text_style(painter, look, False)
        is_overlapped = look.is_covered and look.size >= CardSize.XXL
        room = (look.visible if is_overlapped else box.width - 1) - 1
        _on_border(painter, Box(box.x + 1, y, room, 1), text, style)
    if card.mark and card.foot and look.size > CardSize.M:
        mark = clip(painter.text(card.mark), box.width - 2)
        _middle(painter, box, box.height - 2, mark, Style("text", is_bold=True))


def _on_border(painter: TablePainter, room: Box, text: str, style: Style) -> None:
    shown = f" {text} " if cells(text) + 2 <= room.width else clip(text, room.width)
    x = room.x + (room.width - cells(shown)) // 2
    painter.canvas.write(x, room.y, shown, style)


_INSIDES = {
    CardSize.M: _medium,
    CardSize.L: _large,
    CardSize.XL: _largest,
    CardSize.XXL: _pictured,
    CardSize.XXXL: _pictured,
}


# The most cells of a back in a strip.
WIDEST_BACK = 3
# The least cells of a card with its gap whose name is cut.
LEAST_WIDTH = 8


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

    Each back takes `back` cells. If the cards do not fit, the gaps between names are narrower,
    and then long names are cut. If that is not enough, the first cards are drawn, or with
    `from_end` the last ones, and always the card under the cursor; the others get stops without
    width.
    """
    items = _shortened([_item(painter, card, back) for card in cards], box.width)
    # A blank separates the last back of a strip from the next face.
    for number, (item, after) in enumerate(pairwise(items)):
        if item.placed.card.face is None and after.placed.card.face is not None:
            items[number] = item._replace(width=item.width + 1)
    at = next((n for n, card in enumerate(cards) if card.spot == painter.cursor), None)
    first, last = window([item.width for item in items], box.width, from_end, at)
    more = painter.glyphs.more
    x = box.x
    brackets: list[tuple[int, str]] = []
    if first:
        x = painter.canvas.write(x, box.y, more, Style("muted"))
    for number, item in enumerate(items):
        if first <= number < last:
            end = _small(painter, item, Box(x, box.y, box.x + box.width - x, 1), region)
            if item.placed.card.face is not None and painter.is_heavy(item.placed.spot):
                brackets += [(x - 1, "["), (end, "]")]
            x += item.width
        else:
            edge = box.x if number < first else min(x, box.x + box.width)
            painter.stop(item.placed.spot, Box(edge, box.y, 0, 0), region)
    for at_x, bracket in brackets:  # over the mark of the next card
        painter.canvas.write(at_x, box.y, bracket, Style("accent", is_bold=True))
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

    If the box has a spare row, the card under the cursor is raised. Of a raised card that others
    overlap, the visible part gets a right side of its own, which does not hide the next value.
    """
    width, height = painter.plan.shape.sizes.widths[size], painter.plan.shape.sizes.heights[size]
    y = box.y + box.height - height
    raised: CardLook | None = None
    for number, placed in enumerate(cards):
        place = Box(box.x + number * step, y, width, height)
        is_covered = step < width and number < len(cards) - 1
        visible = step if is_covered else width
        painter.stop(placed.spot, Box(place.x, y, visible, height), region)
        look = CardLook(placed.card, placed.spot, place, size, placed.owner, is_covered, visible)
        if placed.spot == painter.marked and box.height > height:
            # The right side replaces the left side of the next card.
            raised = look._replace(box=Box(place.x, y - 1, visible + is_covered, height))
        else:
            draw_card(painter, look)
    if raised is not None:
        draw_card(painter, raised)


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
    copies = painter.text(f"{placed.card.copies}×") if placed.card.copies > 1 else ""
    if placed.card.face is None:
        shown = f" {text} " if back == WIDEST_BACK else text + " " * (back - cells(text))
        shown = f"{copies}{text} " if copies else shown
        shown += painter.text(f" {placed.card.mark} ") if placed.card.mark else ""
        return _Item(placed, shown, cells(shown))
    text = copies + text + (painter.text(f" {placed.card.mark}") if placed.card.mark else "")
    sizes = painter.plan.shape.sizes
    width = cells(text) if sizes.is_named else max(cells(text), sizes.widths[CardSize.S])
    return _Item(placed, text, width + 1 + sizes.is_named)


def _shortened(items: list[_Item], room: int) -> list[_Item]:
    """Return the cards with narrow gaps or the ends of the longest names cut, if they fit then."""

    def width_of(item: _Item, most: int) -> int:
        return item.width if item.placed.card.face is None else min(item.width, most)

    if sum(item.width for item in items) <= room + 1:
        return items
    # The brackets of two cards then share a cell.
    narrow = [item._replace(width=min(item.width, cells(item.text) + 1)) for item in items]
    for most in range(max((item.width for item in narrow), default=0), LEAST_WIDTH - 1, -1):
        if sum(width_of(item, most) for item in narrow) <= room:
            cuts = [item.width - width_of(item, most) for item in narrow]
            return [
                item._replace(text=clip(item.text, cells(item.text) - cut), width=item.width - cut)
                if cut
                else item
                for item, cut in zip(narrow, cuts, strict=True)
            ]
    return items


def _small(painter: TablePainter, item: _Item, room: Box, region: str) -> int:
    """Draw a card as text with its mark, and return the column after the text."""
    placed, canvas, x, y = item.placed, painter.canvas, room.x, room.y
    style = small_style(painter, placed.card, placed.spot)
    end = canvas.write(x, y, item.text, style, max(room.width, 0))
    painter.stop(placed.spot, Box(x, y, end - x, 1), region)
    if placed.card.face is None:
        return end
    if painter.marks_legal(placed.spot):
        canvas.write(x - 1, y, painter.glyphs.to_act, Style("accent"))
    elif placed.card.is_new:
        canvas.write(x - 1, y, painter.glyphs.new, Style("accent"))
    return end
