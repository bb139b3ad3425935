"""What a value in a card file may be, and what to say if it is something else."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from cardhub.cards.nodes import Broken, Node, Problems, Table, Text, describe, quote
from cardhub.suggest import did_you_mean

FieldType: TypeAlias = type[int] | type[str] | range | tuple[str, ...]
"""An integer, a text, an integer from a range, or one of several words."""

_INTEGER = re.compile("-?(0|[1-9][0-9]{0,17})")
_LEADING_ZERO = re.compile("-?0[0-9]+")
_NAME = re.compile("[\\w'-]+")
_MOST_KNOWN = 100


@dataclass(frozen=True, slots=True)
class Shape:
    """A text of which more is asked than to be printable."""

    words: str
    fits: Callable[[str], bool]


Kind: TypeAlias = FieldType | Shape


def is_printable(text: str) -> bool:
    """Tell whether a terminal shows this text on one line, as written."""
    return text.replace("\xa0", " ").replace("\u202f", " ").isprintable()


def _is_title(text: str) -> bool:
    return bool(text.strip()) and is_printable(text)


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def _is_unknown(text: str) -> bool:
    return text.isprintable() and " " not in text and not (not text or _is_name(text))


NAME = Shape("a name of letters, digits and - _ '", _is_name)
LETTER = Shape("one printable character", lambda text: len(text) == 1 and _is_title(text))
TITLE = Shape("printable text on one line", _is_title)
UNKNOWN = Shape("printable, without blanks and no card's name, such as 'R?'", _is_unknown)


def check_fields(fields: Mapping[str, FieldType], builtin: Collection[str]) -> None:
    """Raise what a plugin author did wrong in declaring the fields of the cards."""
    for name, kind in fields.items():
        if name in builtin:
            raise ValueError(f"Every card has a {name!r} already; call the field something else.")
        if kind is not int and kind is not str and not isinstance(kind, range | tuple):
            raise TypeError(f"A field is int, str, a range or a tuple of words, not {kind!r}.")
        if isinstance(kind, range | tuple) and not kind:
            raise ValueError(f"No value fits the field {name!r}.")


def words_for(kind: Kind) -> str:
    """Say what fits, to follow `must be`."""
    if isinstance(kind, Shape):
        return kind.words
    if isinstance(kind, range):
        return f"an integer from {kind[0]} to {kind[-1]}"
    if isinstance(kind, tuple):
        listed = ", ".join(map(repr, kind))
        return f"one of {listed}" if len(kind) > 1 else listed
    return "an integer" if kind is int else "printable text"


def read_value(key: str, node: Node, kind: Kind, problems: Problems) -> int | str | None:
    """Return the value of one key, or None after saying what is wrong with it."""
    if isinstance(node, Broken):
        return None
    value = _convert(node.value, kind) if isinstance(node, Text) else None
    if value is None:
        hint = _hint(node.value, kind) if isinstance(node, Text) else ""
        problems.add(node, f"{key} must be {words_for(kind)}, not {describe(node)}{hint}")
    return value


def read_row(
    node: Node, kinds: Mapping[str, Kind], optional: Collection[str], problems: Problems
) -> dict[str, int | str]:
    """Return the good values of one mapping; the bad and missing ones become problems."""
    if not isinstance(node, Table):
        problems.expected(node, "a mapping")
        return {}
    refuse_unknown_keys(node, kinds, problems)
    row: dict[str, int | str] = {}
    for key, kind in kinds.items():
        if key in node.entries:
            value = read_value(key, node.entries[key][1], kind, problems)
            if value is not None:
                row[key] = value
        elif key not in optional:
            problems.add(node, f"missing field {key!r} ({words_for(kind)})")
    return row


def refuse_unknown_keys(table: Table, known: Collection[str], problems: Problems) -> None:
    """Note every key that nobody asked for, and the one that was probably meant."""
    for key, (place, _) in table.entries.items():
        if key not in known:
            hint = did_you_mean(key[:_MOST_KNOWN], known) or f" Known: {', '.join(known)}."
            problems.add(place, f"unknown key {quote(key)}.{hint}")


def _convert(text: str, kind: Kind) -> int | str | None:
    if isinstance(kind, Shape):
        return text if kind.fits(text) else None
    if isinstance(kind, tuple):
        return text if text in kind else None
    if kind is str:
        return text if is_printable(text.replace("\n", " ")) else None
    if _INTEGER.fullmatch(text) is None:
        return None
    number = int(text)
    return number if not isinstance(kind, range) or number in kind else None


def _hint(text: str, kind: Kind) -> str:
    if isinstance(kind, tuple):
        known = islice(kind, _MOST_KNOWN)
        suggestion = did_you_mean(text[:_MOST_KNOWN], known)
        return f".{suggestion}" if suggestion else ""
    if (kind is int or isinstance(kind, range)) and _LEADING_ZERO.fullmatch(text):
        return ": no leading zeros"
    return ""
