"""Types of values in a YAML file: conversion of strings, and reports of invalid values."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import TypeAlias

from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.yamlfile.nodes import (
    Diagnostics,
    InvalidNode,
    Node,
    ScalarNode,
    describe_node,
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
