"""Values and exceptions of third-party code in messages, without running that code."""

from collections.abc import Sequence
from contextlib import suppress
from operator import index

from cardhub.base.errors import Interruption

# The maximum length of a value or of a program's text in a message.
LONG = 200
# The maximum size of an int in a message: Python does not convert very large ones to text.
MOST_BITS = 256

_SCALARS = (int, float, bool, str, bytes, type(None))
_CONTAINERS = (list, tuple, set, frozenset, dict)


def as_int(value: object) -> int | None:
    """Return an integer value, numpy's included, as an int; None for any other value.

    Raises the exceptions of the value's own `__index__`.
    """
    # A bool is an int in Python, but a bot that answers with one has confused an action with a
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
    return clip(text)


def describe_exception(error: BaseException) -> str:
    """Return type and message of an exception on one line, even if its `__str__` raises."""
    kind = type(error).__name__
    try:
        return f"{kind}: {error}".rstrip(": ")
    except Interruption:
        raise  # a deadline that expires while the message is read
    except BaseException as second:  # noqa: BLE001  # the exception's own __str__ may raise anything
        return f"{kind}, whose message cannot be read: {type(second).__name__}"


def clip(text: str, width: int = LONG) -> str:
    """Return the first `width` characters of a string, the last of them `…` if it is cut."""
    return text if len(text) <= width else text[: width - 1] + "…"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return strings as a list in a sentence: `a, b and c`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


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
