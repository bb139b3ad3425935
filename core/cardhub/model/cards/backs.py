"""The section `backs` of a card file."""

from cardhub.base.yamlfile import (
    NAME,
    Diagnostics,
    MappingNode,
    Node,
    ScalarNode,
    StringType,
    ValueType,
    read_mapping,
    read_value,
)
from cardhub.base.yamlfile.value_types import is_name, is_printable
from cardhub.model.cards.art import DRAWINGS, ArtReader
from cardhub.model.cards.cards import COLOURS, Back
from cardhub.model.cards.suits import reject_same

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
