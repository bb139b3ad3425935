"""The nodes of a parsed YAML file, and the diagnostics collected for it."""

from collections.abc import Callable
from dataclasses import dataclass

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
    return repr(value if len(value) <= _MAX_QUOTED else value[: _MAX_QUOTED - 1] + "…")
