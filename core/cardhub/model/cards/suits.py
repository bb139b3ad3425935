"""The section `suits` of a card file: glyphs for people in place of letters in names."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from cardhub.base.yamlfile import (
    NAME,
    Diagnostics,
    MappingNode,
    Node,
    ScalarNode,
    StringType,
    ValueType,
    quote,
    read_mapping,
    read_value,
)
from cardhub.base.yamlfile.value_types import is_name, is_printable
from cardhub.model.cards.art import DRAWINGS, ArtReader
from cardhub.model.cards.cards import COLOURS, Back, Suit

MAX_SUITS = 50
_MOST_CELLS = 2


def _is_short(text: str) -> bool:
    return 0 < cell_len(text) <= _MOST_CELLS and text.isprintable() and " " not in text


def _is_glyph(text: str) -> bool:
    # An ASCII character would also be replaced inside words.
    return _is_short(text) and not any(map(str.isascii, text))


def _is_plain(text: str) -> bool:
    return _is_short(text) and text.isascii()


GLYPH = StringType("a printable character that is not ASCII, such as ♥", _is_glyph)
PLAIN = StringType("one or two ASCII characters, such as H", _is_plain)
_SUIT: dict[str, ValueType] = {"glyph": GLYPH, "ascii": PLAIN, "colour": COLOURS}


def read_suits(section: Node | None, diagnostics: Diagnostics) -> tuple[Suit, ...]:
    """Return the suits of a card file; reports invalid ones."""
    if section is None:
        return ()
    if not isinstance(section, MappingNode) or not section.entries:
        diagnostics.expected(section, "a mapping of suits")
        return ()
    entries = list(section.entries.values())
    if len(entries) > MAX_SUITS:
        diagnostics.add(entries[MAX_SUITS][0], f"too many suits: at most {MAX_SUITS} are allowed")
    suits = tuple(_suit(key, value, diagnostics) for key, value in entries[:MAX_SUITS])
    keys = [key for key, _ in entries]
    reject_same("glyph", "suit", keys, [suit.glyph for suit in suits], diagnostics)
    reject_same("ascii", "suit", keys, [suit.ascii for suit in suits], diagnostics)
    return suits


def reject_unused(section: Node | None, names: Iterable[str], diagnostics: Diagnostics) -> None:
    """Report suits that have no cards."""
    if not isinstance(section, MappingNode):
        return
    known = list(names)
    for key, (node, _) in list(section.entries.items())[:MAX_SUITS]:
        if not any(name != key and name.endswith(key) for name in known):
            where = f"no card has a name that ends with the suit {quote(key)}"
            diagnostics.add(node, f"{where}. fix: name cards such as {quote('7' + key)}")


def suit_of(name: str, suits: Sequence[Suit]) -> Suit | None:
    """Return the suit with which a name ends, the longest one if there are several."""
    ends = [suit for suit in suits if name != suit.key and name.endswith(suit.key)]
    return max(ends, key=lambda suit: len(suit.key), default=None)


def with_glyph(name: str, suit: Suit | None) -> str:
    """Return a card's name with the glyph of its suit: `7♥`."""
    return name if suit is None else name.removesuffix(suit.key) + suit.glyph


def reject_same(
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
    row = read_mapping(value, _SUIT, {"ascii", "colour"}, diagnostics)
    return Suit(
        key=key.value,
        # An invalid glyph has been reported: the key keeps its cards apart from others.
        glyph=str(row.get("glyph", key.value)),
        ascii=str(row.get("ascii", key.value)),
        colour=str(row.get("colour", "")),
    )


MAX_BACKS = 100
_PLAIN_BACK = Back("card", "#", "a card", "?", "grey")


def is_title(text: str) -> bool:
    """Return whether a text is printable, on one line and not blank."""
    return bool(text.strip()) and is_printable(text)


def _is_letter(text: str) -> bool:
    return len(text) == 1 and is_title(text)


def _is_placeholder(text: str) -> bool:
    return text.isprintable() and " " not in text and not (not text or is_name(text))


LETTER = StringType("one printable character", _is_letter)
TITLE = StringType("printable text on one line", is_title)
UNKNOWN = StringType("printable, without blanks and no card's name, such as 'R?'", _is_placeholder)
_BACK: dict[str, ValueType] = {
    "letter": LETTER,
    "title": TITLE,
    "unknown": UNKNOWN,
    "colour": COLOURS,
    "art": DRAWINGS,
}


def read_backs(section: Node | None, art: ArtReader, diagnostics: Diagnostics) -> tuple[Back, ...]:
    """Return the backs of a card file, by default a plain one; reports invalid ones."""
    if section is None:
        return (_PLAIN_BACK,)
    if not isinstance(section, MappingNode) or not section.entries:
        diagnostics.expected(section, "a mapping of backs")
        return ()
    keys = [key for key, _ in section.entries.values()]
    if len(keys) > MAX_BACKS:
        diagnostics.add(keys[MAX_BACKS], f"too many backs: at most {MAX_BACKS} are allowed")
    keys = keys[:MAX_BACKS]  # the excess is one problem, not one for each further back
    backs = tuple(_back(key, section.entries[key.value][1], art, diagnostics) for key in keys)
    reject_same("letter", "back", keys, [back.letter for back in backs], diagnostics)
    reject_same("unknown", "back", keys, [back.unknown for back in backs], diagnostics)
    return backs


def _back(key: ScalarNode, value: Node, art: ArtReader, diagnostics: Diagnostics) -> Back:
    read_value("a back", key, NAME, diagnostics)
    row = read_mapping(value, _BACK, _BACK, diagnostics)
    letter = str(row.get("letter", key.value[:1].upper()[:1]))
    return Back(
        name=key.value,
        letter=letter,
        title=str(row.get("title", f"a {key.value} card")),
        unknown=str(row.get("unknown", f"{letter}?")),
        colour=str(row.get("colour", "grey")),
        art=art.use(row, value),
    )
