"""What the source of a plugin tells without importing it."""

import ast
import importlib.util
import tokenize
import warnings
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path


def find_source(module: str) -> Path | None:
    """Return the file of a module without importing its parents; None if it cannot be found."""
    first, *rest = module.split(".")
    try:
        spec = importlib.util.find_spec(first)
        for number in range(len(rest)):
            spec = _within(spec, ".".join([first, *rest[: number + 1]]))
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.has_location and spec.origin else None


def summarize_file(path: Path, attribute: str = "") -> str:
    """Return the first line of the docstring of a file, or of the class `attribute` in it."""
    tree = read_source(path)
    if tree is None:
        return ""
    named = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == attribute]
    docstring = ast.get_docstring(named[0] if named else tree) or ""
    return docstring.partition("\n")[0]


def mentions(path: Path, name: str) -> bool:
    """Return whether a name could be defined in a file: it stands there, or a `*` may bring it."""
    text = _text(path)
    return text is None or name in text or "import *" in text


def read_source(path: Path) -> ast.Module | None:
    """Return the syntax tree of a Python file, or None if it cannot be read as such."""
    text = _text(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are for whoever imports it
            return None if text is None else ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _text(path: Path) -> str | None:
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, ValueError):
        return None


def _within(parent: ModuleSpec | None, name: str) -> ModuleSpec | None:
    folders = parent.submodule_search_locations if parent else None
    return PathFinder.find_spec(name, folders) if folders else None
