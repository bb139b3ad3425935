"""The section `suits` of a card file: glyphs for people in place of letters in names."""

from collections.abc import Collection, Sequence

from rich.cells import cell_len

from cardhub.base.yamlfile import (
    NAME,
    Diagnostics,
    Entries,
    Node,
    ScalarNode,
    Schema,
    Section,
    StringType,
    quote,
    read_value,
)
from cardhub.base.yamlfile.value_types import is_name, is_printable
from cardhub.model.cards.art import DRAWINGS, ArtReader
from cardhub.model.cards.cards import COLOURS, Back, Suit

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
    {"letter": LETTER, "title": TITLE, "unknown": UNKNOWN, "colour": COLOURS, "art": DRAWINGS}
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
