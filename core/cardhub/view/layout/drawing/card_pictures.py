"""Pictures on large cards: drawings as polygons and half-blocks, and the pips of a suit."""

import re
from cmath import phase, rect
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, cos, pi, radians, sin, sqrt, tan
from typing import NamedTuple

import msgspec

from cardhub.model.cards.cards import ArtElement
from cardhub.view.layout.canvas import Box, Style
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.text.glyphs import clip
from cardhub.view.view import CardFace

# A point; its imaginary part grows downwards.
Point = complex
Polygon = Sequence[Point]
# The numbers a to f of x' = ax + cy + e and y' = bx + dy + f.
Matrix = tuple[float, float, float, float, float, float]

UNCHANGED: Matrix = (1, 0, 0, 1, 0, 0)
# Lines that replace a curve, and those that replace a circle.
CURVE_LINES, CIRCLE_LINES = 8, 24
NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"
NUMBERS = re.compile(NUMBER)
# The flags of an arc may touch the number after them.
ARC = re.compile(
    rf"({NUMBER})[ ,]*" * 3 + r"([01])[ ,]*([01])[ ,]*" + rf"({NUMBER})[ ,]*({NUMBER})"
)
COMMANDS = re.compile(r"([A-Za-z])([^A-Za-z]*)")
FUNCTIONS = re.compile(r"(\w+)\(([^)]*)\)")
# The numbers that each command of a path takes at a time.
COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}
PAPER = "var(--ch-paper)"


class Outline(NamedTuple):
    """Polygons that are filled together; `is_hole`: with the colour of the paper."""

    polygons: Sequence[Polygon]
    is_even_odd: bool
    is_hole: bool


def outlines(
    element: ArtElement, matrix: Matrix = UNCHANGED, paint: Mapping[str, str] = {}
) -> Iterator[Outline]:
    """Yield the outlines of an element and of those in it, the lowest first."""
    given = element.attributes
    paint = {**paint, **given}
    matrix = _product(matrix, _transformation(given.get("transform", "")))
    lines = [[_moved(matrix, point) for point in line] for line in _lines(element)]
    if lines and paint.get("fill") != "none" and element.tag != "line":
        yield Outline(lines, paint.get("fill-rule") == "evenodd", paint.get("fill") == PAPER)
    if lines and paint.get("stroke", "none") != "none":
        a, b, c, d, _, _ = matrix
        width = float(paint.get("stroke-width", 1)) * sqrt(abs(a * d - b * c))
        is_hole = paint["stroke"] == PAPER
        yield from (Outline([bar], False, is_hole) for line in lines for bar in _bars(line, width))
    # These are not inherited.
    inherited = {key: value for key, value in paint.items() if key in _INHERITED}
    for child in element.children:
        yield from outlines(child, matrix, inherited)


_INHERITED = frozenset(("fill", "fill-rule", "stroke", "stroke-width"))


def _bars(line: Polygon, width: float) -> Iterator[Polygon]:
    """Yield a rectangle for each part of a line of some width."""
    for start, end in pairwise(line):
        if start != end:
            side = (end - start) / abs(end - start) * 1j * width / 2
            yield (start + side, end + side, end - side, start - side)


def _lines(element: ArtElement) -> list[list[Point]]:
    """Return the lines of a shape, in its own coordinates."""
    given = element.attributes

    def number(name: str) -> float:
        return float(given.get(name, 0))

    match element.tag:
        case "path":
            return _Path(given.get("d", "")).lines
        case "circle" | "ellipse":
            radii = complex(number("r") or number("rx"), number("r") or number("ry"))
            centre = complex(number("cx"), number("cy"))
            turns = (2 * pi * step / CIRCLE_LINES for step in range(CIRCLE_LINES + 1))
            return [[centre + complex(radii.real * cos(t), radii.imag * sin(t)) for t in turns]]
        case "rect":
            corner, width, height = (
                complex(number("x"), number("y")),
                number("width"),
                number("height"),
            )
            steps = (0, width, complex(width, height), complex(0, height), 0)
            return [[corner + step for step in steps]]
        case "line":
            return [[complex(number("x1"), number("y1")), complex(number("x2"), number("y2"))]]
        case "polyline" | "polygon":
            points = _points(list(map(float, NUMBERS.findall(given.get("points", "")))))
            return [points + points[:1] if element.tag == "polygon" else points]
    return []


def _points(numbers: Sequence[float]) -> list[Point]:
    return [complex(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=False)]


class _Path:
    """The lines of a path, which it draws command by command."""

    def __init__(self, commands: str) -> None:
        self.lines: list[list[Point]] = []
        self._at: Point = 0
        self._control: Point | None = None  # of the curve before, for the commands S and T
        for name, text in COMMANDS.findall(commands):
            if name in "Zz":
                self._close()
            else:
                self._follow(name, text)

    def _close(self) -> None:
        if self.lines:
            self._draw(self.lines[-1][0])
            self.lines.append([self._at])
        self._control = None

    def _follow(self, name: str, text: str) -> None:
        kind, count = name.upper(), COUNTS[name.upper()]
        numbers = (
            [float(number) for arc in ARC.findall(text) for number in arc]
            if kind == "A"
            else list(map(float, NUMBERS.findall(text)))
        )
        for first in range(0, len(numbers) - count + 1, count):
            part = numbers[first : first + count]
            start = self._at if name.islower() else 0
            if kind in "HV":
                along = complex(part[0], 0) if kind == "H" else complex(0, part[0])
                kept = complex(0, self._at.imag) if kind == "H" else complex(self._at.real, 0)
                self._draw(self._at + along if name.islower() else kept + along)
            elif kind == "A":
                self._arc(part, start + complex(*part[5:]))
            elif kind == "M" and not first:
                self._at = start + complex(*part)
                self.lines.append([self._at])
            else:
                self._curve(kind, [start + point for point in _points(part)])

    def _curve(self, kind: str, points: list[Point]) -> None:
        """Draw a line, or a curve with its control points; each ends at the last point."""
        end, before = points[-1], self._at
        mirrored = before if self._control is None else 2 * before - self._control
        self._control = None
        if kind in "ML":
            self._draw(end)
            return
        if kind in "CS":
            first, second = points[:2] if kind == "C" else (mirrored, points[0])
            self._control = second
        else:
            self._control = points[0] if kind == "Q" else mirrored
            first, second = (before + 2 * self._control) / 3, (end + 2 * self._control) / 3
        for step in range(1, CURVE_LINES + 1):
            t = step / CURVE_LINES
            s = 1 - t
            point = s**3 * before + 3 * s * s * t * first + 3 * s * t * t * second + t**3 * end
            self.lines[-1].append(point)
        self._at = end

    def _arc(self, numbers: Sequence[float], end: Point) -> None:
        """Draw a part of an ellipse: radii, rotation, and the flags for large and for clockwise."""
        self._control = None
        across, down, rotation, is_large, is_clockwise = numbers[:5]
        if self._at == end or not across or not down:
            self._draw(end)
            return
        turn = rect(1, radians(rotation))
        # The ellipse becomes a circle of radius 1, or of a radius at which it reaches both ends.
        first, last = (
            complex((point / turn).real / across, (point / turn).imag / down)
            for point in (self._at, end)
        )
        half = abs(last - first) / 2
        radius = max(half, 1)
        aside = (last - first) / (2 * half) * 1j * sqrt(max(radius * radius - half * half, 0))
        centre = (first + last) / 2 + (aside if is_large != is_clockwise else -aside)
        angle = phase((last - centre) / (first - centre))
        if is_clockwise and angle < 0:
            angle += 2 * pi
        elif not is_clockwise and angle > 0:
            angle -= 2 * pi
        steps = max(ceil(abs(angle) / (2 * pi) * CIRCLE_LINES), 1)
        for step in range(1, steps + 1):
            point = centre + (first - centre) * rect(1, angle * step / steps)
            self.lines[-1].append(complex(point.real * across, point.imag * down) * turn)
        self._at = end

    def _draw(self, end: Point) -> None:
        self.lines[-1].append(end)
        self._at = end


def _transformation(text: str) -> Matrix:
    matrix = UNCHANGED
    for name, arguments in FUNCTIONS.findall(text):
        numbers = tuple(map(float, NUMBERS.findall(arguments)))
        matrix = _product(matrix, _function(name, numbers))
    return matrix


def _function(name: str, numbers: Sequence[float]) -> Matrix:
    first, rest = numbers[0], numbers[1:]
    match name:
        case "translate":
            return (1, 0, 0, 1, first, rest[0] if rest else 0)
        case "scale":
            return (first, 0, 0, rest[0] if rest else first, 0, 0)
        case "rotate":
            turn = rect(1, radians(first))
            centre = complex(*rest) if rest else 0
            kept = centre - centre * turn
            return (turn.real, turn.imag, -turn.imag, turn.real, kept.real, kept.imag)
        case "skewX":
            return (1, 0, tan(radians(first)), 1, 0, 0)
        case "skewY":
            return (1, tan(radians(first)), 0, 1, 0, 0)
    a, b, c, d, e, f = numbers  # a matrix
    return (a, b, c, d, e, f)


def _product(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, _, _ = outer
    p, q, r, s, x, y = inner
    moved = _moved(outer, complex(x, y))
    return (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, moved.real, moved.imag)


def _moved(matrix: Matrix, point: Point) -> Point:
    a, b, c, d, e, f = matrix
    return complex(a * point.real + c * point.imag + e, b * point.real + d * point.imag + f)


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
    halves = HALVES if painter.glyphs.texts.has_frames else HALVES_IN_ASCII
    for y, row in enumerate(_pixels(source, room.width, room.height)):
        text = "".join(halves[number] for number in row)
        painter.canvas.write(room.x, room.y + y, text, style, max(min(seen, room.width), 0))
    return True


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
