"""The cards of a game: faces, backs and decks, each with an index from 0."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
from rich.cells import cell_len, set_cell_size

from cardhub.base.errors.quoting import did_you_mean


class ArtElement(msgspec.Struct, frozen=True, array_like=True):
    """An element of a drawing: its tag, its attributes and the elements inside it.

    A whole drawing is an element with the tag `svg`. Its JSON is a list:
    `["circle", {"r": "4"}, []]`.
    """

    tag: str
    attributes: Mapping[str, str]
    children: tuple["ArtElement", ...] = ()


# The widths of short names, and of the texts in the corners of large cards, in terminal cells.
MOST_SHORT_CELLS, MOST_CORNER_CELLS = 9, 3
COLOURS = ("white", "blue", "violet", "red", "yellow", "green", "cyan", "grey")


@dataclass(frozen=True, slots=True)
class Back:
    """The visible side of a face-down card.

    `unknown` is the notation for a card of which only the back is known, e.g. `R?`. `art` are the
    names of its drawings. `short` is a word for cards that have room for it, such as `Pirate`.
    """

    name: str
    letter: str
    title: str
    unknown: str
    colour: str
    art: tuple[str, ...] = ()
    short: str = ""


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit of a card file: names of its cards end with `key`, and people see `glyph` instead.

    `ascii` replaces the glyph on terminals with ASCII only. `colour` is the colour of its cards,
    one of COLOURS, or empty.
    """

    key: str
    glyph: str
    ascii: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One face; the pack holds `copies` of it.

    `name` is the notation of records, `title` the printed name; `back` and `deck` are indices into
    the attributes of Cards. `colour` is one of COLOURS; an empty string is the default, the colour
    of the back. `label` is the text by which people know the card and which they type, by default
    the name; `short` is one of at most 9 cells for small cards, by default the label; `corner` is
    the text in the corners of large cards, at most 3 cells. `art` are the names of its drawings,
    the lowest first.
    """

    name: str
    title: str
    back: int
    deck: int
    copies: int
    text: str
    # A dict has no hash; cards of equal hash are still compared by it.
    fields: Mapping[str, int | str] = field(hash=False)
    colour: str = ""
    label: str = ""
    short: str = ""
    corner: str = ""
    art: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # The only way to set fields of a frozen class.
        object.__setattr__(self, "label", self.label or self.name)
        if not self.short:
            object.__setattr__(self, "short", shortened(self.label, self.name))
        if not self.corner and cell_len(self.short) <= MOST_CORNER_CELLS:
            object.__setattr__(self, "corner", self.short)


@dataclass(frozen=True, slots=True)
class Cards:
    """All cards of a game; a face is an index into `faces`.

    `back_of` and `deck_of` are indexed by face: plain ints for the hot path of the rules.
    """

    faces: tuple[Card, ...]
    backs: tuple[Back, ...]
    decks: tuple[str, ...]
    suits: tuple[Suit, ...] = ()
    # A dict has no hash; cards of equal hash are still compared by it.
    drawings: Mapping[str, ArtElement] = field(default_factory=dict, hash=False)
    back_of: tuple[int, ...] = field(init=False, repr=False, compare=False)
    deck_of: tuple[int, ...] = field(init=False, repr=False, compare=False)
    labels: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The labels of the cards, by face."""
    separator: str = field(init=False, repr=False, compare=False)
    """The text between the labels of several cards: a comma if labels have blanks."""
    _by_name: dict[str, int] = field(init=False, repr=False, compare=False)
    copies: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The face index of every card, sorted by deck, then in the order of the file."""

    def __post_init__(self) -> None:
        # The only way to set derived fields of a frozen class. They are computed here because the
        # rules read them at every step.
        by_name = {card.name: face for face, card in enumerate(self.faces)}
        object.__setattr__(self, "back_of", tuple(card.back for card in self.faces))
        object.__setattr__(self, "deck_of", tuple(card.deck for card in self.faces))
        labels = tuple(card.label for card in self.faces)
        has_blanks = any(" " in label for label in labels)
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "separator", ", " if has_blanks else " ")
        object.__setattr__(self, "_by_name", by_name)
        # Stable: within a deck the order of the file. Tokens are numbered in this order before they
        # are shuffled, so the deal of a seed depends on it.
        by_deck = sorted(range(len(self.faces)), key=self.deck_of.__getitem__)
        copies = (face for face in by_deck for _ in range(self.faces[face].copies))
        object.__setattr__(self, "copies", tuple(copies))

    @property
    def count(self) -> int:
        """The number of cards, copies included."""
        return len(self.copies)

    def find(self, name: str) -> int | None:
        """Return the index of the face with this name, or None."""
        return self._by_name.get(name)

    def face(self, name: str) -> int:
        """Return the index of the face with this name; raises LookupError with a suggestion."""
        face = self._by_name.get(name)
        if face is None:
            raise LookupError(f"unknown card {name!r}.{did_you_mean(name, self._by_name)}")
        return face

    def ints(self, field: str) -> list[int]:
        """Return the values of an integer field by index of the face; TypeError for strings."""
        values = self._values(field)
        column = [value for value in values if isinstance(value, int)]
        if len(column) < len(values):
            raise TypeError(f"field {field!r} holds text, not integers")
        return column

    def texts(self, field: str) -> list[str]:
        """Return the values of a string field by index of the face; TypeError for integers."""
        values = self._values(field)
        column = [value for value in values if isinstance(value, str)]
        if len(column) < len(values):
            raise TypeError(f"field {field!r} holds integers, not text")
        return column

    def all_copies(self) -> list[int]:
        """Return `copies` as a new list."""
        return list(self.copies)

    def _values(self, field: str) -> list[int | str]:
        for card in self.faces:
            if field not in card.fields:
                hint = did_you_mean(field, card.fields)
                raise ValueError(f"card {card.name!r} has no field {field!r}.{hint}")
        return [card.fields[field] for card in self.faces]


def shortened(label: str, name: str) -> str:
    """Return a short name: the label or the name if they fit, else the abbreviated label."""
    for text in (label, name):
        if cell_len(text) <= MOST_SHORT_CELLS:
            return text
    return set_cell_size(label, MOST_SHORT_CELLS - 1).strip() + "."
