"""Snapshots of rules in memory: the functions, classes and data of modules, and what has changed.

A snapshot is compared after every game, so a comparison only looks at the identity of objects; it
compares values if identities differ. Variables that are None or empty in the snapshot may be filled
later, because they are caches. A snapshot may be taken after caches have been filled: their names
can be left out later.
"""

import builtins
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain
from operator import attrgetter, is_
from types import (
    CodeType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple, Protocol

# Immutable values, which are equal if they have the same type and compare equal.
PLAIN = (bool, int, float, complex, str, bytes)
DICTS = (dict, MappingProxyType)
CONTAINERS = (list, tuple, set, frozenset, deque, *DICTS)
# What wraps functions, and the attributes with the wrapped function and its arguments.
WRAPPERS = (staticmethod, classmethod, property, partial, MethodType)
WRAPPED = ("__func__", "fget", "fset", "func", "args", "keywords")
BUFFERS = ("bytearray", "array", "ndarray")
CODE_FIELDS = (
    *("co_code", "co_names", "co_varnames", "co_cellvars", "co_freevars", "co_argcount"),
    *("co_kwonlyargcount", "co_posonlyargcount", "co_flags"),
)
# A cache of a class: the members of a Flag.
MEMBERS = "_value2member_map_"
BASES = "the bases of "
MODULE = "module "
MISSING = object()
FUNCTION_PARTS = ("__code__", "__defaults__", "__kwdefaults__")
# Attempts of a comparison while another thread imports modules.
ATTEMPTS = 5


class Change(NamedTuple):
    """An attribute, item or part of a function that differs, with both values, or MISSING."""

    name: str
    before: object
    now: object

    def __str__(self) -> str:
        if self.before is MISSING:
            return f"{self.name} has been added"
        if self.now is MISSING:
            return f"{self.name} is missing"
        before, now = source_of(self.before), source_of(self.now)
        if before and now:
            return f"{self.name} is no longer the function of {before}, but the one of {now}"
        return (
            f"{self.name} is no longer the function of {before}"
            if before
            else (f"{self.name} has changed")
        )


def is_within(name: str, variables: Collection[str]) -> bool:
    """Return whether a name is one of some variables or modules, or of a part of one of them."""
    if name in variables:
        return True
    ends = [number for number, letter in enumerate(name) if letter in "[."]
    return any(name[:end] in variables for end in ends)


def source_of(thing: object) -> str:
    """Return file and line of a function, a method or its code, else an empty text."""
    for name in ("__func__", "fget", "func", "__wrapped__"):
        thing = getattr(thing, name, thing) if not isinstance(thing, type) else thing
    code = thing if isinstance(thing, CodeType) else getattr(thing, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if isinstance(code, CodeType) else ""


class Part(Protocol):
    """A part of a snapshot. `name`: the name of its object, or of the attribute of many objects."""

    name: str

    def is_same(self) -> bool:
        """Return whether nothing has changed; False if values have to be compared."""
        ...

    def changes(self) -> Iterator[Change]:
        """Yield what has changed."""
        ...

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the values by name, as they were."""
        ...


class RulesSnapshot:
    """The functions and classes of modules as they are now, with everything that they refer to.

    `modules`: also their data are included; `others`: modules of which only functions and classes
    are, because their data change during a game. `libraries`: modules of which only the names are
    compared. `objects`: further objects by name.
    """

    def __init__(
        self,
        modules: Collection[ModuleType],
        others: Collection[ModuleType] = (),
        libraries: Collection[ModuleType] = (),
        objects: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self._homes = frozenset(module.__name__ for module in (*modules, *others))
        self._functions = {name: _Parallel(name) for name in FUNCTION_PARTS}
        self._cells = _Parallel("cell_contents")
        self._bases = _Parallel("__bases__")
        self._parts: list[Part] = [*self._functions.values(), self._cells, self._bases]
        self._visited: dict[int, object] = {}
        self._queue: deque[tuple[str, object, bool]] = deque()
        self._queue += ((module.__name__, module, True) for module in modules)
        self._queue += ((module.__name__, module, False) for module in others)
        self._queue += ((name, thing, True) for name, thing in objects.items())
        # Only the names of libraries: their parts have too many objects.
        self._libraries = [_Namespace(m.__name__, m, can_grow=True) for m in libraries]
        while self._queue:
            self._visit(*self._queue.popleft())

    def changes(self) -> list[Change]:
        """Return what has changed since."""
        for attempt in range(ATTEMPTS):
            try:
                return [change for _, change in _changes_of(chain(self._parts, self._libraries))]
            except RuntimeError:  # a dictionary has grown meanwhile
                if attempt == ATTEMPTS - 1:
                    raise
        return []

    def changed_variables(self) -> set[str]:
        """Return the names of the variables and containers that have changed since."""
        containers = (_List, _Set, _Dict, _Buffer)
        return {
            part.name if isinstance(part, containers) else change.name
            for part, change in _changes_of(self._parts)
        }

    def leave_out(self, caches: Collection[str]) -> None:
        """No longer compare the variables with these names, nor what they contain."""
        self._parts = [part for part in self._parts if not is_within(part.name, caches)]

    def description(self) -> dict[str, str]:
        """Return a text for each value by its name; equal rules have equal texts in any process.

        The texts of values that may be filled later are empty.
        """
        return {name: text_of(value) for part in self._parts for name, value in part.items()}

    def class_names(self) -> set[str]:
        """Return the names of the classes."""
        return {name.removeprefix(BASES) for name, _ in self._bases.items()}

    def _visit(self, name: str, thing: object, has_data: bool) -> None:
        if isinstance(thing, PLAIN) or _is_unset(thing) or id(thing) in self._visited:
            return
        self._visited[id(thing)] = thing
        if isinstance(thing, ModuleType | type):
            self._visit_definitions(name, thing, has_data)
        elif isinstance(thing, FunctionType):
            # Functions of cardhub's other modules are not rules; decorators from elsewhere may be.
            if self._is_own(thing) or not str(thing.__module__).startswith("cardhub."):
                self._visit_function(_full_name(thing, name), thing)
        elif isinstance(thing, WRAPPERS):
            for attribute in WRAPPED:
                self._add(name, getattr(thing, attribute, None))
        elif has_data:
            self._visit_data(name, thing)

    def _visit_definitions(self, name: str, thing: ModuleType | type, has_data: bool) -> None:
        if isinstance(thing, ModuleType):
            if name == thing.__name__:  # not a module that another one imports
                self._enter(_Namespace(name, thing, can_grow=True), has_data=has_data)
        elif self._is_own(thing):
            name = _full_name(thing, name)
            self._enter(_Namespace(name, thing))
            self._add(name, self._bases.add(f"{BASES}{name}", thing))

    def _visit_function(self, name: str, function: FunctionType) -> None:
        for attribute, parallel in self._functions.items():
            part = name if attribute == "__code__" else f"{name}.{attribute}"
            if getattr(function, attribute) is not None:
                self._add(part, parallel.add(part, function))
        self._add(name, vars(function))
        for variable, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            with suppress(ValueError):  # it has no value yet
                part = f"{variable} of {name}"
                self._add(part, self._cells.add(part, cell))

    def _visit_data(self, name: str, thing: object) -> None:
        if isinstance(thing, tuple):
            for number, value in enumerate(thing):
                self._add(f"{name}[{number}]", value)
        elif isinstance(thing, list | deque):
            self._enter(_List(name, thing))
        elif isinstance(thing, set):
            self._parts.append(_Set(name, thing))
        elif isinstance(thing, DICTS):
            self._enter(_Dict(name, thing))
        elif type(thing).__name__ in BUFFERS:
            self._parts.append(_Buffer(name, thing))
        elif self._is_own(type(thing)) or isinstance(thing, cached_property):
            self._add(f"class of {name}", type(thing))
            if hasattr(thing, "__dict__"):
                self._enter(_Namespace(name, thing, can_grow=True))
            self._enter(_Slots(name, thing))
        elif isinstance(wrapped := getattr(thing, "__wrapped__", None), FunctionType):
            self._add(name, wrapped)  # a function with a cache

    def _enter(self, part: Part, *, has_data: bool = True) -> None:
        self._parts.append(part)
        for name, value in part.items():
            self._add(name, value, has_data=has_data)

    def _add(self, name: str, thing: object, *, has_data: bool = True) -> None:
        self._queue.append((name, thing, has_data))

    def _is_own(self, thing: Any) -> bool:
        """Return whether one of the modules defines a function or class."""
        return getattr(thing, "__module__", None) in self._homes


class _Parallel:
    """One attribute of many objects, such as the code of all functions; it can be replaced."""

    def __init__(self, attribute: str) -> None:
        self.name = attribute
        self._read = attrgetter(attribute)
        self._names: list[str] = []
        self._things: list[object] = []
        self._before: list[object] = []

    def add(self, name: str, thing: object) -> object:
        """Add an object, and return the value of its attribute."""
        value: object = self._read(thing)
        self._names.append(name)
        self._things.append(thing)
        self._before.append(value)
        return value

    def is_same(self) -> bool:
        """Return whether the attributes of all objects are the same objects."""
        return all(map(is_, map(self._read, self._things), self._before))

    def changes(self) -> Iterator[Change]:
        """Yield the attributes that have been replaced."""
        for name, thing, value in zip(self._names, self._things, self._before, strict=True):
            yield from _changed(name, value, self._read(thing))

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the attributes by the names of their objects."""
        yield from zip(self._names, self._before, strict=True)


class _Namespace:
    """The attributes of a module, a class or an object.

    `can_grow`: whether there may be new names, if they hide no other object.
    """

    def __init__(self, name: str, thing: Any, *, can_grow: bool = False) -> None:
        self.name = name
        self._thing = thing
        self._kind = type(thing)
        self._can_grow = can_grow
        self._before = dict(vars(thing))
        # Live views of the dictionary, which a comparison need not create.
        self._views = vars(thing).keys(), vars(thing).values()
        # The dictionary of an object can itself be replaced, unlike the one of a class.
        self._dict = None if isinstance(thing, type) else vars(thing)
        self._lists = list(self._before), list(self._before.values())

    def is_same(self) -> bool:
        """Return whether the names have the same objects in the same order."""
        (names, values), (own_names, own_values) = self._views, self._lists
        if len(names) != len(own_names) and (not self._can_grow or any(self._hiding())):
            return False
        return (
            all(map(is_, values, own_values))
            and all(map(is_, names, own_names))
            and type(self._thing) is self._kind
            and (self._dict is None or vars(self._thing) is self._dict)
        )

    def changes(self) -> Iterator[Change]:
        """Yield replaced, removed and harmful new attributes."""
        now = vars(self._thing)
        if type(self._thing) is not self._kind:
            yield Change(f"class of {self.name}", self._kind, type(self._thing))
        for name, value in self._before.items():
            if not _belongs_to_libraries(name, value):
                yield from _changed(f"{self.name}.{name}", value, now.get(name, MISSING))
        for name in self._hiding():
            yield Change(f"{self.name}.{name}", MISSING, now[name])

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the attributes."""
        for name, value in self._before.items():
            if not _belongs_to_libraries(name, value):
                yield f"{self.name}.{name}", value

    def _hiding(self) -> Iterator[str]:
        """Yield the new names that change what code refers to."""
        outer = builtins if self._is_module else None
        for name, value in list(vars(self._thing).items()):
            if name in self._before or _belongs_to_libraries(name, value):
                continue
            if isinstance(self._thing, type) or self._hides(name, outer):
                yield name

    @property
    def _is_module(self) -> bool:
        return issubclass(self._kind, ModuleType)

    def _hides(self, name: str, outer: ModuleType | None) -> bool:
        if outer is not None:
            return self._thing is not outer and hasattr(outer, name)
        hidden = getattr(self._kind, name, None)
        # A cached property is hidden by its value, as None is by the value that is set later.
        return not _is_unset(hidden) and not isinstance(hidden, cached_property)


class _List:
    """The items of a list or a deque."""

    def __init__(self, name: str, thing: "list[Any] | deque[Any]") -> None:
        self.name = name
        self._thing = thing
        self._before = list(thing)
        self._ids = list(map(id, self._before))

    def is_same(self) -> bool:
        """Return whether the items are the same objects."""
        return list(map(id, self._thing)) == self._ids

    def changes(self) -> Iterator[Change]:
        """Yield the whole list if any of its values has changed."""
        now = list(self._thing)
        if not _is_equal(self._before, now):
            yield Change(self.name, self._before, now)

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the items by their numbers."""
        for number, value in enumerate(self._before):
            yield f"{self.name}[{number}]", value


class _Set:
    """The items of a set."""

    def __init__(self, name: str, thing: "set[Any]") -> None:
        self.name = name
        self._thing = thing
        self._before = frozenset(thing)

    def is_same(self) -> bool:
        """Return whether the items are equal."""
        return self._thing == self._before

    def changes(self) -> Iterator[Change]:
        """Yield the whole set."""
        yield Change(self.name, self._before, frozenset(self._thing))

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the items, which are hashable and therefore not entered."""
        yield f"{self.name}[]", self._before


class _Dict:
    """The items of a dictionary."""

    def __init__(self, name: str, thing: Mapping[Any, Any]) -> None:
        self.name = name
        self._thing = thing
        self._before = dict(thing)
        self._ids = [*map(id, self._before), *map(id, self._before.values())]

    def is_same(self) -> bool:
        """Return whether keys and values are the same objects."""
        now = self._thing
        return [*map(id, now), *map(id, now.values())] == self._ids

    def changes(self) -> Iterator[Change]:
        """Yield the items that have changed."""
        now = dict(self._thing)
        for key, value in self._before.items():
            yield from _changed(f"{self.name}[{_key_text(key)}]", value, now.pop(key, MISSING))
        for key, value in now.items():
            yield Change(f"{self.name}[{_key_text(key)}]", MISSING, value)

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the items."""
        for key, value in self._before.items():
            yield f"{self.name}[{_key_text(key)}]", value


class _Slots:
    """The slots of an object, which are not in its namespace."""

    def __init__(self, name: str, thing: object) -> None:
        self.name = name
        self._thing = thing
        self._slots: dict[str, MemberDescriptorType] = {
            slot: descriptor
            for kind in type(thing).__mro__
            for slot, descriptor in vars(kind).items()
            if isinstance(descriptor, MemberDescriptorType)
        }
        self._before = {slot: self._value(slot) for slot in self._slots}

    def is_same(self) -> bool:
        """Return whether all slots have the same objects."""
        return all(self._value(slot) is value for slot, value in self._before.items())

    def changes(self) -> Iterator[Change]:
        """Yield the slots that have changed."""
        for slot, value in self._before.items():
            yield from _changed(f"{self.name}.{slot}", value, self._value(slot))

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the slots."""
        for slot, value in self._before.items():
            yield f"{self.name}.{slot}", value

    def _value(self, slot: str) -> object:
        try:
            return self._slots[slot].__get__(self._thing)
        except AttributeError:
            return None  # to be filled later


class _Buffer:
    """The bytes of an array."""

    def __init__(self, name: str, thing: Any) -> None:
        self.name = name
        self._thing = thing
        self._before = bytes(thing)

    def is_same(self) -> bool:
        """Return whether the bytes are equal."""
        return bytes(self._thing) == self._before

    def changes(self) -> Iterator[Change]:
        """Yield the array, because its bytes differ."""
        yield Change(self.name, self._before, bytes(self._thing))

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the bytes."""
        yield self.name, self._before


def _changes_of(parts: Iterable[Part]) -> Iterator[tuple[Part, Change]]:
    """Yield what has changed with its part; values are compared only if a part is not the same."""
    for part in parts:
        if not part.is_same():
            for change in part.changes():
                yield part, change


def _belongs_to_libraries(name: str, value: object) -> bool:
    """Return whether Python or a library fills an attribute, such as a cache for pickles."""
    if name == MEMBERS:
        return True
    is_special = name.startswith("__") and name.endswith("__")
    return is_special and not callable(value) and not hasattr(object, name)


def _changed(name: str, before: object, now: object) -> Iterator[Change]:
    if before is not now and not _is_unset(before) and not _is_equal(before, now):
        yield Change(name, before, now)


def _is_unset(value: object) -> bool:
    """Return whether a variable has no value yet: its cache may be filled later."""
    return value is None or (isinstance(value, CONTAINERS) and not value)


def _is_equal(before: object, now: object) -> bool:
    if before is now:
        return True
    if type(before) is not type(now):
        return False
    if type(before) in (tuple, list):
        pair = list(before), list(now)  # type: ignore[call-overload]  # both are of one type
        return len(pair[0]) == len(pair[1]) and all(map(_is_equal, *pair))
    return type(before) in PLAIN and before == now


def _full_name(thing: Any, name: str) -> str:
    """Return the name of a function or class in its own module, else its name as it was found."""
    home, own = getattr(thing, "__module__", None), getattr(thing, "__qualname__", "<")
    return name if home is None or "<" in own else f"{home}.{own}"


def _key_text(key: object) -> str:
    return repr(key) if isinstance(key, PLAIN) else text_of(key)


def text_of(value: object) -> str:
    """Return a text for a value that is the same in any process; empty if it is not set yet."""
    if _is_unset(value):
        return ""
    if isinstance(value, PLAIN):
        text = f"{type(value).__name__} {value!r}"
    elif isinstance(value, CodeType):
        fields = [repr(getattr(value, field)) for field in CODE_FIELDS]
        text = "code " + " ".join([*fields, *map(text_of, value.co_consts)])
    elif isinstance(value, set | frozenset):
        text = f"set {sorted(map(text_of, value))}"
    elif isinstance(value, tuple):
        text = f"tuple {list(map(text_of, value))}"
    elif isinstance(value, ModuleType):
        text = f"{MODULE}{value.__name__}"
    elif isinstance(value, FunctionType | type):
        text = f"{value.__module__}.{value.__qualname__}"
    else:
        text = f"{type(value).__module__}.{type(value).__qualname__}"
    if len(text) <= 40 or text.startswith(MODULE):
        return text
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:40]
