"""A strict YAML parser: mappings, lists and text, each with its position in the file; diagnostics.

Scalars are never converted: `NO`, `012`, `12:30:00` and `~` stay text. All other features of YAML
(aliases, anchors, tags, merge keys, several documents) are errors.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from cardhub.base.files import open_file
from cardhub.base.writing import clipped

MAX_PROBLEMS = 500
_MAX_QUOTED = 60


@dataclass(frozen=True, slots=True)
class Node:
    """A position in the file; line and column count from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class ScalarNode(Node):
    """A scalar as a string, with quotes and escapes resolved and no type conversion."""

    value: str


@dataclass(frozen=True, slots=True)
class SequenceNode(Node):
    """A YAML list: its nodes in order."""

    nodes: list[Node]


@dataclass(frozen=True, slots=True)
class MappingNode(Node):
    """A mapping: by key, the node of the key and the node of its value."""

    entries: dict[str, tuple[ScalarNode, Node]]


class InvalidNode(Node):
    """A value that the parser has reported already; readers skip it without another report."""

    __slots__ = ()


class Diagnostics:
    """The problems of one file, raised together as one `error`."""

    def __init__(self, file: str, error: Callable[[list[str]], Exception]) -> None:
        self._file = file
        self._make_error = error
        self._problems: list[tuple[int, int, str]] = []
        self._others: list[Diagnostics] = []

    def of_file(self, file: str) -> "Diagnostics":
        """Return diagnostics for another file, whose problems are raised after these."""
        other = Diagnostics(file, self._make_error)
        self._others.append(other)
        return other

    def add(self, node: Node, message: str) -> None:
        """Add a problem at a node; raise as soon as `MAX_PROBLEMS` are reached."""
        self._problems.append((node.line, node.column, message))
        # A hostile file could otherwise produce a problem per byte.
        if len(self._problems) == MAX_PROBLEMS:
            line, column, _ = max(self._problems, key=lambda problem: problem[:2])
            self._problems.append((line, column, f"{MAX_PROBLEMS} problems; there may be more"))
            raise self.error

    def expected(self, node: Node, wanted: str) -> None:
        """Add a problem for a node of the wrong type, unless the node is invalid anyway."""
        if not isinstance(node, InvalidNode):
            self.add(node, f"expected {wanted}, not {describe_node(node)}")

    @property
    def has_any(self) -> bool:
        """Whether any problem has been added."""
        return bool(self._problems) or any(other.has_any for other in self._others)

    @property
    def error(self) -> Exception:
        """All problems as one error, sorted by position."""
        return self._make_error(self._lines())

    def raise_if_any(self) -> None:
        """Raise the error if there are problems."""
        if self.has_any:
            raise self.error

    def _lines(self) -> list[str]:
        # By position alone: problems at the same one stay in the order in which they were found.
        problems = sorted(self._problems, key=lambda problem: problem[:2])
        own = [f"{self._file}:{row}:{col}: {text}" for row, col, text in problems]
        return [*own, *(line for other in self._others for line in other._lines())]


def describe_node(node: Node) -> str:
    """Return a short one-line description of a node for an error message."""
    if isinstance(node, ScalarNode):
        return quote(node.value) if node.value else "empty"
    if isinstance(node, SequenceNode):
        return "a list" if node.nodes else "an empty list"
    is_empty = isinstance(node, MappingNode) and not node.entries
    return "an empty mapping" if is_empty else "a mapping"


def quote(value: str) -> str:
    """Return a string for an error message: quoted, on one line, truncated if it is long."""
    return repr(clipped(value, _MAX_QUOTED))


# 1 MiB and 16 levels: far above real files, low enough for recursion and memory.
MAX_BYTES = 1 << 20
MAX_DEPTH = 16

# The C parser is many times faster, but PyYAML is also built without it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# What the C parser says from 1,000 levels on, which it may read before it yields the first of them.
_TOO_DEEP = "exceeded maximum nesting depth"
# The line breaks of YAML, which str.splitlines does not share: positions depend on them.
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
# All characters but YAML's printable ones; the byte order mark could hide within a name.
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def read_bytes(path: Path, most: int, diagnostics: Diagnostics, remedy: str = "") -> bytes | None:
    """Return the content of a file of at most `most` bytes, or None after reporting an error."""
    try:
        with open_file(path) as file:  # refuses pipes: reading one may block forever
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        diagnostics.add(Node(1, 1), f"cannot be read: {reason}")
        return None
    if len(data) > most:
        diagnostics.add(Node(1, 1), f"larger than {most} bytes" + (f". {remedy}" if remedy else ""))
        return None
    return data


def parse_file(path: Path, diagnostics: Diagnostics) -> MappingNode:
    """Return the top-level mapping of a file; raises the error of `diagnostics` if it has none."""
    text = _read_text(path, diagnostics)
    if text is None:
        raise diagnostics.error
    return parse_text(text, diagnostics)


def parse_text(text: str, diagnostics: Diagnostics) -> MappingNode:
    """Return the top-level mapping of YAML text; raises the error of `diagnostics`."""
    top = _Reader(text, diagnostics).document()
    if isinstance(top, MappingNode):
        return top
    if top is not None:
        diagnostics.expected(top, "a mapping")
    raise diagnostics.error


def yaml_text(data: Mapping[str, Any]) -> str:
    """Return plain data as YAML text, its keys in their order."""
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True))


def _read_text(path: Path, diagnostics: Diagnostics) -> str | None:
    data = read_bytes(path, MAX_BYTES, diagnostics)
    if data is None:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        position = _end_of(error.object[: error.start].decode("utf-8-sig"))
        diagnostics.add(position, f"not UTF-8 text: byte 0x{error.object[error.start]:02x}")
        return None
    if match := _FORBIDDEN.search(text):
        position = _end_of(text[: match.start()])
        diagnostics.add(position, f"the character U+{ord(match[0]):04X} is not allowed")
        return None
    return text


def _end_of(text: str) -> Node:
    lines = _BREAK.split(text)
    return Node(len(lines), len(lines[-1]) + 1)


class _TooDeepError(Exception):
    """The file is nested deeper than `MAX_DEPTH` levels."""


class _Reader:
    """Builds nodes from the parser events of one file."""

    def __init__(self, text: str, diagnostics: Diagnostics) -> None:
        self._text = text
        self._diagnostics = diagnostics
        self._events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        self._last = Node(1, 1)

    def document(self) -> Node | None:
        try:
            return self._only_document()
        except _TooDeepError:
            self._too_deep(self._last)
        except yaml.MarkedYAMLError as error:
            self._syntax(error)
        except (yaml.YAMLError, ValueError, OverflowError):
            # The pure Python parser lets a ValueError of chr() escape, e.g. for "\UFFFFFFFF".
            self._diagnostics.add(self._last, "invalid YAML after this position")
        return None

    def _only_document(self) -> Node | None:
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            self._diagnostics.add(Node(1, 1), "the file is empty")
            return None
        top = self._node(self._next(), 1)
        self._next()
        if not isinstance(self._next(), yaml.StreamEndEvent):
            self._diagnostics.add(self._last, "only one YAML document is allowed")
        return top

    def _next(self) -> Any:
        event = next(self._events)
        mark = event.start_mark
        self._last = Node(mark.line + 1, mark.column + 1)
        return event

    def _node(self, event: Any, depth: int) -> Node:
        position = self._last
        if isinstance(event, yaml.AliasEvent):
            self._diagnostics.add(position, "aliases are not allowed; write the value out")
            # Aliases are not resolved: a small file with nested ones would expand to a huge tree.
            return InvalidNode(position.line, position.column)
        self._reject_properties(event, position)
        if isinstance(event, yaml.ScalarEvent):
            return ScalarNode(position.line, position.column, event.value)
        if depth > MAX_DEPTH:
            raise _TooDeepError
        if isinstance(event, yaml.SequenceStartEvent):
            return SequenceNode(position.line, position.column, list(self._items(depth)))
        return MappingNode(position.line, position.column, self._entries(depth))

    def _reject_properties(self, event: Any, position: Node) -> None:
        if event.anchor is not None:
            self._diagnostics.add(position, "anchors are not allowed")
        # The parser emits no tag for a lone "!", so look at the text itself.
        if event.tag is not None or self._text.startswith("!", event.start_mark.index):
            self._diagnostics.add(position, "tags are not allowed")

    def _items(self, depth: int) -> Iterator[Node]:
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            yield self._node(event, depth + 1)

    def _entries(self, depth: int) -> dict[str, tuple[ScalarNode, Node]]:
        entries: dict[str, tuple[ScalarNode, Node]] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            value = self._node(self._next(), depth + 1)
            if isinstance(key, ScalarNode) and self._is_new(key, entries):
                entries[key.value] = key, value
            elif isinstance(key, SequenceNode | MappingNode):
                self._diagnostics.add(key, f"a key must be text, not {describe_node(key)}")
        return entries

    def _is_new(self, key: ScalarNode, entries: dict[str, tuple[ScalarNode, Node]]) -> bool:
        if key.value == "<<":
            self._diagnostics.add(key, "merge keys are not allowed; write the fields out")
            return False
        if key.value in entries:
            first = entries[key.value][0].line
            self._diagnostics.add(key, f"duplicate key {quote(key.value)}, first on line {first}")
            return False
        return True

    def _syntax(self, error: yaml.MarkedYAMLError) -> None:
        mark = error.problem_mark
        position = self._last if mark is None else Node(mark.line + 1, mark.column + 1)
        if mark is not None and self._text.startswith("\t", mark.index):
            self._diagnostics.add(position, "tabs are not allowed here; indent with spaces")
            return
        if error.problem == _TOO_DEEP:
            self._too_deep(position)
            return
        within = f" {error.context}" if error.context else ""
        since = f" from line {error.context_mark.line + 1}" if error.context_mark else ""
        self._diagnostics.add(position, f"invalid YAML: {error.problem}{within}{since}")

    def _too_deep(self, position: Node) -> None:
        self._diagnostics.add(position, f"nested deeper than {MAX_DEPTH} levels")
