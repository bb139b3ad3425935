"""What a bot's classes and modules hold, to find out what it keeps from one game to the next."""

import sys
from collections.abc import Iterator
from inspect import isclass, isfunction, ismodule
from random import Random
from typing import Any

DEPTH = 8
"""How deep lists in dictionaries in objects are looked into."""


def outside(bot: object) -> dict[str, object]:
    """Return all that outlives a bot, by name, as nothing that happens to it can change."""
    held: dict[str, object] = {}
    seen: dict[int, object] = {}
    for name, value in _held(bot):
        if name not in held:
            held[name] = _frozen(value, seen, DEPTH)
    return held


def changed(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Return the names of what is not as it was."""
    return [name for name in after if after[name] != before.get(name)]


def _held(bot: object) -> Iterator[tuple[str, Any]]:
    for kind in type(bot).__mro__:
        module = sys.modules.get(kind.__module__)
        if module is None or kind.__module__ in ("builtins", "abc", "typing"):
            continue
        yield from _of(kind)
        for name, value in list(vars(module).items()):
            if isclass(value) and value.__module__ == module.__name__:
                yield from _of(value)
            elif not (name.startswith("__") or ismodule(value)):
                yield name, value


def _of(kind: type) -> Iterator[tuple[str, Any]]:
    for name, value in vars(kind).items():
        if not name.startswith("__") or isfunction(value):
            yield f"{kind.__name__}.{name}", value


def _frozen(value: Any, seen: dict[int, object], depth: int) -> object:
    """Return something that equals another only if the two values were alike."""
    if isinstance(value, bool | int | float | str | bytes | None):
        return value
    if id(value) in seen or not depth:
        return type(value).__name__
    seen[id(value)] = value  # and so no other value gets this number
    if isinstance(value, dict):
        return tuple(_frozen(pair, seen, depth) for pair in list(value.items()))
    if isinstance(value, list | tuple):
        return tuple(_frozen(part, seen, depth - 1) for part in value)
    if isinstance(value, set | frozenset):
        return frozenset(_frozen(part, seen, depth - 1) for part in value)
    if isinstance(value, Random):
        return value.getstate()
    if isfunction(value):  # what stands as a default outlives the call
        return _frozen(value.__defaults__, seen, depth - 1)
    if isclass(value) or ismodule(value):
        return value.__name__
    return _frozen(getattr(value, "__dict__", None), seen, depth - 1)
