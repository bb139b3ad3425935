"""Values and exceptions of third-party code in messages, without running that code."""

import re
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from operator import index

from cardhub.base.errors import Interruption
from cardhub.base.writing import clipped

# The maximum size of an int in a message: Python does not convert very large ones to text.
MOST_BITS = 256

_SCALARS = (int, float, bool, str, bytes, type(None))
_CONTAINERS = (list, tuple, set, frozenset, dict)


def as_int(value: object) -> int | None:
    """Return an integer value, numpy's included, as an int; None for any other value.

    Raises the exceptions of the value's own `__index__`.
    """
    # A bool is an int in Python, but a bot that answers with a bool has confused an action with a
    # comparison.
    kind = type(value)
    if kind is int:
        return value  # type: ignore[return-value]  # which mypy cannot tell from `kind`
    if kind is bool or not any("__index__" in vars(base) for base in kind.__mro__):
        return None
    if isinstance(value, int):
        return int.__index__(value)
    return int.__index__(index(value))  # type: ignore[arg-type]  # checked above


def quoted(value: object) -> str:
    """Return a value for a message, clipped; for values of other types the name of the type."""
    # The `repr` of a third-party class could print, raise or never return.
    kind = type(value)
    if kind is int and value.bit_length() > MOST_BITS:  # type: ignore[attr-defined]  # an int
        return f"a number of {value.bit_length()} bits"  # type: ignore[attr-defined]  # as above
    text = f"of type {kind.__name__}"
    # A list may contain itself.
    with suppress(RecursionError):
        text = repr(value) if is_plain(value) else text
    return clipped(text)


def describe_exception(error: BaseException) -> str:
    """Return type and message of an exception on one line, even if its `__str__` raises."""
    kind = type(error).__name__
    try:
        return f"{kind}: {error}".rstrip(": ")
    except Interruption:
        raise  # a deadline that expires while the message is read
    except BaseException as second:  # noqa: BLE001  # the exception's own __str__ may raise anything
        return f"{kind}, whose message cannot be read: {type(second).__name__}"


def is_plain(value: object) -> bool:
    """Return whether a value consists of built-in types only; raises RecursionError."""
    kind = type(value)
    if kind is int:
        return bool(value.bit_length() <= MOST_BITS)  # type: ignore[attr-defined]  # an int
    if kind is dict:
        return all(is_plain(k) and is_plain(v) for k, v in value.items())  # type: ignore[attr-defined]  # a dict
    if kind in _CONTAINERS:
        return all(map(is_plain, value))  # type: ignore[call-overload]  # iterable, as listed
    return kind in _SCALARS


# Control characters, line and paragraph separators, bidirectional controls, lone surrogates.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str, *, lines: bool = False) -> str:
    r"""Return a string with its control characters escaped: `\x1b`, `\u202e`.

    With `lines`, line ends are kept and tabs become spaces.
    """
    if lines:
        # A tab is a control character too, and would be printed as an escape.
        text = text.expandtabs()
    return UNSAFE.sub(lambda match: _escaped(match[0], lines), text)


def in_json(text: str) -> str:
    r"""Return a JSON string with the same characters escaped as in JSON: `\u009b`."""
    return UNSAFE.sub(lambda c: c[0] if c[0] == "\n" else f"\\u{ord(c[0]):04x}", text)


def _escaped(character: str, lines: bool) -> str:
    if lines and character == "\n":
        return character
    return character.encode("unicode_escape").decode("ascii")


def folded(text: str) -> str:
    """Return a text in the form in which typed ones are compared: case and spacing are ignored."""
    return " ".join(text.casefold().split())


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the most similar known string, or the only one that begins with `word`, or None."""
    by_folded = {name.casefold(): name for name in known}
    matches = get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    longer = [name for name in by_folded if word and name.startswith(word.casefold())]
    # An abbreviation is too short to be similar; it counts only if it is unique.
    if not matches and len(longer) == 1:
        matches = longer
    return by_folded[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message, ` Did you mean 'x'?`, or an empty string."""
    name = nearest(word, known)
    return f" Did you mean {name!r}?" if name is not None else ""
