"""Card files: YAML is parsed and validated completely before a game gets its cards.

People see the glyphs of the section `suits` in place of letters in names.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from rich.cells import cell_len

from cardhub.base.errors import CardFileError
from cardhub.base.errors.quoting import folded
from cardhub.base.yamlfile import (
    NAME,
    Diagnostics,
    Entries,
    Items,
    Kind,
    MappingNode,
    Node,
    ScalarNode,
    Schema,
    Section,
    StringType,
    parse_file,
    quote,
    read_value,
)
from cardhub.base.yamlfile.schema import is_name, is_printable
from cardhub.model.cards.art import ART, DRAWINGS, ArtReader
from cardhub.model.cards.cards import (
    COLOURS,
    MOST_CORNER_CELLS,
    MOST_SHORT_CELLS,
    Back,
    Card,
    Cards,
    Suit,
    shortened,
)

MAX_SUITS = 50
_MOST_CELLS = 2


def _is_short(text: str) -> bool:
    return 0 < cell_len(text) <= _MOST_CELLS and text.isprintable() and " " not in text


# An ASCII character would also be replaced inside words.
GLYPH = StringType(
    "a printable character that is not ASCII, such as ♥",
    lambda text: _is_short(text) and not any(map(str.isascii, text)),
)
PLAIN = StringType(
    "one or two ASCII characters, such as H", lambda text: _is_short(text) and text.isascii()
)
_SUIT = Schema({"glyph": GLYPH, "ascii": PLAIN, "colour": COLOURS}, needed={"glyph"})
SUITS = Entries("a mapping of suits", is_filled=True)


def read_suits(section: Section) -> tuple[Suit, ...]:
    """Return the suits of a card file; reports invalid ones."""
    entries = list(section.values.get("suits", {}).values())
    problems = section.problems
    if len(entries) > MAX_SUITS:
        problems.add(entries[MAX_SUITS][0], f"too many suits: at most {MAX_SUITS} are allowed")
    suits = tuple(_suit(key, value, problems) for key, value in entries[:MAX_SUITS])
    keys = [key for key, _ in entries]
    _reject_same("glyph", "suit", keys, [suit.glyph for suit in suits], problems)
    _reject_same("ascii", "suit", keys, [suit.ascii for suit in suits], problems)
    return suits


def reject_unused(section: Section, names: Collection[str]) -> None:
    """Report suits that have no cards."""
    for key, (node, _) in list(section.values.get("suits", {}).items())[:MAX_SUITS]:
        if not any(name != key and name.endswith(key) for name in names):
            where = f"no card has a name that ends with the suit {quote(key)}"
            section.problems.add(node, f"{where}. fix: name cards such as {quote('7' + key)}")


def suit_of(name: str, suits: Sequence[Suit]) -> Suit | None:
    """Return the suit with which a name ends, the longest one if there are several."""
    ends = [suit for suit in suits if name != suit.key and name.endswith(suit.key)]
    return max(ends, key=lambda suit: len(suit.key), default=None)


def with_glyph(name: str, suit: Suit | None) -> str:
    """Return a card's name with the glyph of its suit: `7♥`."""
    return name if suit is None else name.removesuffix(suit.key) + suit.glyph


def _reject_same(
    kind: str,
    owner: str,
    keys: Sequence[ScalarNode],
    values: Sequence[str],
    diagnostics: Diagnostics,
) -> None:
    """Report values that entries of a section have in common; `owner` names an entry."""
    first: dict[str, str] = {}
    for key, value in zip(keys, values, strict=False):
        other = first.setdefault(value, key.value)
        if other != key.value:
            message = f"{kind} {quote(value)} is already used by {owner} {quote(other)}"
            diagnostics.add(key, message)


def _suit(key: ScalarNode, value: Node, diagnostics: Diagnostics) -> Suit:
    read_value("a suit", key, NAME, diagnostics)
    row = Section(value, _SUIT, diagnostics).values
    # An invalid glyph has been reported: the key keeps its cards apart from others.
    return Suit(**{"key": key.value, "glyph": key.value, "ascii": key.value, "colour": ""} | row)


MAX_BACKS = 100
PLAIN_BACK = Back("card", "#", "a card", "?", "grey")


def is_title(text: str) -> bool:
    """Return whether a text is printable, on one line and not blank."""
    return bool(text.strip()) and is_printable(text)


LETTER = StringType("one printable character", lambda text: len(text) == 1 and is_title(text))
TITLE = StringType("printable text on one line", is_title)
UNKNOWN = StringType(
    "printable, without blanks and no card's name, such as 'R?'",
    lambda text: bool(text) and text.isprintable() and " " not in text and not is_name(text),
)
_BACK = Schema(
    {
        "letter": LETTER,
        "short": TITLE,
        "title": TITLE,
        "unknown": UNKNOWN,
        "colour": COLOURS,
        "art": DRAWINGS,
    }
)
BACKS = Entries("a mapping of backs", is_filled=True)


def read_backs(section: Section, art: ArtReader) -> tuple[Back, ...]:
    """Return the backs of a card file, by default a plain one; reports invalid ones."""
    if "backs" not in section:
        return (PLAIN_BACK,)
    problems = section.problems
    entries = list(section.values.get("backs", {}).values())
    if len(entries) > MAX_BACKS:
        problems.add(entries[MAX_BACKS][0], f"too many backs: at most {MAX_BACKS} are allowed")
    entries = entries[:MAX_BACKS]  # the excess is one problem, not one for each further back
    backs = tuple(_back(key, value, art, problems) for key, value in entries)
    keys = [key for key, _ in entries]
    _reject_same("letter", "back", keys, [back.letter for back in backs], problems)
    _reject_same("unknown", "back", keys, [back.unknown for back in backs], problems)
    return backs


def _back(key: ScalarNode, value: Node, art: ArtReader, problems: Diagnostics) -> Back:
    read_value("a back", key, NAME, problems)
    row = Section(value, _BACK, problems)
    name, letter = key.value, row.values.get("letter", key.value[:1].upper()[:1])
    defaults = {"letter": letter, "title": f"a {name} card", "unknown": f"{letter}?"}
    return Back(name, **{"colour": "grey"} | defaults | row.values | {"art": art.use(row)})


# An integer, a text, an integer from a range, or one of several words.
FieldType: TypeAlias = type[int] | type[str] | range | tuple[str, ...]

# Far above real games: a mistyped number of copies is an error, not a pack that fills memory.
MAX_DECKS = 100
MAX_COPIES = 999


SHORT = StringType(
    f"printable text of at most {MOST_SHORT_CELLS} cells",
    lambda text: is_title(text) and cell_len(text) <= MOST_SHORT_CELLS,
)

# The text by which people know a card: its name, its printed title, or its short name.
_LABELS = ("name", "title", "short")
_BUILTIN: dict[str, Kind] = {
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
    cards = _File(path, parse_file(path, diagnostics), fields, diagnostics).cards()
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
        kinds: dict[str, Kind] = {
            "labels": _LABELS,
            "corner": ("name", "title", "short", *fields),
            "backs": BACKS,
            "decks": Items("a list of decks"),
            "suits": SUITS,
            "art": ART,
            "cards": Items("a list of cards"),
        }
        self._top = Section(top, Schema(kinds, needed={"cards"}), diagnostics)
        self._fields = fields
        self._diagnostics = diagnostics
        self._label = self._top.values.get("labels", "name")
        # In this order: cards name backs, decks, suits and drawings.
        self._art = ArtReader(path, self._top)
        self._backs = read_backs(self._top, self._art)
        self._decks = self._read_decks()
        self._suits = read_suits(self._top)

    def cards(self) -> Cards:
        faces = tuple(self._faces([back.name for back in self._backs]))
        # Without valid cards each suit would be another problem of the same fault.
        if faces:
            names = [card.name for card in faces]
            reject_unused(self._top, names)
        if faces and self._backs:
            layers = self._art.layers(faces, self._backs)
            faces = tuple(replace(card, art=art) for card, art in zip(faces, layers, strict=True))
        drawings = self._art.drawings()
        return Cards(faces, self._backs, tuple(self._decks), self._suits, drawings)

    def _read_decks(self) -> list[str]:
        if "decks" not in self._top:
            return [_PLAIN_DECK]
        nodes = self._top.values.get("decks", [])
        if len(nodes) > MAX_DECKS:
            message = f"too many decks: at most {MAX_DECKS} are allowed"
            self._diagnostics.add(nodes[MAX_DECKS], message)
        return list(self._names("deck", nodes[:MAX_DECKS]))

    def _names(self, kind: str, nodes: Sequence[Node]) -> Iterator[str]:
        lines: dict[str, int] = {}
        for node in nodes:
            name = read_value(f"a {kind}", node, NAME, self._diagnostics)
            if isinstance(name, str) and self._is_new(kind, name, node, lines):
                yield name

    def _faces(self, backs: list[str]) -> Iterator[Card]:
        # If a section is invalid as a whole its names are unknown: then accept any name.
        named = (("back", backs), ("deck", self._decks))
        choices: dict[str, Kind] = {key: tuple(names) or NAME for key, names in named}
        kinds: dict[str, Kind] = {**_BUILTIN, **choices, **self._fields}
        optional = _OPTIONAL | {key for key, names in named if len(names) < 2}
        schema = Schema(kinds, kinds.keys() - optional)
        lines: dict[str, int] = {}
        labels: dict[str, str] = {}
        for node in self._top.values.get("cards", ()):
            row = Section(node, schema, self._diagnostics)
            name = row.values.get("name")
            if name is None:
                continue
            self._is_new("card", name, row.node("name"), lines)
            card = self._card(row.values, backs, self._art.use(row))
            self._reject_label_twice(card, node, labels)
            # A card that lacks a field has been reported; later cards are still to be checked.
            if row.values.keys() >= schema.needed:
                self._reject_wide_corner(card, node)
                yield card

    def _card(self, row: Mapping[str, Any], backs: list[str], art: tuple[str, ...]) -> Card:
        suit = suit_of(row["name"], self._suits)
        shown = with_glyph(row["name"], suit)
        texts = {key: str(row.get(key, shown)) for key in ("title", "short")} | {"name": shown}
        label = texts[self._label]
        return Card(
            name=row["name"],
            title=row.get("title", row["name"]),
            back=backs.index(row["back"]) if "back" in row and backs else 0,
            deck=self._decks.index(row["deck"]) if "deck" in row and self._decks else 0,
            copies=row.get("copies", 1),
            text=row.get("text", "").strip(),
            fields={key: row[key] for key in self._fields if key in row},
            colour=row.get("colour", suit.colour if suit else ""),
            label=label,
            short=row.get("short", shortened(label, shown)),
            corner=str({**row, **texts}.get(self._top.values.get("corner", ""), "")),
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
