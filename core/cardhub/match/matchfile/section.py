"""The mappings of a match file, key by key: what may stand there, and what stands there instead."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from math import isfinite

from cardhub.suggest import did_you_mean
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
NONE = "none"
"""What is written where there is to be no limit."""


@dataclass(frozen=True, slots=True)
class Reals:
    """Numbers between two bounds, which themselves are allowed if `closed`."""

    low: float
    high: float
    closed: bool = True

    def read(self, text: str) -> float | None:
        """Return the number that is written, None if it is none or lies elsewhere."""
        number = float(text) if _NUMBER.fullmatch(text) else float("nan")
        fits = self.low <= number <= self.high if self.closed else self.low < number < self.high
        return number if fits and isfinite(number) else None

    def shape(self, *words: str) -> TextType:
        """Return what fits, for messages; `words` do, too."""
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


SOMETHING = TextType("a text that is not empty", lambda text: bool(text.strip()))
ANY_NUMBER = Reals(float("-inf"), float("inf"))
POSITIVE = Reals(0, float("inf"), closed=False)
SHARE = Reals(0, 1)
BETWEEN = Reals(0, 1, closed=False)


class Section:
    """One mapping of the file; whatever is wrong with a value becomes a problem at its place.

    A method that finds no good value returns the default, so that reading goes on.
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
        """Return the value of a key, to be read or to be named in a message."""
        return self._entries[key][1] if key in self._entries else self.place

    def complain(self, key: str, message: str) -> None:
        """Note a problem with the value of a key."""
        if not isinstance(self.node(key), InvalidNode):
            self._problems.add(self.node(key), message)

    def need(self, *keys: str) -> None:
        """Note which of these keys are missing."""
        for key in keys:
            if self._is_table and key not in self._entries:
                self._problems.add(self.place, f"missing key {key!r}")

    def refuse(self, why: str, *keys: str) -> None:
        """Note those of these keys that are there, though something else speaks against them."""
        for key in keys:
            if key in self._entries:
                self._problems.add(self._entries[key][0], f"{key} {why}")

    def text(self, key: str, kind: ValueType, default: str = "") -> str:
        """Return a text."""
        value = self._value(key, kind)
        return default if value is None else str(value)

    def whole(self, key: str, kind: range | type[int], default: int = 0) -> int:
        """Return an integer."""
        value = self._value(key, kind)
        return default if value is None else int(value)

    def real(self, key: str, kind: Reals, default: float) -> float:
        """Return a number."""
        value = self._value(key, kind.shape())
        return default if value is None else float(value)

    def limit(self, key: str, kind: Reals, default: float | None) -> float | None:
        """Return a number, or None where `none` is written."""
        value = self._value(key, kind.shape(NONE))
        return default if value is None else None if value == NONE else float(value)

    def items(self, key: str, what: str) -> list[Node]:
        """Return the parts of a list, which is not empty if it is there."""
        node = self.node(key)
        if key not in self._entries or isinstance(node, InvalidNode):
            return []
        if isinstance(node, SequenceNode) and node.nodes:
            return node.nodes
        self._problems.expected(node, what)
        return []

    def names(self, key: str, known: Collection[str], what: str) -> tuple[str, ...]:
        """Return a list of different names, all of them known."""
        found: dict[str, None] = {}
        for node in self.items(key, f"a list of {what}"):
            if isinstance(node, ScalarNode) and node.value in known and node.value not in found:
                found[node.value] = None
            elif not isinstance(node, InvalidNode):
                self._problems.add(node, f"{key}: {_wrong_name(node, known, found)}")
        return tuple(found)

    def table(self, key: str, what: str) -> dict[str, tuple[ScalarNode, Node]]:
        """Return the entries of a mapping within this one."""
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
    """Return what to say about a name that is none of those known."""
    listed = ", ".join(known) or "none"
    return f"there is no {quote(name)} here.{did_you_mean(name[:100], known)} Known: {listed}"


def _wrong_name(node: Node, known: Collection[str], found: Collection[str]) -> str:
    if not isinstance(node, ScalarNode):
        return f"a name should stand here, not {describe_node(node)}"
    return f"{quote(node.value)} twice" if node.value in found else no_such(node.value, known)
