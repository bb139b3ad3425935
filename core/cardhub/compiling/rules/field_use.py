"""Which fields the rules read; stands apart, because it knows the typed form and no C."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from cardhub.compiling.rules.form import Assign, Field, Function, Helper

# Helpers that only write to the list at this place of their operands.
_WRITTEN = {"put": 1, "put_all": 1, "assign": 0, "clear": 0}
# What a playout itself reads, and what every shuffle resets.
ALWAYS = frozenset({"seats", "seat", "face"})


def read_fields(functions: Iterable[Function]) -> set[str]:
    """Return the names of the fields that functions read."""
    return {name for function in functions for name in _reads(function.body)}


def used_helpers(functions: Iterable[Function]) -> set[str]:
    """Return the names of the helpers that functions call."""
    return {
        node.name
        for function in functions
        for node in _nodes(function.body)
        if isinstance(node, Helper)
    }


def _nodes(part: Any) -> Iterator[Any]:
    """Yield all nodes of a block or node; called functions have their own."""
    if isinstance(part, list | tuple):
        for inner in part:
            yield from _nodes(inner)
    elif is_dataclass(part) and not isinstance(part, Function):
        yield part
        for field in fields(part):
            yield from _nodes(getattr(part, field.name))


def _reads(part: Any) -> Iterator[str]:
    if isinstance(part, list | tuple):
        for inner in part:
            yield from _reads(inner)
    elif isinstance(part, Field):
        yield part.name
        yield from _reads(part.row)
    elif isinstance(part, Assign):
        yield from _reads(part.value)
    elif isinstance(part, Helper):
        written = _WRITTEN.get(part.name)
        for place, operand in enumerate(part.operands):
            if place == written and isinstance(operand, Field):
                yield from _reads(operand.row)
            else:
                yield from _reads(operand)
    elif is_dataclass(part) and not isinstance(part, Function):
        for field in fields(part):
            yield from _reads(getattr(part, field.name))
