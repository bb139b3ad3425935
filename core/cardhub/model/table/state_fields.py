"""The fields that a game's state class declares: their kinds and first values."""

import inspect
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, cast, get_args, get_origin

# How a field is cloned: `plain` values are shared, a `list` is copied, `lists` also row by row.
Copying = Literal["plain", "list", "lists"]


@dataclass(slots=True)
class TokenField:
    """A field of a state class that has a number for each token."""

    name: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


def per_token() -> list[int]:
    """Declare a number for each token: 0 at first, and again after a shuffle of the token.

    For public knowledge about a card, such as a mask of the faces that it cannot have.
    """
    # It has the type of the attribute that replaces it in each state, as zones do.
    return cast("list[int]", TokenField())


def declared_fields(cls: type) -> dict[str, Copying]:
    """Return how each annotated field of a class is cloned, by name; raises TypeError."""
    hints = inspect.get_annotations(cls, eval_str=True).items()
    return {name: _copying(cls, name, hint) for name, hint in hints if _kind(hint) is not ClassVar}


def _copying(cls: type, name: str, hint: Any) -> Copying:
    kind = _kind(hint)
    if kind is list:
        inner = get_args(hint)
        return "lists" if inner and get_origin(inner[0]) is list else "list"
    if kind in (int, bool, str, tuple):
        return "plain"
    raise TypeError(
        f"{cls.__name__}.{name}: a state holds int, bool, str, tuples, list[int] and "
        "list[list[int]]; give the class its own clone for anything else"
    )


def default_value(cls: type, name: str) -> Any:
    """Return the first value of a plain field."""
    hint = inspect.get_annotations(cls, eval_str=True)[name]
    return vars(cls).get(name, _kind(hint)())


def _kind(hint: Any) -> Any:
    return get_origin(hint) or hint
