"""How the annotated fields of a state class start and are copied."""

import inspect
from typing import Any, ClassVar, Literal, get_args, get_origin

Copying = Literal["plain", "list", "lists"]
"""`plain` values are shared between clones, a `list` is copied, `lists` are copied one by one."""


def declared_fields(cls: type) -> dict[str, Copying]:
    """Return the fields a class annotates itself; raises TypeError for what a state cannot hold."""
    hints = inspect.get_annotations(cls, eval_str=True).items()
    return {name: _copying(cls, name, hint) for name, hint in hints if _kind(hint) is not ClassVar}


def start_value(cls: type, name: str) -> Any:
    """Return a plain field's default: the class's own, or the empty value of its type."""
    hint = inspect.get_annotations(cls, eval_str=True)[name]
    return vars(cls).get(name, _kind(hint)())


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


def _kind(hint: Any) -> Any:
    return get_origin(hint) or hint
