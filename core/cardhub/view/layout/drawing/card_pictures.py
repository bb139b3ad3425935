"""Pictures on large cards: drawings as half-blocks, and the pips of a suit."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from cardhub.model.cards.cards import ArtElement
from cardhub.view.layout.canvas import Box, Style, TableGlyphs
from cardhub.view.layout.drawing.outlines import Outline, Polygon, outlines
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.text.glyphs import clip
from cardhub.view.view import CardFace

# Samples across and down for each half of a cell, and how many of them make it part of a drawing.
SAMPLES, PART = 3, 5
# Half of the drawings kept are of the cards at one table.
KEPT = 128
# The upper half of a cell, its lower half, and both, with frames and without.
HALVES, HALVES_IN_ASCII = " ▀▄█", " '.#"


def draw_art(
    painter: TablePainter, names: Sequence[str], room: Box, seen: int, style: Style
) -> bool:
    """Draw the drawings of a card in the middle of a box, cut to `seen` columns.

    Return whether the card has any.
    """
    drawings = [painter.catalogue.art[name] for name in names if name in painter.catalogue.art]
    if not drawings:
        return False
    source = msgspec.json.encode(drawings)
    halves = _halves(painter.glyphs)
    for y, row in enumerate(_pixels(source, room.width, room.height)):
        text = "".join(halves[number] for number in row)
        painter.canvas.write(room.x, room.y + y, text, style, max(min(seen, room.width), 0))
    return True


def _halves(glyphs: TableGlyphs) -> str:
    return HALVES if glyphs.texts.has_frames else HALVES_IN_ASCII


@lru_cache(KEPT)
def _pixels(source: bytes, columns: int, rows: int) -> tuple[bytes, ...]:
    """Return the cells of drawings, each an index of HALVES; `source`: the drawings as JSON."""
    drawings = msgspec.json.decode(source, type=tuple[ArtElement, ...])
    lines = [0] * (2 * rows * SAMPLES)
    for drawing in drawings:
        for outline in outlines(drawing):
            _fill(lines, outline, *_placed(drawing, columns, 2 * rows))
    halves = [
        [
            sum(
                (line >> x * SAMPLES & ~(-1 << SAMPLES)).bit_count()
                for line in lines[y * SAMPLES : (y + 1) * SAMPLES]
            )
            >= PART
            for x in range(columns)
        ]
        for y in range(2 * rows)
    ]
    pairs = zip(halves[::2], halves[1::2], strict=True)
    return tuple(
        bytes(above + 2 * below for above, below in zip(*pair, strict=True)) for pair in pairs
    )


def _placed(drawing: ArtElement, width: int, height: int) -> tuple[float, complex]:
    """Return the scale and the shift, in samples, of a drawing in the middle of a box."""
    x, y, across, down = map(float, drawing.attributes.get("viewBox", "0 0 24 24").split())
    scale = min(width / across, height / down)
    spare = complex(width - across * scale, height - down * scale) / 2
    return scale * SAMPLES, (spare - complex(x, y) * scale) * SAMPLES


def _fill(lines: list[int], outline: Outline, scale: float, shift: complex) -> None:
    """Set the samples inside an outline, or clear them; a line is a number of one bit a sample."""
    placed = [[point * scale + shift for point in polygon] for polygon in outline.polygons]
    for y in range(len(lines)):
        inside = 0
        for start, end in _spans(placed, y + 0.5, outline.is_even_odd):
            first, last = max(round(start), 0), max(round(end), 0)
            inside |= (1 << last) - (1 << first) if last > first else 0
        lines[y] = lines[y] & ~inside if outline.is_hole else lines[y] | inside


def _spans(polygons: Sequence[Polygon], y: float, is_even_odd: bool) -> list[tuple[float, float]]:
    """Return the parts of a line that lie inside polygons, from left to right."""
    crossings = []
    for polygon in polygons:
        for a, b in pairwise((*polygon, polygon[0])):
            if (a.imag <= y) != (b.imag <= y):
                x = a.real + (b.real - a.real) * (y - a.imag) / (b.imag - a.imag)
                crossings.append((x, 1 if a.imag <= y else -1))
    crossings.sort()
    spans, winding = [], 0
    for (x, turn), (end, _) in pairwise(crossings):
        winding += turn
        if winding % 2 if is_even_odd else winding:
            spans.append((x, end))
    return spans


# The pips of a number card, as on a French card: the rows of seven in the columns at both sides,
# and those in the middle.
SIDES = {
    4: (0, 6),
    5: (0, 6),
    6: (0, 3, 6),
    7: (0, 3, 6),
    8: (0, 3, 6),
    9: (0, 2, 4, 6),
    10: (0, 2, 4, 6),
}
MIDDLES = {1: (3,), 2: (0, 6), 3: (0, 3, 6), 5: (3,), 7: (1,), 8: (1, 5), 9: (3,), 10: (1, 5)}
PIP_ROWS, MOST_PIPS = 7, 10
ACE = "A"


def draw_pips(painter: TablePainter, face: CardFace, room: Box, seen: int, style: Style) -> bool:
    """Draw the pips of a card of a suit, or a court card's letter; return whether it is one."""
    suit = next((glyph for glyph in painter.catalogue.ascii if glyph in face.short), "")
    if not suit:
        return False
    rank, pip = face.short.replace(suit, ""), clip(painter.text(suit), 1)
    number = 1 if rank == ACE else int(rank) if rank.isdecimal() else 0
    side = room.width // 4
    if 1 <= number <= MOST_PIPS:
        places = [(x, y) for y in SIDES.get(number, ()) for x in (side, room.width - 1 - side)]
        places += [(room.width // 2, y) for y in MIDDLES.get(number, ())]
        marks = [(x, y, pip) for x, y in places]
    else:
        marks = [(room.width // 2, y, text) for y, text in ((1, pip), (3, rank), (5, pip))]
    for x, row, text in marks:
        y = round(row * (room.height - 1) / (PIP_ROWS - 1))
        painter.canvas.write(room.x + x, room.y + y, text, style, max(seen - x, 0))
    return True
