"""Plugins that are not installed: the files and packages of a directory."""

import ast
import importlib.util
import sys
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from types import ModuleType

from cardhub.errors import PluginError
from cardhub.plugins.declared import GAMES, PLUGINS, Declared
from cardhub.plugins.source import read_source

PREFIX = "cardhub_plugins_dir_"
"""Begins the module name of every plugin in a directory, so that none hides an installed module."""

COMMON_HOOKS = {
    "register_bots",
    "register_collections",
    "register_commands",
    "register_exporters",
    "register_themes",
}


def declared_in(directory: Path) -> Iterator[Declared]:
    """Yield every `*.py` file and package of a directory as a plugin named after it."""
    try:
        paths = sorted(directory.iterdir())
    except OSError as error:
        reason = f"{directory} cannot be read as a plugins directory: {error.strerror}"
        raise PluginError(reason) from error
    for path in paths:
        source = path / "__init__.py" if path.is_dir() else path
        name = path.name if path.is_dir() else path.stem
        if source.suffix == ".py" and source.is_file() and name.isidentifier():
            yield from _declare(name, source, directory)


def _declare(name: str, source: Path, directory: Path) -> Iterator[Declared]:
    fetch = cache(partial(_import_file, name, source))  # once, though it be in both groups
    for group in _groups(source):
        yield Declared(name, group, str(source), str(directory), "", fetch, lambda: source)


def _groups(source: Path) -> list[str]:
    """Tell from the source alone what an entry point would say: which groups it belongs to."""
    tree = read_source(source)
    hooks = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)} if tree else set()
    common = hooks & COMMON_HOOKS
    is_game = not common or "register_games" in hooks or _defines_game(source)
    return [GAMES] * is_game + [PLUGINS] * bool(common)


def _defines_game(source: Path) -> bool:
    files = source.parent.rglob("*.py") if source.name == "__init__.py" else [source]
    trees = filter(None, map(read_source, files))
    return any(_is_game(node) for tree in trees for node in ast.walk(tree))


def _is_game(node: ast.AST) -> bool:
    """Return whether a node is a class derived from `Game` or `Game[...]`, however imported."""
    bases = node.bases if isinstance(node, ast.ClassDef) else []
    return any(_last_name(base) == "Game" for base in bases)


def _last_name(base: ast.expr) -> str:
    if isinstance(base, ast.Subscript):
        base = base.value
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def _import_file(name: str, source: Path) -> ModuleType:
    full_name = PREFIX + name
    package = [str(source.parent)] if source.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(
        full_name, source, submodule_search_locations=package
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{source} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[full_name] = module  # classes look their module up while they are made
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[full_name]
        raise
    return module
