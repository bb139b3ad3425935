"""Sections of a match file: mapping nodes whose values are parsed and validated by key."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.yamlfile import (
    Diagnostics,
    InvalidNode,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    StringType,
    ValueType,
    describe_node,
    quote,
    read_value,
    reject_unknown_keys,
)

# Stricter than float(), which also accepts nan, inf and 1_000.
_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
# The value that disables a limit.
NONE = "none"


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Type of a number; `closed` includes the bounds, `or_none` allows `none`."""

    low: float
    high: float
    closed: bool = True
    or_none: bool = False

    def parse(self, text: str) -> float | None:
        """Parse a number; return None if it is `none`, invalid or out of range."""
        number = float(text) if _NUMBER.fullmatch(text) else float("nan")
        fits = self.low <= number <= self.high if self.closed else self.low < number < self.high
        # A text such as 1e999 fits the pattern, and is infinite as a float.
        return number if fits and isfinite(number) else None

    @property
    def text_type(self) -> StringType:
        """The type of the string before it is parsed."""
        return StringType(
            self._description() + (f" or {NONE!r}" if self.or_none else ""),
            lambda text: (self.or_none and text == NONE) or self.parse(text) is not None,
        )

    def _description(self) -> str:
        if self.high == float("inf"):
            return "a number" if self.low == -self.high else f"a number above {self.low:g}"
        if self.closed:
            return f"a number from {self.low:g} to {self.high:g}"
        return f"a number between {self.low:g} and {self.high:g}"


NON_EMPTY = StringType("a non-empty text", lambda text: bool(text.strip()))
ANY_NUMBER = NumberRange(float("-inf"), float("inf"))
LIMIT = NumberRange(0, float("inf"), closed=False, or_none=True)
SHARE = NumberRange(0, 1)
OPEN_UNIT = NumberRange(0, 1, closed=False)

Kind: TypeAlias = ValueType | NumberRange


class FileSection:
    """Mapping of the file; invalid values are added to the problems with line and column.

    For an invalid value a method returns the default, because one pass should find all problems.
    """

    def __init__(
        self, node: Node, keys: Collection[str], example: str, problems: Diagnostics
    ) -> None:
        self.place = node
        self.problems = problems
        self._entries = node.entries if isinstance(node, MappingNode) else {}
        self._is_mapping = isinstance(node, MappingNode)
        if isinstance(node, MappingNode):
            reject_unknown_keys(node, keys, problems)
        else:
            problems.expected(node, f"a mapping such as {example}")

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

    def require(self, *keys: str) -> None:
        """Add a problem at the section's node for each of these keys that is missing."""
        for key in keys:
            if self._is_mapping and key not in self._entries:
                self.problems.add(self.place, f"missing key {key!r}")

    def reject(self, reason: str, *keys: str) -> None:
        """Add a problem for each of these keys that is present."""
        for key in keys:
            if key in self._entries:
                self.problems.add(self._entries[key][0], f"{key} {reason}")

    def text(self, key: str, kind: ValueType, default: str = "") -> str:
        """Return the string of a key, or the default."""
        value = self._value(key, kind)
        return default if value is None else str(value)

    def integer(self, key: str, kind: range | type[int], default: int = 0) -> int:
        """Return the int of a key, or the default."""
        value = self._value(key, kind)
        return default if value is None else int(value)

    def values(self, kinds: Mapping[str, Kind]) -> dict[str, Any]:
        """Return a dict of the valid values of these keys, without missing and invalid ones."""
        valid: dict[str, Any] = {}
        for key, kind in kinds.items():
            if isinstance(kind, NumberRange):
                text = self._value(key, kind.text_type)
                if text is not None:
                    valid[key] = kind.parse(str(text))
            elif (value := self._value(key, kind)) is not None:
                valid[key] = value
        return valid

    def section(self, key: str, keys: Collection[str], example: str) -> "FileSection":
        """Return the nested section of an optional key; it is empty if the key is missing."""
        # It has the position of this section, for problems with missing keys.
        empty = MappingNode(self.place.line, self.place.column, {})
        node = self._entries[key][1] if key in self else empty
        return FileSection(node, keys, example, self.problems)

    def items(self, key: str, description: str) -> list[Node]:
        """Return the nodes of a list, which must not be empty."""
        node = self.node(key)
        if key not in self._entries or isinstance(node, InvalidNode):
            return []
        if isinstance(node, SequenceNode) and node.nodes:
            return node.nodes
        self.problems.expected(node, description)
        return []

    def names(self, key: str, valid: Collection[str], description: str) -> tuple[str, ...]:
        """Parse a list of distinct valid names."""
        names: dict[str, None] = {}
        for node in self.items(key, f"a list of {description}"):
            if isinstance(node, ScalarNode) and node.value in valid and node.value not in names:
                names[node.value] = None
            elif not isinstance(node, InvalidNode):
                self.problems.add(node, f"{key}: {_name_problem(node, valid, names)}")
        return tuple(names)

    def table(self, key: str, description: str) -> dict[str, tuple[ScalarNode, Node]]:
        """Return the nodes of a nested mapping by key."""
        node = self.node(key)
        if key not in self._entries or isinstance(node, InvalidNode):
            return {}
        if not isinstance(node, MappingNode):
            self.problems.expected(node, description)
            return {}
        return node.entries

    def _value(self, key: str, kind: ValueType) -> int | str | None:
        if key not in self._entries:
            return None
        return read_value(key, self._entries[key][1], kind, self.problems)


def no_such(name: str, valid: Collection[str]) -> str:
    """Return the error message for an unknown name."""
    listed = ", ".join(valid) or "none"
    # Only the beginning is compared with valid names, because the time grows with the length.
    return f"unknown name {quote(name)}.{did_you_mean(name[:100], valid)} Known: {listed}"


def _name_problem(node: Node, valid: Collection[str], names: Collection[str]) -> str:
    if not isinstance(node, ScalarNode):
        return f"expected a name, not {describe_node(node)}"
    if node.value in names:
        return f"{quote(node.value)} is listed twice"
    return no_such(node.value, valid)
