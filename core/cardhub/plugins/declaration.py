"""Declarations of plugins: name, origin and source file are known before any import."""

import ast
import importlib.util
import tokenize
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

GAMES = "cardhub.games"
PLUGINS = "cardhub.plugins"
GROUPS = (GAMES, PLUGINS)
"""The entry-point groups of plugins for one game and of plugins for any game."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A plugin by name, not imported yet.

    `value` is the import target: `module`, `module:GameClass`, or a path in a plugins directory.
    `distribution` is the installed package that declares it, or that directory.
    """

    name: str
    group: str
    value: str
    distribution: str
    version: str
    fetch: Callable[[], object] = field(compare=False, repr=False)
    """Imports the target."""
    source: Callable[[], Path | None] = field(compare=False, repr=False)
    """Finds the file of the module without importing it; None if that is not possible."""

    def __str__(self) -> str:
        return f"plugin {self.name!r} of {self.origin}"

    @property
    def origin(self) -> str:
        """The distribution and its version."""
        return f"{self.distribution} {self.version}".rstrip()

    def summarize(self) -> str:
        """Return the first line of the docstring, or an empty string, without an import."""
        source = self.source()
        return summarize_file(source, self.value.partition(":")[2]) if source else ""

    def may_have(self, hook: str) -> bool:
        """Return False if the source shows that the plugin does not implement a hook."""
        source = self.source()
        return source is None or _may_define(source, hook)


def find_source(module: str) -> Path | None:
    """Return the file of a module without importing its parent packages, or None."""
    # find_spec("a.b") would import `a`; walking down from the top-level package imports nothing.
    first, *rest = module.split(".")
    try:
        spec = importlib.util.find_spec(first)
        for number in range(len(rest)):
            spec = _find_submodule(spec, ".".join([first, *rest[: number + 1]]))
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.has_location and spec.origin else None


def summarize_file(path: Path, attribute: str = "") -> str:
    """Return the first docstring line of a file, or of the class `attribute` in it."""
    tree = parse_source(path)
    if tree is None:
        return ""
    named = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == attribute]
    docstring = ast.get_docstring(named[0] if named else tree) or ""
    return docstring.partition("\n")[0]


def parse_source(path: Path) -> ast.Module | None:
    """Return the syntax tree of a Python file, or None if it is not readable or not valid."""
    text = _read_text(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # shown when the module is imported, not here
            return None if text is None else ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _may_define(path: Path, name: str) -> bool:
    text = _read_text(path)
    return text is None or name in text or "import *" in text


def _read_text(path: Path) -> str | None:
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, ValueError):
        return None


def _find_submodule(parent: ModuleSpec | None, name: str) -> ModuleSpec | None:
    folders = parent.submodule_search_locations if parent else None
    return PathFinder.find_spec(name, folders) if folders else None
