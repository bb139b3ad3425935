"""Card files: YAML checked completely before a game sees any of it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cardhub.cards.deck import COLOURS, Back, Card, Cards
from cardhub.cards.fieldtypes import (
    LETTER,
    NAME,
    TITLE,
    UNKNOWN,
    FieldType,
    Kind,
    check_fields,
    read_row,
    read_value,
    refuse_unknown_keys,
)
from cardhub.cards.nodes import Items, Node, Problems, Table, Text, quote
from cardhub.cards.yamlnodes import read_table

MOST_BACKS = MOST_DECKS = 100
MOST_COPIES = 999

_SECTIONS = ("backs", "decks", "cards")
_BUILTIN: dict[str, Kind] = {
    "name": NAME,
    "title": TITLE,
    "back": NAME,
    "deck": NAME,
    "copies": range(1, MOST_COPIES + 1),
    "text": str,
    "colour": COLOURS,
}
_BACK: dict[str, Kind] = {"letter": LETTER, "title": TITLE, "unknown": UNKNOWN, "colour": COLOURS}
_PLAIN_BACK = Back("card", "#", "a card", "?", "grey")
_PLAIN_DECK = "main"


def load_cards(path: Path, /, **fields: FieldType) -> Cards:
    """Return the cards of a file; one CardFileError names everything that is wrong with it.

    Each card has all of `fields`: int, str, a range of integers, or a tuple of allowed words.
    """
    check_fields(fields, _BUILTIN)
    problems = Problems(str(path))
    top = read_table(path, problems)
    cards = _File(top, fields, problems).cards() if top is not None else Cards((), (), ())
    problems.raise_if_any()
    return cards


class _File:
    """One card file on its way to `Cards`."""

    def __init__(self, top: Table, fields: Mapping[str, FieldType], problems: Problems) -> None:
        self._sections = {key: value for key, (_, value) in top.entries.items()}
        self._fields = fields
        self._problems = problems
        refuse_unknown_keys(top, _SECTIONS, problems)
        if "cards" not in top.entries:
            problems.add(top, "missing key 'cards' (a list of cards)")

    def cards(self) -> Cards:
        backs = self._backs()
        decks = self._decks()
        return Cards(tuple(self._faces([back.name for back in backs], decks)), backs, tuple(decks))

    def _backs(self) -> tuple[Back, ...]:
        section = self._sections.get("backs")
        if section is None:
            return (_PLAIN_BACK,)
        if not isinstance(section, Table) or not section.entries:
            self._problems.expected(section, "a mapping of backs")
            return ()
        keys = [key for key, _ in section.entries.values()]
        self._refuse_surplus(keys, MOST_BACKS, "backs")
        keys = keys[:MOST_BACKS]
        backs = tuple(self._back(key, section.entries[key.value][1]) for key in keys)
        self._refuse_twins("letter", keys, [back.letter for back in backs])
        self._refuse_twins("unknown", keys, [back.unknown for back in backs])
        return backs

    def _back(self, key: Text, value: Node) -> Back:
        read_value("a back", key, NAME, self._problems)
        row = read_row(value, _BACK, _BACK, self._problems)
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
        if not isinstance(section, Items) or not section.nodes:
            self._problems.expected(section, "a list of decks")
            return []
        self._refuse_surplus(section.nodes, MOST_DECKS, "decks")
        return list(self._names("deck", section.nodes[:MOST_DECKS]))

    def _names(self, what: str, nodes: list[Node]) -> Iterator[str]:
        lines: dict[str, int] = {}
        for node in nodes:
            name = read_value(f"a {what}", node, NAME, self._problems)
            if isinstance(name, str) and self._is_new(what, name, node, lines):
                yield name

    def _faces(self, backs: list[str], decks: list[str]) -> Iterator[Card]:
        # A section that is wrong as a whole names nothing; then any name has to do.
        choices: dict[str, Kind] = {"back": tuple(backs) or NAME, "deck": tuple(decks) or NAME}
        kinds: dict[str, Kind] = {**_BUILTIN, **choices, **self._fields}
        optional = {"title", "copies", "text", "colour"}
        optional |= {key for key, names in (("back", backs), ("deck", decks)) if len(names) < 2}
        lines: dict[str, int] = {}
        for node in self._card_nodes():
            row = read_row(node, kinds, optional, self._problems)
            if isinstance(node, Table) and "name" in row:
                self._is_new("card", str(row["name"]), node.entries["name"][1], lines)
            if row.keys() >= kinds.keys() - optional:
                yield self._card(row, backs, decks)

    def _card_nodes(self) -> list[Node]:
        section = self._sections.get("cards")
        if isinstance(section, Items) and section.nodes:
            return section.nodes
        if section is not None:
            self._problems.expected(section, "a list of cards")
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
        )

    def _is_new(self, what: str, name: str, node: Node, lines: dict[str, int]) -> bool:
        if name in lines:
            message = f"duplicate {what} {quote(name)}, first on line {lines[name]}"
            self._problems.add(node, message)
            return False
        lines[name] = node.line
        return True

    def _refuse_twins(self, what: str, keys: list[Text], values: list[str]) -> None:
        first: dict[str, str] = {}
        for key, value in zip(keys, values, strict=True):
            other = first.setdefault(value, key.value)
            if other != key.value:
                message = f"{what} {quote(value)} is that of back {quote(other)} already"
                self._problems.add(key, message)

    def _refuse_surplus(self, nodes: Sequence[Node], most: int, what: str) -> None:
        if len(nodes) > most:
            self._problems.add(nodes[most], f"there may be at most {most} {what}")
