"""Types of values in a YAML file: conversion of strings, and reports of invalid values."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.yamlfile.nodes import (
    Diagnostics,
    InvalidNode,
    MappingNode,
    Node,
    ScalarNode,
    describe_node,
    quote,
)

# int() would accept more: underscores, spaces, digits of other scripts, and any length, in
# quadratic time.
_INTEGER = re.compile("-?(0|[1-9][0-9]{0,17})")
_LEADING_ZERO = re.compile("-?0[0-9]+")
_NAME = re.compile("[\\w'-]+")
_MAX_COMPARED = 100  # a suggestion compares strings, which takes quadratic time


@dataclass(frozen=True, slots=True)
class StringType:
    """A string with a constraint: `description` follows "must be" in error messages."""

    description: str
    accepts: Callable[[str], bool]


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


def read_mapping(
    node: Node,
    kinds: Mapping[str, ValueType],
    optional: Collection[str],
    diagnostics: Diagnostics,
) -> dict[str, int | str]:
    """Return the valid values of a mapping; report invalid values, unknown and missing keys."""
    if not isinstance(node, MappingNode):
        diagnostics.expected(node, "a mapping")
        return {}
    reject_unknown_keys(node, kinds, diagnostics)
    values: dict[str, int | str] = {}
    for key, kind in kinds.items():
        if key in node.entries:
            value = read_value(key, node.entries[key][1], kind, diagnostics)
            if value is not None:
                values[key] = value
        elif key not in optional:
            diagnostics.add(node, f"missing field {key!r} ({describe_type(kind)})")
    return values


def reject_unknown_keys(
    mapping: MappingNode, known: Collection[str], diagnostics: Diagnostics
) -> None:
    """Report every unknown key of a mapping, with a suggestion or the list of known keys."""
    for key, (node, _) in mapping.entries.items():
        if key not in known:
            hint = did_you_mean(key[:_MAX_COMPARED], known) or f" Known: {', '.join(known)}."
            diagnostics.add(node, f"unknown key {quote(key)}.{hint}")


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
        suggestion = did_you_mean(text[:_MAX_COMPARED], islice(kind, _MAX_COMPARED))
        return f".{suggestion}" if suggestion else ""
    if (kind is int or isinstance(kind, range)) and _LEADING_ZERO.fullmatch(text):
        return ": no leading zeros"
    return ""
