"""Card files: parse YAML and validate it completely before a game gets its cards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from rich.cells import cell_len

from cardhub.base.errors import CardFileError
from cardhub.base.errors.quoting import folded
from cardhub.base.yamlfile import (
    NAME,
    Diagnostics,
    MappingNode,
    Node,
    SequenceNode,
    StringType,
    ValueType,
    parse_file,
    quote,
    read_mapping,
    read_value,
    reject_unknown_keys,
)
from cardhub.model.cards.art import DRAWINGS, ArtReader
from cardhub.model.cards.cards import (
    COLOURS,
    MOST_CORNER_CELLS,
    MOST_SHORT_CELLS,
    Card,
    Cards,
    shortened,
)
from cardhub.model.cards.suits import (
    TITLE,
    is_title,
    read_backs,
    read_suits,
    reject_unused,
    suit_of,
    with_glyph,
)

# An integer, a text, an integer from a range, or one of several words.
FieldType: TypeAlias = type[int] | type[str] | range | tuple[str, ...]

# Far above real games: a mistyped number of copies is an error, not a pack that fills memory.
MAX_DECKS = 100
MAX_COPIES = 999


def _is_short(text: str) -> bool:
    return is_title(text) and cell_len(text) <= MOST_SHORT_CELLS


SHORT = StringType(f"printable text of at most {MOST_SHORT_CELLS} cells", _is_short)

_SECTIONS = ("labels", "corner", "backs", "decks", "suits", "art", "cards")
# The text by which people know a card: its name, its printed title, or its short name.
_LABELS = ("name", "title", "short")
_BUILTIN: dict[str, ValueType] = {
    "name": NAME,
    "title": TITLE,
    "short": SHORT,
    "back": NAME,
    "deck": NAME,
    "copies": range(1, MAX_COPIES + 1),
    "text": str,
    "colour": COLOURS,
    "art": DRAWINGS,
}
_OPTIONAL = {"title", "short", "copies", "text", "colour", "art"}
_PLAIN_DECK = "main"


def load_cards(path: Path, /, **fields: FieldType) -> Cards:
    """Return the cards of a file; raises one CardFileError that lists all problems of the file.

    `fields` declares further keys of each card, none of them optional. The argument is the type of
    the value: `int`, `str`, a range of integers, or a tuple of allowed strings.
    """
    _check_fields(fields)
    diagnostics = Diagnostics(str(path), CardFileError)
    top = parse_file(path, diagnostics)
    cards = _File(path, top, fields, diagnostics).cards() if top is not None else Cards((), (), ())
    diagnostics.raise_if_any()
    return cards


class _File:
    """Reads one card file into `Cards`."""

    def __init__(
        self,
        path: Path,
        top: MappingNode,
        fields: Mapping[str, FieldType],
        diagnostics: Diagnostics,
    ) -> None:
        self._sections = {key: value for key, (_, value) in top.entries.items()}
        self._fields = fields
        self._diagnostics = diagnostics
        reject_unknown_keys(top, _SECTIONS, diagnostics)
        if "cards" not in top.entries:
            diagnostics.add(top, "missing key 'cards' (a list of cards)")
        # In this order: cards name backs, decks, suits and drawings.
        self._label = self._word("labels", _LABELS) or "name"
        self._corner = self._word("corner", ("name", "title", "short", *fields))
        self._art = ArtReader(path, self._sections.get("art"), diagnostics)
        self._backs = read_backs(self._sections.get("backs"), self._art, diagnostics)
        self._decks = self._read_decks()
        self._suits = read_suits(self._sections.get("suits"), diagnostics)

    def cards(self) -> Cards:
        faces = tuple(self._faces([back.name for back in self._backs]))
        # Without valid cards each suit would be another problem of the same fault.
        if faces:
            names = [card.name for card in faces]
            reject_unused(self._sections.get("suits"), names, self._diagnostics)
        if faces and self._backs:
            layers = self._art.layers(faces, self._backs)
            faces = tuple(replace(card, art=art) for card, art in zip(faces, layers, strict=True))
        drawings = self._art.drawings()
        return Cards(faces, self._backs, tuple(self._decks), self._suits, drawings)

    def _word(self, key: str, words: tuple[str, ...]) -> str:
        node = self._sections.get(key)
        return "" if node is None else str(read_value(key, node, words, self._diagnostics) or "")

    def _read_decks(self) -> list[str]:
        section = self._sections.get("decks")
        if section is None:
            return [_PLAIN_DECK]
        if not isinstance(section, SequenceNode) or not section.nodes:
            self._diagnostics.expected(section, "a list of decks")
            return []
        if len(section.nodes) > MAX_DECKS:
            message = f"too many decks: at most {MAX_DECKS} are allowed"
            self._diagnostics.add(section.nodes[MAX_DECKS], message)
        return list(self._names("deck", section.nodes[:MAX_DECKS]))

    def _names(self, kind: str, nodes: Sequence[Node]) -> Iterator[str]:
        lines: dict[str, int] = {}
        for node in nodes:
            name = read_value(f"a {kind}", node, NAME, self._diagnostics)
            if isinstance(name, str) and self._is_new(kind, name, node, lines):
                yield name

    def _faces(self, backs: list[str]) -> Iterator[Card]:
        # If a section is invalid as a whole its names are unknown: then accept any name.
        named = (("back", backs), ("deck", self._decks))
        choices: dict[str, ValueType] = {key: tuple(names) or NAME for key, names in named}
        kinds: dict[str, ValueType] = {**_BUILTIN, **choices, **self._fields}
        optional = _OPTIONAL | {key for key, names in named if len(names) < 2}
        lines: dict[str, int] = {}
        labels: dict[str, str] = {}
        for node in self._card_nodes():
            row = read_mapping(node, kinds, optional, self._diagnostics)
            is_named = isinstance(node, MappingNode) and "name" in row
            if isinstance(node, MappingNode) and is_named:
                self._is_new("card", str(row["name"]), node.entries["name"][1], lines)
            # A card that lacks a field has been reported; later cards are still to be checked.
            is_whole = row.keys() >= kinds.keys() - optional
            if is_named:
                card = self._card(row, backs, self._art.use(row, node))
                self._reject_label_twice(card, node, labels)
                if is_whole:
                    self._reject_wide_corner(card, node)
                    yield card

    def _card_nodes(self) -> Sequence[Node]:
        section = self._sections.get("cards")
        if isinstance(section, SequenceNode) and section.nodes:
            return section.nodes
        if section is not None:
            self._diagnostics.expected(section, "a list of cards")
        return []

    def _card(self, row: Mapping[str, int | str], backs: list[str], art: tuple[str, ...]) -> Card:
        name = str(row["name"])
        suit = suit_of(name, self._suits)
        shown = with_glyph(name, suit)
        texts = {
            "name": shown,
            "title": str(row.get("title", shown)),
            "short": str(row.get("short", shown)),
        }
        label = texts[self._label]
        return Card(
            name=name,
            title=str(row.get("title", name)),
            back=backs.index(str(row["back"])) if "back" in row and backs else 0,
            deck=self._decks.index(str(row["deck"])) if "deck" in row and self._decks else 0,
            copies=int(row.get("copies", 1)),
            text=str(row.get("text", "")).strip(),
            fields={key: row[key] for key in self._fields if key in row},
            colour=str(row.get("colour", suit.colour if suit else "")),
            label=label,
            short=str(row.get("short", shortened(label, shown))),
            corner=str({**row, **texts}.get(self._corner, "")),
            art=art,
        )

    def _is_new(self, kind: str, name: str, node: Node, lines: dict[str, int]) -> bool:
        if name in lines:
            message = f"duplicate {kind} {quote(name)}, first on line {lines[name]}"
            self._diagnostics.add(node, message)
            return False
        lines[name] = node.line
        return True

    def _reject_label_twice(self, card: Card, node: Node, labels: dict[str, str]) -> None:
        # Names are compared by `_is_new`.
        if self._label == "name":
            return
        other = labels.setdefault(folded(card.label), card.name)
        if other != card.name:
            message = f"{self._label} {quote(card.label)} is already the label of card"
            self._diagnostics.add(node, f"{message} {quote(other)}")

    def _reject_wide_corner(self, card: Card, node: Node) -> None:
        if cell_len(card.corner) > MOST_CORNER_CELLS:
            problem = f"corner {quote(card.corner)} is {cell_len(card.corner)} cells wide"
            remedy = f"name a field of at most {MOST_CORNER_CELLS} cells in 'corner'"
            self._diagnostics.add(node, f"{problem}. fix: {remedy}")


def _check_fields(fields: Mapping[str, FieldType]) -> None:
    """Raise ValueError or TypeError if a game declares fields wrongly."""
    for name, kind in fields.items():
        if name in _BUILTIN:
            raise ValueError(f"invalid field name {name!r}: every card has this field already")
        if kind is not int and kind is not str and not isinstance(kind, range | tuple):
            raise TypeError(
                f"invalid type of field {name!r}: {kind!r} is not int, str, a range or a tuple"
            )
        if isinstance(kind, range | tuple) and not kind:
            raise ValueError(f"invalid type of field {name!r}: {kind!r} allows no value")
