"""Drawings of cards: which cards show them, and the SVG files of few elements they come from."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.yamlfile import (
    NAME,
    Diagnostics,
    Entries,
    MappingNode,
    Node,
    ScalarNode,
    Section,
    SequenceNode,
    StringType,
    quote,
    read_bytes,
    read_value,
)
from cardhub.base.yamlfile.schema import is_name
from cardhub.model.cards.cards import COLOURS, ArtElement, Back, Card

# Names of a theme's colours: the colours of cards, and others.
THEME_COLOURS = (*COLOURS, "text", "muted", "line", "accent", "paper", "raised")
_NUMBER = r"-?(?:\d{1,4}(?:\.\d{0,4})?|\.\d{1,4})"
_FUNCTION = rf"(?:translate|rotate|scale|matrix|skewX|skewY)\((?:[ ,]*{_NUMBER})+ *\)"


def _matching(description: str, pattern: str) -> StringType:
    compiled = re.compile(pattern, re.ASCII)
    return StringType(description, lambda text: compiled.fullmatch(text) is not None)


NUMBER = _matching("a number such as 1.5", _NUMBER)
COLOUR = _matching(
    f"none, currentColor, #rgb, #rrggbb or var(--ch-NAME) with NAME {', '.join(THEME_COLOURS)}",
    r"none|currentColor|#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}"
    rf"|var\(--ch-(?:{'|'.join(THEME_COLOURS)})\)",
)
_PAINT: dict[str, StringType] = {
    "fill": COLOUR,
    "fill-rule": _matching("evenodd or nonzero", "evenodd|nonzero"),
    "opacity": _matching("a number from 0 to 1", r"1|0|0?\.\d{1,4}"),
    "stroke": COLOUR,
    "stroke-linecap": _matching("butt, round or square", "butt|round|square"),
    "stroke-linejoin": _matching("miter, round or bevel", "miter|round|bevel"),
    "stroke-width": NUMBER,
    "transform": _matching(
        "functions such as 'translate(2 3) rotate(45)'", rf"{_FUNCTION}(?:[ ,]*{_FUNCTION})*"
    ),
}
_POINTS = _matching("numbers separated by blanks or commas", rf"{_NUMBER}(?:[ ,]+{_NUMBER})+")
_BOX = _matching("four numbers such as '0 0 24 24'", rf"{_NUMBER}(?: {_NUMBER}){{3}}")
_PATH = _matching("a path of commands and numbers", r"[Mm][MmZzLlHhVvCcSsQqTtAa0-9+\-., ]*")


def _numbers(*names: str) -> dict[str, StringType]:
    return dict.fromkeys(names, NUMBER) | _PAINT


# The allowed elements of drawings, each with its allowed attributes.
ATTRIBUTES: Mapping[str, Mapping[str, StringType]] = {
    "svg": {"viewBox": _BOX} | _PAINT,
    "g": _PAINT,
    "path": {"d": _PATH} | _PAINT,
    "circle": _numbers("cx", "cy", "r"),
    "ellipse": _numbers("cx", "cy", "rx", "ry"),
    "rect": _numbers("x", "y", "width", "height", "rx", "ry"),
    "line": _numbers("x1", "y1", "x2", "y2"),
    "polyline": {"points": _POINTS} | _PAINT,
    "polygon": {"points": _POINTS} | _PAINT,
}


# Limits of one drawing: pages and messages carry all drawings of a game.
MAX_BYTES = 6_000
MAX_ELEMENTS = 150
MAX_DEPTH = 8

NAMESPACE = "http://www.w3.org/2000/svg"
# Ignored, because the place on the card decides the size of a drawing.
_SIZES = ("width", "height")
_REMEDY = "fix: use the elements of docs/card-file.md only"


def read_svg(path: Path, diagnostics: Diagnostics) -> ArtElement | None:
    """Return the drawing of an SVG file, or None after reporting why there is none."""
    remedy = "fix: use fewer points, and numbers with one digit after the point"
    data = read_bytes(path, MAX_BYTES, diagnostics, remedy)
    return None if data is None else _SvgReader(data, diagnostics).drawing()


class _RefusedError(Exception):
    """The file has a construct after which it is not read further."""


class _Open:
    """An element whose end has not been read; `children` are the elements read inside it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[ArtElement] = []


class _SvgReader:
    """Reads one file; expat resolves no entity, as any document type is refused before it."""

    def __init__(self, data: bytes, diagnostics: Diagnostics) -> None:
        self._data = data
        self._diagnostics = diagnostics
        self._is_valid = True
        self._count = 0
        self._open: list[_Open] = []
        self._drawing: ArtElement | None = None
        self._parser = expat.ParserCreate("utf-8")
        self._parser.ordered_attributes = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = lambda *_: self._refuse(
            "a document type is not allowed. fix: delete the line <!DOCTYPE …>"
        )
        self._parser.ProcessingInstructionHandler = lambda target, _: self._refuse(
            f"the instruction {quote('?' + target)} is not allowed. {_REMEDY}"
        )

    def drawing(self) -> ArtElement | None:
        """Return the drawing, or None after reporting problems."""
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            node = Node(error.lineno, error.offset + 1)
            self._problem(f"invalid XML: {expat.errors.messages[error.code]}", node)
        except _RefusedError:
            pass
        return self._drawing if self._is_valid else None

    def _start(self, tag: str, listed: list[str]) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS:
            self._refuse(f"more than {MAX_ELEMENTS} elements")
        if len(self._open) >= MAX_DEPTH:
            self._refuse(f"nested deeper than {MAX_DEPTH} levels")
        if (tag == "svg") == bool(self._open):
            wanted = "an svg inside another one" if self._open else f"<{tag}> outside of <svg>"
            self._refuse(f"{wanted} is not allowed")
        if tag not in ATTRIBUTES:
            hint = did_you_mean(tag[:50], ATTRIBUTES) or f" Known: {', '.join(ATTRIBUTES)}."
            self._refuse(f"the element {quote(tag)} is not allowed.{hint}")
        attributes = dict(zip(listed[::2], listed[1::2], strict=True))
        self._open.append(_Open(tag, self._attributes(tag, attributes)))

    def _attributes(self, tag: str, given: dict[str, str]) -> dict[str, str]:
        """Return the valid attributes of an element, without those that only an editor needs."""
        kinds, valid = ATTRIBUTES[tag], {}
        for name, text in given.items():
            value = " ".join(text.split())
            if tag == "svg" and ((name, value) == ("xmlns", NAMESPACE) or name in _SIZES):
                continue
            if name not in kinds:
                hint = did_you_mean(name[:50], kinds) or f" Known: {', '.join(kinds)}."
                self._problem(f"{tag} has no attribute {quote(name)}.{hint}", self._at(name))
            elif not kinds[name].accepts(value):
                problem = f"{name} must be {kinds[name].description}, not {quote(value)}"
                self._problem(problem, self._at(name))
            valid[name] = value
        if tag == "svg" and "viewBox" not in given:
            self._problem("missing attribute viewBox. fix: add viewBox='0 0 24 24'")
        return valid

    def _end(self, tag: str) -> None:
        closed = self._open.pop()
        element = ArtElement(closed.tag, closed.attributes, tuple(closed.children))
        if element.children and tag not in ("svg", "g"):
            self._problem(f"elements inside {tag} are not allowed; only svg and g have some")
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._drawing = element

    def _text(self, text: str) -> None:
        if text.strip():
            self._refuse(f"text is not allowed: {quote(text.strip())}")

    def _at(self, name: str) -> Node:
        """Return the position of an attribute of the element that begins here."""
        begin = self._parser.CurrentByteIndex
        rest = self._data[begin:]
        match = re.search(rb"\s" + re.escape(name.encode()) + rb"\s*=", rest)
        before = self._data[: begin + (match.start() + 1 if match else 0)]
        lines = before.decode("utf-8", "replace").split("\n")
        return Node(len(lines), len(lines[-1]) + 1)

    def _refuse(self, message: str) -> NoReturn:
        self._problem(message)
        raise _RefusedError

    def _problem(self, message: str, node: Node | None = None) -> None:
        self._is_valid = False
        here = Node(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)
        self._diagnostics.add(node or here, message)


# Limits: a catalogue has all drawings of its game, and a card shows only a few.
MAX_DRAWINGS = 100
MAX_LAYERS = 4
FOLDER = "art"


ART = Entries("a mapping of drawings", is_filled=True)
DRAWINGS = StringType(
    f"names of up to {MAX_LAYERS} drawings, separated by blanks",
    lambda text: 0 < len(text.split()) <= MAX_LAYERS and all(map(is_name, text.split())),
)


class ArtReader:
    """Reads the section `art` of a card file, the cards' own drawings, and the drawings' files.

    The section has by drawing the fields of the cards that show it: `dragon: {back: white}`, or
    several values of a field: `crown: {value: [13, 14, 15]}`.
    """

    def __init__(self, file: Path, section: Section) -> None:
        self._folder = file.parent / FOLDER
        self._diagnostics = section.problems
        self._uses: dict[str, Node] = {}
        self._section = section.values.get("art", {})
        for name, (key, _) in self._section.items():
            read_value("a drawing", key, NAME, section.problems)
            self._uses[name] = key

    def use(self, row: Section) -> tuple[str, ...]:
        """Return the drawings that a card or a back names, and remember the place of each name."""
        names = tuple(row.values.get("art", "").split())
        for name in names:
            self._uses.setdefault(name, row.node("art"))
        return names

    def layers(self, cards: Sequence[Card], backs: Sequence[Back]) -> list[tuple[str, ...]]:
        """Return the drawings of each card: the section's in their order, then its own."""
        values = [values_of(card, backs) for card in cards]
        shown = {name: self._shown(node, values) for name, (_, node) in self._section.items()}
        layers = [
            tuple(dict.fromkeys((*(n for n in shown if number in shown[n]), *card.art)))
            for number, card in enumerate(cards)
        ]
        for card, names in zip(cards, layers, strict=True):
            if len(names) > MAX_LAYERS:
                node = self._uses[names[MAX_LAYERS]]
                problem = f"card {quote(card.name)} shows {len(names)} drawings"
                self._diagnostics.add(node, f"{problem}; at most {MAX_LAYERS} are allowed")
        return layers

    def _shown(self, node: Node, cards: Sequence[Mapping[str, str]]) -> set[int]:
        """Return the indices of the cards that have one of the given values in all fields."""
        if not isinstance(node, MappingNode) or not node.entries:
            self._diagnostics.expected(node, "fields of cards, such as {back: red}")
            return set()
        shown, is_valid = set(range(len(cards))), True
        for key, (place, value) in node.entries.items():
            if cards and key not in cards[0]:
                known = f" Known: {', '.join(cards[0])}."
                hint = did_you_mean(key[:50], cards[0]) or known
                self._diagnostics.add(place, f"cards have no field {quote(key)}.{hint}")
                is_valid = False
            else:
                column = [card[key] for card in cards]
                wanted = set(self._wanted(key, value, column))
                shown &= {number for number, text in enumerate(column) if text in wanted}
                is_valid &= bool(wanted)
        if cards and is_valid and not shown:
            self._diagnostics.add(node, "no card has all of these values")
        return shown

    def _wanted(self, key: str, value: Node, known: Collection[str]) -> Iterator[str]:
        for node in value.nodes if isinstance(value, SequenceNode) else [value]:
            if not isinstance(node, ScalarNode):
                self._diagnostics.expected(node, f"a value of the field {key}, or a list of values")
            elif node.value in known:
                yield node.value
            elif known:
                hint = did_you_mean(node.value[:50], known)
                problem = f"no card has the {key} {quote(node.value)}"
                self._diagnostics.add(node, f"{problem}.{hint}" if hint else problem)

    def drawings(self) -> dict[str, ArtElement]:
        """Return the drawings that cards show, by name; reports files that none shows."""
        if not self._uses:
            return {}
        present = self._present()
        for node in list(self._uses.values())[MAX_DRAWINGS : MAX_DRAWINGS + 1]:
            self._diagnostics.add(node, f"too many drawings: at most {MAX_DRAWINGS} are allowed")
        read: dict[str, ArtElement] = {}
        for name, node in list(self._uses.items())[:MAX_DRAWINGS]:
            if name not in present:
                hint = did_you_mean(name[:50], present)
                problem = f"there is no drawing {quote(name)}: no file {FOLDER}/{name}.svg"
                self._diagnostics.add(node, f"{problem}.{hint}" if hint else problem)
            elif drawing := read_svg(self._folder / f"{name}.svg", self._file(name)):
                read[name] = drawing
        for name in sorted(present - self._uses.keys()):
            unused = "no card shows this drawing. fix: name it in the card file, or delete it"
            self._file(name).add(Node(1, 1), unused)
        return read

    def _present(self) -> set[str]:
        """Return the names of files; names are compared exactly, as not all systems do."""
        try:
            return {path.stem for path in self._folder.iterdir() if path.suffix == ".svg"}
        except OSError:
            return set()

    def _file(self, name: str) -> Diagnostics:
        return self._diagnostics.of_file(str(self._folder / f"{name}.svg"))


def values_of(card: Card, backs: Sequence[Back]) -> dict[str, str]:
    """Return the fields of a card that select its drawings, as the file spells them."""
    back = backs[card.back]
    fixed = {"back": back.name, "name": card.name, "colour": card.colour or back.colour}
    return fixed | {key: str(value) for key, value in card.fields.items()}
