"""Strict YAML files: nodes with positions, schemas of typed values, one error for all problems."""

from cardhub.base.yamlfile.nodes import (
    Diagnostics,
    InvalidNode,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    quote,
)
from cardhub.base.yamlfile.parser import parse_file, read_bytes
from cardhub.base.yamlfile.schema import (
    NO_KEY,
    Collected,
    Entries,
    Items,
    Key,
    Kind,
    NameList,
    Schema,
    Section,
    Table,
    Texts,
    schema_of,
)
from cardhub.base.yamlfile.value_types import (
    NAME,
    NON_EMPTY,
    NumberRange,
    StringType,
    ValueType,
    read_value,
)

__all__ = [
    "NAME",
    "NON_EMPTY",
    "NO_KEY",
    "Collected",
    "Diagnostics",
    "Entries",
    "InvalidNode",
    "Items",
    "Key",
    "Kind",
    "MappingNode",
    "NameList",
    "Node",
    "NumberRange",
    "ScalarNode",
    "Schema",
    "Section",
    "SequenceNode",
    "StringType",
    "Table",
    "Texts",
    "ValueType",
    "parse_file",
    "quote",
    "read_bytes",
    "read_value",
    "schema_of",
]
