"""Positioned pieces of a YAML file, and the problems found in it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from cardhub.errors import CardFileError

MOST_PROBLEMS = 500


@dataclass(frozen=True, slots=True)
class Node:
    """A place in the file, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A scalar as it was written, quotes and escapes resolved."""

    value: str


@dataclass(frozen=True, slots=True)
class Items(Node):
    """A list."""

    nodes: list[Node]


@dataclass(frozen=True, slots=True)
class Table(Node):
    """A mapping: each key with its own place and its value."""

    entries: dict[str, tuple[Text, Node]]


class Broken(Node):
    """Stands for a value that was refused already, so that nobody complains twice."""

    __slots__ = ()


class Problems:
    """Everything that is wrong with one file, to be raised as one `error`."""

    def __init__(self, file: str, error: Callable[[list[str]], Exception] = CardFileError) -> None:
        self._file = file
        self._error = error
        self._found: list[tuple[int, int, str]] = []

    def add(self, place: Node, message: str) -> None:
        """Note a problem; far too many of them end the reading at once."""
        self._found.append((place.line, place.column, message))
        if len(self._found) == MOST_PROBLEMS:
            self._fail(f"{MOST_PROBLEMS} problems; there may be more")

    def expected(self, node: Node, wanted: str) -> None:
        """Note that something else should stand here, unless it was refused already."""
        if not isinstance(node, Broken):
            self.add(node, f"expected {wanted}, not {describe(node)}")

    def raise_if_any(self) -> None:
        """Raise all problems as one error, in the order of the file."""
        if self._found:
            self._fail()

    def _fail(self, *last: str) -> NoReturn:
        found = sorted(self._found, key=lambda problem: problem[:2])
        line, column = found[-1][:2]
        found += [(line, column, message) for message in last]
        raise self._error([f"{self._file}:{row}:{col}: {what}" for row, col, what in found])


def describe(node: Node) -> str:
    """Say what somebody wrote here, in few words and on one line."""
    if isinstance(node, Text):
        return quote(node.value) if node.value else "empty"
    if isinstance(node, Items):
        return "a list" if node.nodes else "an empty list"
    return "a mapping" if not isinstance(node, Table) or node.entries else "an empty mapping"


def quote(value: str) -> str:
    """Return a text for a message: quoted, on one line, cut if it is long."""
    return repr(value if len(value) <= 60 else value[:59] + "…")
