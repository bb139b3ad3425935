"""The methods of a state class, written out as source text for the zones and fields it declares.

A loop over zones at every `put`, or over fields at every `clone`, would take longer than the rest
of the method. The text is plain Python without closures, so it can also be compiled.
"""

import linecache
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

from cardhub.model.table.faces import SECRET
from cardhub.model.table.state_declaration import CORE, StateDeclaration, Zone, is_literal

METHODS = ("__init__", "clone", "put", "put_all", "move")

_INIT = "def __init__(self, seats: int, faces: Faces, backs: Iterable[int], settings: Settings"
_PLACE = "zone: list[Any], pile: int = 0) -> None:"
# How `move` removes a token: `list.remove` compares objects by calls, a compiled loop does not.
_REMOVING = ("source.remove(token)",)
_NATIVE_REMOVING = (
    "for place, held in enumerate(source):",
    "    if held == token:",
    "        source.pop(place)",
    "        break",
    "else:",
    f"    {_REMOVING[0]}",  # raises its error
)
# Numbers the texts, because two classes may have the same name.
_numbers = count(1)


def written_methods(cls: type, declaration: StateDeclaration) -> dict[str, Callable[..., Any]]:
    """Return the methods of a state class by name; tracebacks show their source."""
    # Attributes of a compiled base are slow to reach from here.
    has_compiled_base = hasattr(cls, "__mypyc_attrs__")
    making = _making(declaration, calls_base=has_compiled_base)
    source = "\n".join(_lines(declaration, making, _REMOVING))
    names = {"new": cls.__new__, "copied": list.copy, "EMPTY": ((),), "Class": cls}
    names |= {_default(name): value for name, value in declaration.initial().items()}
    methods = run_source(source, f"methods of {cls.__module__}.{cls.__qualname__}", names)
    for name in METHODS:
        methods[name].__qualname__ = f"{cls.__qualname__}.{name}"
        methods[name].__module__ = cls.__module__
    return {name: methods[name] for name in METHODS}


def run_source(source: str, title: str, names: dict[str, Any]) -> dict[str, Any]:
    """Return the names that a source text of this module defines; `names` are its globals.

    Tracebacks show its lines.
    """
    text = f"from __future__ import annotations\n\n{source}\n"
    # The angle brackets keep messages from taking it for a file of the game.
    file = f"<{title}, {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    defined: dict[str, Any] = {}
    exec(compile(text, file, "exec"), names, defined)  # noqa: S102  # only text that this package writes, with names of attributes
    return defined


def native_methods(declaration: StateDeclaration) -> str:
    """Return the source of all METHODS as functions, for a class that mypyc compiles.

    Creating an instance without `__init__` would be slow there, so `__init__` copies another state
    if it gets one.
    """
    making = _native_making(declaration)
    return "\n".join(_lines(declaration, making, _NATIVE_REMOVING)) + "\n"


def _lines(
    declaration: StateDeclaration, making: Iterator[str], removing: Iterable[str]
) -> Iterator[str]:
    yield from making
    yield from _put(declaration)
    yield from _put_all(declaration)
    yield from _move(declaration, removing)


def _making(declaration: StateDeclaration, *, calls_base: bool = False) -> Iterator[str]:
    left_out = CORE - {*declaration.plain} if calls_base else frozenset()
    yield f"{_INIT}) -> None:"
    if calls_base:
        yield "    self._begin(seats, faces, backs, settings)"
    for name, value in _first_values(declaration, "list(map(list, EMPTY * {rows}))").items():
        if name not in left_out:
            yield f"    self.{name} = {value}"
    yield f"def clone(self) -> {declaration.name}:"
    # All attributes in the order of `__init__`: then the instances of a class share their keys, and
    # attributes are read faster than from a copied dictionary.
    yield "    copy = new(Class)"
    if calls_base:
        yield "    self._copy_to(copy)"
    for name, value in _copies(declaration, "list(map(copied, {rows}))").items():
        if name not in left_out:
            yield f"    copy.{name} = {value.format(source='self')}"
    yield "    return copy"


def _native_making(declaration: StateDeclaration) -> Iterator[str]:
    yield f'{_INIT}, source: "{declaration.name} | None" = None) -> None:'
    yield "    if source is None:"
    for name, value in _first_values(declaration, "[[] for _ in range({rows})]").items():
        yield f"        self.{name} = {value}"
    yield "        return"
    for name, value in _copies(declaration, "[row[:] for row in {rows}]").items():
        yield f"    self.{name} = {value.format(source='source')}"
    yield f'def clone(self) -> "{declaration.name}":'
    yield (f"    return {declaration.name}(self.seats, self.face, self.back, self.settings, self)")


def _first_values(declaration: StateDeclaration, rows: str) -> dict[str, str]:
    """Return the source of the first value of every attribute, in their order."""
    first = {
        "seats": "seats",
        "everybody": "(2 << seats) - 1",  # spectators have the bit after the last seat's
        "settings": "settings",
        "face": "faces",
        "back": "tuple(backs)",
        "seen": "[0] * len(faces)",
    }
    # A literal, or else a name.
    first |= {
        name: repr(value) if is_literal(value) else _default(name)
        for name, value in declaration.initial().items()
    }
    first |= dict.fromkeys(declaration.lists, "[]")
    first |= dict.fromkeys(declaration.token_fields, "[0] * len(faces)")
    for name, size in declaration.zone_sizes().items():
        number = "seats" if size is None else str(size)
        first[name] = rows.format(rows=number) if size != 0 else "[]"
    return {name: first[name] for name in declaration.fields}


def _copies(declaration: StateDeclaration, rows: str) -> dict[str, str]:
    """Return the source of the copy of every attribute of `{source}`, in their order."""
    lists, nested = {"seen", *declaration.lists}, {*declaration.nested}
    copies = {}
    for name in declaration.fields:
        value = f"{{source}}.{name}"
        if name in declaration.private:
            # By the method of each row, because an observation has rows that are not lists.
            value = f"[row.copy() for row in {value}]"
        elif name in nested:
            value = rows.format(rows=value)
        copies[name] = f"{value}[:]" if name in lists else value
    return copies


def _put(declaration: StateDeclaration) -> Iterator[str]:
    yield f"def put(self, token: int, {_PLACE}"
    yield from _by_zone(declaration, _putting)


def _put_all(declaration: StateDeclaration) -> Iterator[str]:
    yield f"def put_all(self, tokens: Sequence[int], {_PLACE}"
    yield from _by_zone(declaration, _putting_all)


def _move(declaration: StateDeclaration, removing: Iterable[str]) -> Iterator[str]:
    yield f"def move(self, token: int, source: list[int], {_PLACE}"
    yield from (f"    {line}" for line in removing)
    yield from _by_zone(declaration, _putting)


def _by_zone(
    declaration: StateDeclaration, putting: Callable[[Zone, StateDeclaration], Iterator[str]]
) -> Iterator[str]:
    for zone in declaration.zones:
        yield f"    if zone is self.{zone.name}:"
        yield from (f"        {line}" for line in putting(zone, declaration))
        yield "        return"
    yield "    raise self._not_a_zone()"


def _putting(zone: Zone, declaration: StateDeclaration) -> Iterator[str]:
    pile = _pile(zone)
    if declaration.is_mixed:
        yield "if self.pending_shuffles: self._leave_mixed_zones((token,))"
    yield f"{pile}.append(token)"
    if zone.faces == "all":
        yield "self.seen[token] = self.everybody"
    elif zone.faces != "nobody":
        yield f"self.seen[token] |= {_viewers(zone)}"
        if declaration.views:
            yield f"self.seen[token] &= ~(({_viewers(zone)}) << {SECRET})"
    if zone.mixed:
        yield f"self._mix({pile}, pile)"


def _putting_all(zone: Zone, declaration: StateDeclaration) -> Iterator[str]:
    pile = _pile(zone)
    if declaration.is_mixed:
        yield "if self.pending_shuffles: self._leave_mixed_zones(tokens)"
    yield f"{pile}.extend(tokens)"
    if zone.faces != "nobody":
        change = "=" if zone.faces == "all" else "|="
        yield f"seen = self.seen; viewers = {_viewers(zone)}"
        yield f"for token in tokens: seen[token] {change} viewers"
        if declaration.views:
            yield f"for token in tokens: seen[token] &= ~(viewers << {SECRET})"
    if zone.mixed:
        yield f"self._mix({pile}, pile)"


def _pile(zone: Zone) -> str:
    return f"self.{zone.name}" if zone.count is None else f"self.{zone.name}[pile]"


def _viewers(zone: Zone) -> str:
    return {"all": "self.everybody", "owner": "1 << pile"}.get(
        zone.faces, "self.everybody ^ 1 << pile"
    )


def _default(name: str) -> str:
    return f"first_{name}"
