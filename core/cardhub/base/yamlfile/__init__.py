"""Strict YAML files: nodes with positions, typed values, one error for all problems."""

from cardhub.base.yamlfile.nodes import (
    Diagnostics,
    InvalidNode,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    describe_node,
    quote,
)
from cardhub.base.yamlfile.parser import parse_file, read_bytes
from cardhub.base.yamlfile.value_types import (
    NAME,
    StringType,
    ValueType,
    read_mapping,
    read_value,
    reject_unknown_keys,
)

__all__ = [
    "NAME",
    "Diagnostics",
    "InvalidNode",
    "MappingNode",
    "Node",
    "ScalarNode",
    "SequenceNode",
    "StringType",
    "ValueType",
    "describe_node",
    "parse_file",
    "quote",
    "read_bytes",
    "read_mapping",
    "read_value",
    "reject_unknown_keys",
]
