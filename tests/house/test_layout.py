"""Rooms stay small, and a public name stands for one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.house.syntax import nodes_of, tree
from tests.kit.paths import ROOT

CORE = ROOT / "core" / "cardhub"
PRODUCT = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("games/**/*.py")])
UNCOUNTED = {"__init__.py", "py.typed", "__pycache__"}

ENTRIES, LINES = 15, 260
# The package itself has more: its rooms, which docs/architecture.md lists with their layers.
ROOMS = 34


def entries(folder: Path) -> list[str]:
    """Return the names of modules, data files and inner rooms of a folder."""
    found = (path for path in folder.iterdir() if path.is_file() or any(path.rglob("*.py")))
    return sorted({path.name for path in found} - UNCOUNTED)


def folders() -> Iterator[Path]:
    """Yield every folder of core and games that holds Python."""
    return iter(sorted({path.parent for path in PRODUCT}))


def test_no_folder_has_more_than_15_entries() -> None:
    """A flat folder of 40 files has no visible structure."""
    found = {str(folder.relative_to(ROOT)): len(entries(folder)) for folder in folders()}
    limits = {"core/cardhub": ROOMS}
    assert {name: n for name, n in found.items() if n > limits.get(name, ENTRIES)} == {}


def test_no_module_of_the_product_is_longer_than_260_lines() -> None:
    lengths = {str(path): len(path.read_text("utf-8").splitlines()) for path in PRODUCT}
    assert {name: n for name, n in lengths.items() if n > LINES} == {}


def repeated(names: Callable[[Path], list[str]]) -> dict[str, list[str]]:
    """Return the names that several modules of core give, with those modules."""
    found = defaultdict(list)
    for path in (path for path in PRODUCT if CORE in path.parents):
        for name in names(path):
            found[name].append(str(path.relative_to(CORE)))
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def public_classes(path: Path) -> list[str]:
    """Return the names of the public classes of a module."""
    body = tree(path).body
    return [node.name for node in body if isinstance(node, ast.ClassDef) and node.name[:1] != "_"]


def module_name(path: Path) -> list[str]:
    """Return the name of a module, unless it is a package's own."""
    return [] if path.stem.startswith("__") or "templates" in path.parts else [path.stem]


def test_no_two_public_classes_of_core_have_the_same_name() -> None:
    """A name in a signature stands for one class."""
    assert repeated(public_classes) == {}


def test_no_two_modules_of_core_have_the_same_name() -> None:
    """An editor that opens a module by its name opens the right one."""
    assert repeated(module_name) == {}


def test_no_docstring_only_refers_to_another_one() -> None:
    """A method that overrides another is marked @override instead."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in PRODUCT
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and re.fullmatch(r"See \S+", ast.get_docstring(node) or "")
    ]
    assert found == []
