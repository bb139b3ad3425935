"""Sections of a match file: mappings whose values are read and validated key by key."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from math import isfinite

from cardhub.errors.suggestions import did_you_mean
from cardhub.yamlfile import (
    Diagnostics,
    InvalidNode,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    TextType,
    ValueType,
    describe_node,
    quote,
    read_value,
    reject_unknown_keys,
)

_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
# Value that disables a limit.
NONE = "none"


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Range of numbers; `closed` includes the bounds."""

    low: float
    high: float
    closed: bool = True

    def read(self, text: str) -> float | None:
        """Parse a number; None if it is invalid or out of range."""
        number = float(text) if _NUMBER.fullmatch(text) else float("nan")
        fits = self.low <= number <= self.high if self.closed else self.low < number < self.high
        return number if fits and isfinite(number) else None

    def shape(self, *words: str) -> TextType:
        """Return the value type for messages; `words` are valid values, too."""
        listed = "".join(f" or {word!r}" for word in words)
        return TextType(self._told() + listed, lambda text: text in words or self._fits(text))

    def _fits(self, text: str) -> bool:
        return self.read(text) is not None

    def _told(self) -> str:
        if self.high == float("inf"):
            return "a number" if self.low == -self.high else f"a number above {self.low:g}"
        return f"a number {'from' if self.closed else 'between'} " + (
            f"{self.low:g} to {self.high:g}" if self.closed else f"{self.low:g} and {self.high:g}"
        )


NON_EMPTY = TextType("a text that is not empty", lambda text: bool(text.strip()))
ANY_NUMBER = NumberRange(float("-inf"), float("inf"))
POSITIVE = NumberRange(0, float("inf"), closed=False)
SHARE = NumberRange(0, 1)
OPEN_UNIT = NumberRange(0, 1, closed=False)


class FileSection:
    """Mapping of the file; invalid values are added to the problems with line and column.

    A method that finds no valid value returns the default, so that one pass finds all problems.
    """

    def __init__(self, node: Node, keys: Collection[str], what: str, problems: Diagnostics) -> None:
        self.place = node
        self._problems = problems
        self._entries = node.entries if isinstance(node, MappingNode) else {}
        self._is_table = isinstance(node, MappingNode)
        if isinstance(node, MappingNode):
            reject_unknown_keys(node, keys, problems)
        else:
            problems.expected(node, what)

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def node(self, key: str) -> Node:
        """Return the node of a key's value, or of the section if the key is missing."""
        return self._entries[key][1] if key in self._entries else self.place

    def report(self, key: str, message: str) -> None:
        """Add a problem at the value of a key."""
        if not isinstance(self.node(key), InvalidNode):
            self._problems.add(self.node(key), message)

    def require(self, *keys: str) -> None:
        """Add a problem for each of these keys that is missing."""
        for key in keys:
            if self._is_table and key not in self._entries:
                self._problems.add(self.place, f"missing key {key!r}")

    def reject(self, why: str, *keys: str) -> None:
        """Add a problem for each of these keys that is present."""
        for key in keys:
            if key in self._entries:
                self._problems.add(self._entries[key][0], f"{key} {why}")

    def text(self, key: str, kind: ValueType, default: str = "") -> str:
        """Return the str value of a key."""
        value = self._value(key, kind)
        return default if value is None else str(value)

    def integer(self, key: str, kind: range | type[int], default: int = 0) -> int:
        """Return the int value of a key."""
        value = self._value(key, kind)
        return default if value is None else int(value)

    def number(self, key: str, kind: NumberRange, default: float) -> float:
        """Return the float value of a key."""
        value = self._value(key, kind.shape())
        return default if value is None else float(value)

    def limit(self, key: str, kind: NumberRange, default: float | None) -> float | None:
        """Return the float value of a key, or None for `none`."""
        value = self._value(key, kind.shape(NONE))
        return default if value is None else None if value == NONE else float(value)

    def items(self, key: str, what: str) -> list[Node]:
        """Return the items of a list, which must not be empty."""
        node = self.node(key)
        if key not in self._entries or isinstance(node, InvalidNode):
            return []
        if isinstance(node, SequenceNode) and node.nodes:
            return node.nodes
        self._problems.expected(node, what)
        return []

    def names(self, key: str, known: Collection[str], what: str) -> tuple[str, ...]:
        """Return a list of distinct known names."""
        found: dict[str, None] = {}
        for node in self.items(key, f"a list of {what}"):
            if isinstance(node, ScalarNode) and node.value in known and node.value not in found:
                found[node.value] = None
            elif not isinstance(node, InvalidNode):
                self._problems.add(node, f"{key}: {_wrong_name(node, known, found)}")
        return tuple(found)

    def table(self, key: str, what: str) -> dict[str, tuple[ScalarNode, Node]]:
        """Return the entries of a nested mapping."""
        node = self.node(key)
        if key not in self._entries or isinstance(node, InvalidNode):
            return {}
        if not isinstance(node, MappingNode):
            self._problems.expected(node, what)
            return {}
        return node.entries

    def _value(self, key: str, kind: ValueType) -> int | str | None:
        if key not in self._entries:
            return None
        return read_value(key, self._entries[key][1], kind, self._problems)


def no_such(name: str, known: Collection[str]) -> str:
    """Return the message for an unknown name."""
    listed = ", ".join(known) or "none"
    return f"unknown name {quote(name)}.{did_you_mean(name[:100], known)} Known: {listed}"


def _wrong_name(node: Node, known: Collection[str], found: Collection[str]) -> str:
    if not isinstance(node, ScalarNode):
        return f"a name should stand here, not {describe_node(node)}"
    return f"{quote(node.value)} twice" if node.value in found else no_such(node.value, known)
