"""Schemas of YAML files: the types of values, the keys of a mapping, and which are needed.

A schema is written as a dict, or follows from a dataclass: its fields are the keys, annotated with
the types of their values, and fields without a default are needed. A `Section` reads a mapping by a
schema, reports all its problems with their positions, and knows the node of each value, so that
values that do not fit together can be reported at their place as well.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from itertools import islice
from math import isfinite
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.yamlfile.parser import (
    Diagnostics,
    InvalidNode,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    describe_node,
    quote,
)

# int() would accept more: underscores, spaces, digits of other scripts, and any length, in
# quadratic time.
_INTEGER = re.compile("-?(0|[1-9][0-9]{0,17})")
# Stricter than float(), which also accepts nan, inf and 1_000.
_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_LEADING_ZERO = re.compile("-?0[0-9]+")
_NAME = re.compile("[\\w'-]+")
MAX_COMPARED = 100  # a suggestion compares strings, which takes quadratic time


@dataclass(frozen=True, slots=True)
class StringType:
    """A string with a constraint: `description` follows "must be" in error messages."""

    description: str
    accepts: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The type of a number; `is_closed` includes the bounds, `or_none` allows the word `none`."""

    low: float
    high: float
    is_closed: bool = True
    or_none: bool = False

    def parse(self, text: str) -> float | None:
        """Parse a number; return None if it is `none`, invalid or out of range."""
        number = float(text) if _NUMBER.fullmatch(text) else float("nan")
        fits = self.low <= number <= self.high if self.is_closed else self.low < number < self.high
        # A text such as 1e999 fits the pattern, and is infinite as a float.
        return number if fits and isfinite(number) else None

    @property
    def text_type(self) -> StringType:
        """The type of the string before it is parsed."""
        return StringType(
            self._description() + (" or 'none'" if self.or_none else ""),
            lambda text: (self.or_none and text == "none") or self.parse(text) is not None,
        )

    def _description(self) -> str:
        if self.high == float("inf"):
            return "a number" if self.low == -self.high else f"a number above {self.low:g}"
        if self.is_closed:
            return f"a number from {self.low:g} to {self.high:g}"
        return f"a number between {self.low:g} and {self.high:g}"


# An integer, printable text, an integer from a range, one of several words, or a `StringType`.
ValueType: TypeAlias = type[int] | type[str] | range | tuple[str, ...] | StringType


def is_printable(text: str) -> bool:
    """Return whether a terminal shows this string on one line, as written."""
    # Python does not call non-breaking spaces printable, but a terminal shows them.
    return text.replace("\xa0", " ").replace("\u202f", " ").isprintable()


def is_name(text: str) -> bool:
    """Return whether a string consists of letters, digits and `- _ '` only."""
    return _NAME.fullmatch(text) is not None


NAME = StringType("a name of letters, digits and - _ '", is_name)
NON_EMPTY = StringType("a non-empty text", lambda text: bool(text.strip()))


def describe_type(kind: ValueType) -> str:
    """Return a description of a type, to follow "must be"."""
    if isinstance(kind, StringType):
        return kind.description
    if isinstance(kind, range):
        return f"an integer from {kind[0]} to {kind[-1]}"
    if isinstance(kind, tuple):
        listed = ", ".join(map(repr, kind))
        return f"one of {listed}" if len(kind) > 1 else listed
    return "an integer" if kind is int else "printable text"


def read_value(key: str, node: Node, kind: ValueType, diagnostics: Diagnostics) -> int | str | None:
    """Return the value of one key, or None after reporting why it is invalid."""
    if isinstance(node, InvalidNode):
        return None
    value = _convert(node.value, kind) if isinstance(node, ScalarNode) else None
    if value is None:
        hint = _hint(node.value, kind) if isinstance(node, ScalarNode) else ""
        must = describe_type(kind)
        diagnostics.add(node, f"{key} must be {must}, not {describe_node(node)}{hint}")
    return value


def _convert(text: str, kind: ValueType) -> int | str | None:
    if isinstance(kind, StringType):
        return text if kind.accepts(text) else None
    if isinstance(kind, tuple):
        return text if text in kind else None
    if kind is str:
        # Only this type may have several lines: it is for texts on cards and in reports.
        return text if is_printable(text.replace("\n", " ")) else None
    if _INTEGER.fullmatch(text) is None:
        return None
    number = int(text)
    return number if not isinstance(kind, range) or number in kind else None


def _hint(text: str, kind: ValueType) -> str:
    if isinstance(kind, tuple):
        suggestion = did_you_mean(text[:MAX_COMPARED], islice(kind, MAX_COMPARED))
        return f".{suggestion}" if suggestion else ""
    if (kind is int or isinstance(kind, range)) and _LEADING_ZERO.fullmatch(text):
        return ": no leading zeros"
    return ""


# Scalars other than numbers that are not strings.
_CONSTANTS = {"true": True, "false": False, "null": None}


class Collected(ABC):
    """The type of a list or a mapping; `description` follows "expected" in error messages."""

    description: str

    @abstractmethod
    def read(self, key: str, node: Node, problems: Diagnostics) -> Any:
        """Return the valid values of a node after reporting the invalid ones."""


# The type of a key's value; None if the caller reads the node.
Kind: TypeAlias = ValueType | NumberRange | Collected | None


@dataclass(frozen=True, slots=True)
class Texts(Collected):
    """The type of a list of texts, all of one type; a text alone is a list of one."""

    kind: ValueType = str
    description: str = "a text or a list of texts"

    def read(self, key: str, node: Node, problems: Diagnostics) -> tuple[str, ...]:
        """Return the valid texts after reporting the others."""
        nodes = node.nodes if isinstance(node, SequenceNode) else [node]
        values = (read_value(key, item, self.kind, problems) for item in nodes)
        return tuple(str(value) for value in values if value is not None)


@dataclass(frozen=True, slots=True)
class NameList(Collected):
    """The type of a list of distinct names out of `valid`."""

    valid: Collection[str]
    description: str

    def read(self, key: str, node: Node, problems: Diagnostics) -> tuple[str, ...]:
        """Return the valid names after reporting the others."""
        names: dict[str, None] = {}
        for item in Items(self.description).read(key, node, problems):
            # Without valid names their list is faulty, which is reported there.
            name = read_value(f"a name in {key}", item, tuple(self.valid) or NAME, problems)
            if name in names:
                problems.add(item, f"{key}: {quote(str(name))} is listed twice")
            elif name is not None:
                names[str(name)] = None
        return tuple(names)


@dataclass(frozen=True, slots=True)
class Table(Collected):
    """The type of a mapping of values of one type, with any keys unless `keys` lists them.

    Without a type, numbers and constants are converted, and values may be lists and mappings.
    """

    kind: ValueType | None
    keys: Collection[str] | None = None
    description: str = "a mapping"

    def read(self, key: str, node: Node, problems: Diagnostics) -> dict[str, Any]:
        """Return the valid values by key after reporting the others."""
        entries = Entries(self.description).read(key, node, problems)
        if self.keys is not None:
            _reject_unknown_keys(entries, self.keys, problems)
        if self.kind is None:
            return {name: _plain_value(item) for name, (_, item) in entries.items()}
        values = {
            name: read_value(name, item, self.kind, problems) for name, (_, item) in entries.items()
        }
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Items(Collected):
    """The type of a list, whose nodes the caller reads; `is_filled`: it must not be empty."""

    description: str
    is_filled: bool = True

    def read(self, key: str, node: Node, problems: Diagnostics) -> list[Node]:
        """Return the nodes of a list after reporting any other node."""
        if isinstance(node, SequenceNode) and (node.nodes or not self.is_filled):
            return node.nodes
        problems.expected(node, self.description)
        return []


@dataclass(frozen=True, slots=True)
class Entries(Collected):
    """The type of a mapping, whose nodes the caller reads: the key's and the value's by key."""

    description: str
    is_filled: bool = False

    def read(
        self, key: str, node: Node, problems: Diagnostics
    ) -> dict[str, tuple[ScalarNode, Node]]:
        """Return the nodes of a mapping after reporting any other node."""
        if isinstance(node, MappingNode) and (node.entries or not self.is_filled):
            return node.entries
        problems.expected(node, self.description)
        return {}


@dataclass(frozen=True, slots=True)
class Schema:
    """The keys of a mapping: their types, which are needed, and the names of other fields."""

    kinds: Mapping[str, Kind]
    needed: Set[str] = frozenset()
    # The field of a dataclass by its key, if they differ.
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Key:
    """Annotation of a field whose key in the file has another name; an empty one has no key."""

    name: str


NO_KEY = Key("")


def schema_of(record: type, **kinds: Kind) -> Schema:
    """Return the schema of a dataclass; `kinds` are types that are known only with the file."""
    schema = _declared(record)
    return Schema({**schema.kinds, **kinds}, schema.needed, schema.fields)


@cache
def _declared(record: type) -> Schema:
    kinds: dict[str, Kind] = {}
    needed: set[str] = set()
    names: dict[str, str] = {}
    hints = get_type_hints(record, include_extras=True)
    for declared in fields(record):
        hint = hints[declared.name]
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        key = next((mark.name for mark in marks if isinstance(mark, Key)), declared.name)
        if not key:
            continue
        kinds[key] = next((mark for mark in marks if not isinstance(mark, Key)), _kind_of(hint))
        names[key] = declared.name
        if declared.default is MISSING and declared.default_factory is MISSING:
            needed.add(key)
    return Schema(kinds, needed, names)


def _kind_of(hint: Any) -> Kind:
    """Return the type of a field's values if its annotation alone says it, or None."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    options = [option for option in get_args(hint) if option is not NoneType]
    if get_origin(hint) is Literal:
        return tuple(options)
    if NoneType in get_args(hint) and len(options) == 1:
        return _kind_of(options[0])
    return hint if hint is int or hint is str else None


class Section:
    """A mapping of a file, read by a schema.

    `values` has the valid values by key, or by field if the schema is of a dataclass; missing and
    invalid ones are not in it, because one pass should find all problems. `example` is shown where
    the file has no mapping.
    """

    def __init__(
        self, node: Node, schema: Schema, problems: Diagnostics, example: str = ""
    ) -> None:
        self.place = node
        self.problems = problems
        self.values: dict[str, Any] = {}
        self._entries = node.entries if isinstance(node, MappingNode) else {}
        if not isinstance(node, MappingNode):
            problems.expected(node, "a mapping" + (f" such as {example}" if example else ""))
            return
        _reject_unknown_keys(node.entries, schema.kinds, problems)
        for key, kind in schema.kinds.items():
            if key in node.entries:
                self.values.update(self._read(schema.fields.get(key, key), key, kind))
            elif key in schema.needed:
                problems.add(node, f"missing key {key!r}{_description(kind)}")

    def _read(self, name: str, key: str, kind: Kind) -> Iterator[tuple[str, Any]]:
        node = self._entries[key][1]
        if kind is None or isinstance(node, InvalidNode):
            return
        if isinstance(kind, Collected):
            yield name, kind.read(key, node, self.problems)
        elif isinstance(kind, NumberRange):
            text = read_value(key, node, kind.text_type, self.problems)
            if text is not None:
                yield name, kind.parse(str(text))
        elif (value := read_value(key, node, kind, self.problems)) is not None:
            yield name, value

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def node(self, path: str) -> Node:
        """Return the node of a value, such as `stop.sprt`, or the last node on its path."""
        node = self.place
        for key in path.split("."):
            if not isinstance(node, MappingNode) or key not in node.entries:
                break
            node = node.entries[key][1]
        return node

    def report(self, path: str, message: str) -> None:
        """Add a problem at the node of a value, unless the parser has reported it already."""
        if not isinstance(self.node(path), InvalidNode):
            self.problems.add(self.node(path), message)

    def reject(self, reason: str, *keys: str) -> None:
        """Add a problem for each of these keys that is present."""
        for key in keys:
            if key in self._entries:
                self.problems.add(self._entries[key][0], f"{key} {reason}")

    def section(self, key: str, schema: Schema, example: str) -> "Section":
        """Return the nested section of an optional key; it is empty if the key is missing."""
        if key not in self:
            # It has the position of this section, for problems with missing keys.
            empty = MappingNode(self.place.line, self.place.column, {})
            return Section(empty, Schema(schema.kinds), self.problems)
        return Section(self._entries[key][1], schema, self.problems, example)


def _description(kind: Kind) -> str:
    """Describe the value that a missing key needs; empty if only the caller knows it."""
    if kind is None:
        return ""
    if isinstance(kind, Collected):
        return f" ({kind.description})"
    return f" ({describe_type(kind.text_type if isinstance(kind, NumberRange) else kind)})"


def _plain_value(node: Node) -> Any:
    """Return the value of a node: a number, a constant, a string, a list or a dict."""
    if isinstance(node, SequenceNode):
        return [_plain_value(item) for item in node.nodes]
    if isinstance(node, MappingNode):
        return {name: _plain_value(value) for name, (_, value) in node.entries.items()}
    text = node.value if isinstance(node, ScalarNode) else ""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _reject_unknown_keys(
    entries: Mapping[str, tuple[ScalarNode, Node]], known: Collection[str], problems: Diagnostics
) -> None:
    """Report every unknown key of a mapping, with a suggestion or the list of known keys."""
    for key, (node, _) in entries.items():
        if key not in known:
            hint = did_you_mean(key[:MAX_COMPARED], known) or f" Known: {', '.join(known)}."
            problems.add(node, f"unknown key {quote(key)}.{hint}")
