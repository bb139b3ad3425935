"""Parameters in a file that other code defines: their values, and which of them it refuses."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from cardhub.base.errors import CardhubError, MissingLibraryError
from cardhub.base.errors.quoting import describe_exception
from cardhub.base.yamlfile import MappingNode, Node, ScalarNode, SequenceNode
from cardhub.lab.match.matchfile.section import FileSection

# Scalars that are no strings, besides numbers.
CONSTANTS = {"true": True, "false": False, "null": None}


def plain_value(node: Node) -> Any:
    """Return the value of a node: a number, a constant, a string, a list or a dict."""
    if isinstance(node, SequenceNode):
        return [plain_value(each) for each in node.nodes]
    if isinstance(node, MappingNode):
        return {name: plain_value(each) for name, (_, each) in node.entries.items()}
    text = node.value if isinstance(node, ScalarNode) else ""
    if text in CONSTANTS:
        return CONSTANTS[text]
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def tried(
    top: FileSection, key: str, given: Mapping[str, Any], make: Callable[..., object]
) -> object:
    """Return what a function makes of the parameters in the mapping `key`.

    Return a MissingLibraryError, or None after reporting the parameter that it refuses.
    """
    try:
        return make(**given)
    except MissingLibraryError as error:
        return error
    except Exception as error:  # noqa: BLE001  # third-party code may raise any exception
        what = str(error) if isinstance(error, CardhubError) else describe_exception(error)
        top.report(f"{key}.{_refused(given, make)}", f"{key}: {what}")
        return None


def _refused(given: Mapping[str, Any], make: Callable[..., object]) -> str:
    """Return the parameter that is refused by itself, too; empty if there is none."""
    for name, value in given.items():
        try:
            make(**{name: value})
        except Exception:  # noqa: BLE001  # as above
            return name
    return ""
