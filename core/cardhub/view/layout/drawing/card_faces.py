"""Texts and styles of single cards, and the drawing of one card with a border."""

from typing import NamedTuple

from cardhub.view.layout.canvas import NO_BORDER, Border, Box, Role, Style, cut_lines
from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.text.glyphs import cells, clip, wrapped
from cardhub.view.view import CardFace, CardView, Spot

OUTLINE, BOLD = Style("outline"), Style(is_bold=True)
# Rows of a title in L and XL.
TITLE_ROWS = 2


class CardLook(NamedTuple):
    """A card at a place of the canvas.

    `box`: the whole card; `owner`: the name on its upper border; `is_covered`: the next card hides
    its right side.
    """

    card: CardView
    spot: Spot
    box: Box
    size: CardSize
    owner: str = ""
    is_covered: bool = False


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
    return Style(role, painter.colour(card), is_bold, is_faint, painter.is_heavy(spot))


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
        painter.canvas.write(box.x + box.width - 1, box.y, painter.glyphs.new, Style("accent"))


def _frame_style(painter: TablePainter, look: CardLook) -> Style:
    if look.spot == painter.cursor:
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
    letter = painter.text(painter.catalogue.backs[look.card.back].unknown)
    _middle(painter, box, box.height // 2, letter, _text_style(painter, look))


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
        corner = painter.text(painter.catalogue.faces[card.face].corner)
        start = painter.canvas.write(start, box.y, corner, _text_style(painter, look))
    head = painter.text(card.head or look.owner)
    if head and start > box.x + 1:
        painter.canvas.write(start, box.y, f" {head}", BOLD, box.x + box.width - 1 - start)
    elif head:
        # A name that is too long also covers the corner.
        start -= cells(head) > box.width - 2
        _on_border(painter, Box(start, box.y, box.x + box.width - 1 - start, 1), head, BOLD)


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
        _on_border(painter, Box(box.x + 1, y, box.width - 2, 1), text, style)
    if card.mark and card.foot and look.size > CardSize.M:
        mark = clip(painter.text(card.mark), box.width - 2)
        _middle(painter, box, box.height - 2, mark, Style("text", is_bold=True))


def _on_border(painter: TablePainter, room: Box, text: str, style: Style) -> None:
    shown = f" {text} " if cells(text) + 2 <= room.width else clip(text, room.width)
    x = room.x + (room.width - cells(shown)) // 2
    painter.canvas.write(x, room.y, shown, style)


_INSIDES = {CardSize.M: _medium, CardSize.L: _large, CardSize.XL: _largest}
