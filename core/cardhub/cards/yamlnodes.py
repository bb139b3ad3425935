"""YAML reduced to mappings, lists and text, each with its place in the file.

Nothing is converted: `NO`, `012`, `12:30:00` and `~` are the text that was written. Whatever else
YAML can do (aliases, tags, merge keys, several documents) is a problem that names its place.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from cardhub.cards.nodes import Broken, Items, Node, Problems, Table, Text, describe, quote
from cardhub.files import open_file

MOST_BYTES = 1 << 20
MOST_LEVELS = 16

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def read_table(path: Path, problems: Problems) -> Table | None:
    """Return the mapping that the file consists of, or None if it cannot be made out."""
    text = _read_text(path, problems)
    if text is None:
        return None
    top = _Reader(text, problems).document()
    if top is None or isinstance(top, Table):
        return top
    problems.expected(top, "a mapping")
    return None


def _read_text(path: Path, problems: Problems) -> str | None:
    data = _read_bytes(path, problems)
    if data is None:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = _end_of(error.object[: error.start].decode("utf-8-sig"))
        problems.add(place, f"not UTF-8 text: byte 0x{error.object[error.start]:02x}")
        return None
    if found := _FORBIDDEN.search(text):
        place = _end_of(text[: found.start()])
        problems.add(place, f"the character U+{ord(found[0]):04X} is not allowed")
        return None
    return text


def _read_bytes(path: Path, problems: Problems) -> bytes | None:
    try:
        with open_file(path) as file:  # never a pipe, which may never end
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        problems.add(Node(1, 1), f"cannot be read: {reason}")
        return None
    if len(data) > MOST_BYTES:
        problems.add(Node(1, 1), f"larger than {MOST_BYTES} bytes")
        return None
    return data


def _end_of(text: str) -> Node:
    lines = _BREAK.split(text)
    return Node(len(lines), len(lines[-1]) + 1)


class _TooDeepError(Exception):
    """Ends the reading of a file that nests without need."""


class _Reader:
    """Turns the events of one file into nodes."""

    def __init__(self, text: str, problems: Problems) -> None:
        self._text = text
        self._problems = problems
        self._events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        self._last = Node(1, 1)

    def document(self) -> Node | None:
        try:
            return self._only_document()
        except _TooDeepError:
            self._problems.add(self._last, f"nested deeper than {MOST_LEVELS} levels")
        except yaml.MarkedYAMLError as error:
            self._syntax(error)
        except (yaml.YAMLError, ValueError, OverflowError):
            # Without libyaml, escapes such as "\UFFFFFFFF" end in a plain error of chr().
            self._problems.add(self._last, "broken YAML after this place")
        return None

    def _only_document(self) -> Node | None:
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            self._problems.add(Node(1, 1), "the file is empty")
            return None
        top = self._node(self._next(), 1)
        self._next()
        if not isinstance(self._next(), yaml.StreamEndEvent):
            self._problems.add(self._last, "a second document; there may be only one")
        return top

    def _next(self) -> Any:
        event = next(self._events)
        mark = event.start_mark
        self._last = Node(mark.line + 1, mark.column + 1)
        return event

    def _node(self, event: Any, level: int) -> Node:
        place = self._last
        if isinstance(event, yaml.AliasEvent):
            self._problems.add(place, "aliases are not allowed; write the value out")
            return Broken(place.line, place.column)
        self._refuse_decoration(event, place)
        if isinstance(event, yaml.ScalarEvent):
            return Text(place.line, place.column, event.value)
        if level > MOST_LEVELS:
            raise _TooDeepError
        if isinstance(event, yaml.SequenceStartEvent):
            return Items(place.line, place.column, list(self._items(level)))
        return Table(place.line, place.column, self._entries(level))

    def _refuse_decoration(self, event: Any, place: Node) -> None:
        if event.anchor is not None:
            self._problems.add(place, "anchors are not allowed")
        # A lone "!" reaches us only as a character: the parser swallows it.
        if event.tag is not None or self._text.startswith("!", event.start_mark.index):
            self._problems.add(place, "tags are not allowed")

    def _items(self, level: int) -> Iterator[Node]:
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            yield self._node(event, level + 1)

    def _entries(self, level: int) -> dict[str, tuple[Text, Node]]:
        entries: dict[str, tuple[Text, Node]] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._node(event, level + 1)
            value = self._node(self._next(), level + 1)
            if isinstance(key, Text) and self._is_new(key, entries):
                entries[key.value] = key, value
            elif isinstance(key, Items | Table):
                self._problems.add(key, f"a key must be text, not {describe(key)}")
        return entries

    def _is_new(self, key: Text, entries: dict[str, tuple[Text, Node]]) -> bool:
        if key.value == "<<":
            self._problems.add(key, "merge keys are not allowed; write the fields out")
            return False
        if key.value in entries:
            first = entries[key.value][0].line
            self._problems.add(key, f"duplicate key {quote(key.value)}, first on line {first}")
            return False
        return True

    def _syntax(self, error: yaml.MarkedYAMLError) -> None:
        mark = error.problem_mark
        place = self._last if mark is None else Node(mark.line + 1, mark.column + 1)
        if mark is not None and self._text.startswith("\t", mark.index):
            self._problems.add(place, "a tab cannot stand here; indent with blanks")
            return
        within = f" {error.context}" if error.context else ""
        since = f" from line {error.context_mark.line + 1}" if error.context_mark else ""
        self._problems.add(place, f"broken YAML: {error.problem}{within}{since}")
