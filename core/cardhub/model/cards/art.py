"""Drawings of a card file: which cards show them, and the files that they are read from."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

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
    read_value,
)
from cardhub.base.yamlfile.value_types import is_name
from cardhub.model.cards.cards import ArtElement, Back, Card
from cardhub.model.cards.svg_files import read_svg

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
