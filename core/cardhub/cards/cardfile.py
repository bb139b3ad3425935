"""Card files: parse YAML and validate it completely before a game gets its cards."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from cardhub.cards.cards import COLOURS, Back, Card, Cards
from cardhub.errors import CardFileError
from cardhub.errors.suggestions import folded
from cardhub.yamlfile import (
    NAME,
    Diagnostics,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    StringType,
    ValueType,
    parse_file,
    quote,
    read_mapping,
    read_value,
    reject_unknown_keys,
)
from cardhub.yamlfile.value_types import is_name, is_printable

# An integer, a text, an integer from a range, or one of several words.
FieldType: TypeAlias = type[int] | type[str] | range | tuple[str, ...]

# Far above real games: a mistyped number of copies is an error, not a pack that fills memory.
MAX_BACKS = 100
MAX_DECKS = 100
MAX_COPIES = 999


def _is_title(text: str) -> bool:
    return bool(text.strip()) and is_printable(text)


def _is_letter(text: str) -> bool:
    return len(text) == 1 and _is_title(text)


def _is_placeholder(text: str) -> bool:
    return text.isprintable() and " " not in text and not (not text or is_name(text))


LETTER = StringType("one printable character", _is_letter)
TITLE = StringType("printable text on one line", _is_title)
UNKNOWN = StringType("printable, without blanks and no card's name, such as 'R?'", _is_placeholder)

_SECTIONS = ("labels", "backs", "decks", "cards")
# The text by which people know a card: its name, or its printed title.
_LABELS = ("name", "title")
_BUILTIN: dict[str, ValueType] = {
    "name": NAME,
    "title": TITLE,
    "back": NAME,
    "deck": NAME,
    "copies": range(1, MAX_COPIES + 1),
    "text": str,
    "colour": COLOURS,
}
_BACK: dict[str, ValueType] = {
    "letter": LETTER,
    "title": TITLE,
    "unknown": UNKNOWN,
    "colour": COLOURS,
}
_PLAIN_BACK = Back("card", "#", "a card", "?", "grey")
_PLAIN_DECK = "main"


def load_cards(path: Path, /, **fields: FieldType) -> Cards:
    """Return the cards of a file; raises one CardFileError that lists all problems of the file.

    `fields` declares further keys of each card, none of them optional. The argument is the type of
    the value: `int`, `str`, a range of integers, or a tuple of allowed strings.
    """
    _check_fields(fields)
    diagnostics = Diagnostics(str(path), CardFileError)
    top = parse_file(path, diagnostics)
    cards = _File(top, fields, diagnostics).cards() if top is not None else Cards((), (), ())
    diagnostics.raise_if_any()
    return cards


class _File:
    """Reads one card file into `Cards`."""

    def __init__(
        self, top: MappingNode, fields: Mapping[str, FieldType], diagnostics: Diagnostics
    ) -> None:
        self._sections = {key: value for key, (_, value) in top.entries.items()}
        self._fields = fields
        self._diagnostics = diagnostics
        self._label = "name"
        reject_unknown_keys(top, _SECTIONS, diagnostics)
        if "cards" not in top.entries:
            diagnostics.add(top, "missing key 'cards' (a list of cards)")

    def cards(self) -> Cards:
        # In this order: cards name backs and decks.
        labels = self._sections.get("labels")
        if labels is not None:
            self._label = str(read_value("labels", labels, _LABELS, self._diagnostics))
        backs = self._backs()
        decks = self._decks()
        return Cards(tuple(self._faces([back.name for back in backs], decks)), backs, tuple(decks))

    def _backs(self) -> tuple[Back, ...]:
        section = self._sections.get("backs")
        if section is None:
            return (_PLAIN_BACK,)
        if not isinstance(section, MappingNode) or not section.entries:
            self._diagnostics.expected(section, "a mapping of backs")
            return ()
        keys = [key for key, _ in section.entries.values()]
        self._limit(keys, MAX_BACKS, "backs")
        keys = keys[:MAX_BACKS]  # the excess is one problem, not one for each further back
        backs = tuple(self._back(key, section.entries[key.value][1]) for key in keys)
        self._reject_duplicates("letter", keys, [back.letter for back in backs])
        self._reject_duplicates("unknown", keys, [back.unknown for back in backs])
        return backs

    def _back(self, key: ScalarNode, value: Node) -> Back:
        read_value("a back", key, NAME, self._diagnostics)
        row = read_mapping(value, _BACK, _BACK, self._diagnostics)
        letter = str(row.get("letter", key.value[:1].upper()[:1]))
        return Back(
            name=key.value,
            letter=letter,
            title=str(row.get("title", f"a {key.value} card")),
            unknown=str(row.get("unknown", f"{letter}?")),
            colour=str(row.get("colour", "grey")),
        )

    def _decks(self) -> list[str]:
        section = self._sections.get("decks")
        if section is None:
            return [_PLAIN_DECK]
        if not isinstance(section, SequenceNode) or not section.nodes:
            self._diagnostics.expected(section, "a list of decks")
            return []
        self._limit(section.nodes, MAX_DECKS, "decks")
        return list(self._names("deck", section.nodes[:MAX_DECKS]))

    def _names(self, what: str, nodes: list[Node]) -> Iterator[str]:
        lines: dict[str, int] = {}
        for node in nodes:
            name = read_value(f"a {what}", node, NAME, self._diagnostics)
            if isinstance(name, str) and self._is_new(what, name, node, lines):
                yield name

    def _faces(self, backs: list[str], decks: list[str]) -> Iterator[Card]:
        # If a section is invalid as a whole its names are unknown: then accept any name.
        choices: dict[str, ValueType] = {"back": tuple(backs) or NAME, "deck": tuple(decks) or NAME}
        kinds: dict[str, ValueType] = {**_BUILTIN, **choices, **self._fields}
        optional = {"title", "copies", "text", "colour"}
        optional |= {key for key, names in (("back", backs), ("deck", decks)) if len(names) < 2}
        lines: dict[str, int] = {}
        titles: dict[str, str] = {}
        for node in self._card_nodes():
            row = read_mapping(node, kinds, optional, self._diagnostics)
            if isinstance(node, MappingNode) and "name" in row:
                self._is_new("card", str(row["name"]), node.entries["name"][1], lines)
                self._reject_label_twice(row, node, titles)
            # A card that lacks a field has been reported; later cards are still to be checked.
            if row.keys() >= kinds.keys() - optional:
                yield self._card(row, backs, decks)

    def _card_nodes(self) -> list[Node]:
        section = self._sections.get("cards")
        if isinstance(section, SequenceNode) and section.nodes:
            return section.nodes
        if section is not None:
            self._diagnostics.expected(section, "a list of cards")
        return []

    def _card(self, row: dict[str, int | str], backs: list[str], decks: list[str]) -> Card:
        name = str(row["name"])
        return Card(
            name=name,
            title=str(row.get("title", name)),
            back=backs.index(str(row["back"])) if "back" in row and backs else 0,
            deck=decks.index(str(row["deck"])) if "deck" in row and decks else 0,
            copies=int(row.get("copies", 1)),
            text=str(row.get("text", "")).strip(),
            fields={key: row[key] for key in self._fields},
            colour=str(row.get("colour", "")),
            has_title_label=self._label == "title",
        )

    def _is_new(self, what: str, name: str, node: Node, lines: dict[str, int]) -> bool:
        if name in lines:
            message = f"duplicate {what} {quote(name)}, first on line {lines[name]}"
            self._diagnostics.add(node, message)
            return False
        lines[name] = node.line
        return True

    def _reject_label_twice(
        self, row: Mapping[str, int | str], node: MappingNode, titles: dict[str, str]
    ) -> None:
        name = str(row["name"])
        title = str(row.get("title", name))
        if self._label != "title":
            return
        other = titles.setdefault(folded(title), name)
        if other != name:
            message = f"title {quote(title)} is already the label of card {quote(other)}"
            self._diagnostics.add(node, message)

    def _reject_duplicates(self, what: str, keys: list[ScalarNode], values: list[str]) -> None:
        first: dict[str, str] = {}
        for key, value in zip(keys, values, strict=True):
            other = first.setdefault(value, key.value)
            if other != key.value:
                message = f"{what} {quote(value)} is already used by back {quote(other)}"
                self._diagnostics.add(key, message)

    def _limit(self, nodes: Sequence[Node], most: int, what: str) -> None:
        if len(nodes) > most:
            self._diagnostics.add(nodes[most], f"too many {what}: at most {most} are allowed")


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
