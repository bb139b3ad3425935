"""One line about a plugin, read from its source without importing it."""

import ast
import importlib.util
import tokenize
from pathlib import Path


def summarize_entry(value: str) -> str:
    """Return the first line of the docstring of `module` or `module:Class`, or an empty string.

    Only top-level modules are looked at: finding any other would import its parents.
    """
    module, _, attribute = value.partition(":")
    if "." in module:
        return ""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return ""
    path = Path(spec.origin) if spec and spec.has_location and spec.origin else None
    return summarize_file(path, attribute) if path else ""


def summarize_file(path: Path, attribute: str = "") -> str:
    """Return the first line of the docstring of a file, or of the class `attribute` in it."""
    tree = read_source(path)
    if tree is None:
        return ""
    named = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == attribute]
    docstring = ast.get_docstring(named[0] if named else tree) or ""
    return docstring.partition("\n")[0]


def read_source(path: Path) -> ast.Module | None:
    """Return the syntax tree of a Python file, or None if it cannot be read as such."""
    try:
        with tokenize.open(path) as file:
            return ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return None
