"""The text of a module as mypyc compiles it: the same code, with what mypyc needs to know.

The text differs from the source in declarations only: state classes get their attributes and
methods, classes are open to interpreted subclasses, constants are final.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from cardhub.compiling.constants import Constants
from cardhub.compiling.face_reads import FaceReads
from cardhub.compiling.native_idioms import NativeIdioms
from cardhub.compiling.scene_parts import SceneParts
from cardhub.compiling.state_class import IMPORTS, native_body, registration
from cardhub.model.table.state_declaration import StateDeclaration

# Classes that stay ordinary ones, as mypyc cannot make them native.
NOT_NATIVE = frozenset({"ShuffleLog"})
# Classes of the core that interpreted code derives from; state classes and games are open as well.
OPEN = frozenset(
    {
        *("State", "MaskedFaces", "Rules", "SearchHints", "Display", "Game"),
        *("ChangingTable", "RunningTable", "LocalSession"),
        *("Single", "Tokens", "Players", "Choice", "Sites", "Actions"),
    }
)
_IGNORE = re.compile(r"#\s*type:\s*ignore[^#\n]*")
# The names begin with `_`, so that they cannot clash with those of the module. A compiled module
# would have the path of its library, and no docstrings.
_START = """\
from typing import Any as _Any, Final as _Final
from mypy_extensions import mypyc_attr as _mypyc_attr
from cardhub.base.native.finder import document as _document, source_of as _source_of
__file__ = _source_of({name!r})
"""
_FACE_AT = "from cardhub.model.table.faces import face_at as _face_at\n"
_MADE_AT = "from cardhub.model.game.scene import made_at as _made_at\n"


@dataclass(frozen=True, slots=True)
class NativeSource:
    """The text of a module to compile, and by its lines the lines of the original."""

    text: str
    lines: Mapping[int, int]


def native_source(
    text: str, name: str, states: Mapping[str, StateDeclaration] | None = None
) -> NativeSource:
    """Return what is compiled in place of the module `name`.

    `states` are the declarations of its state classes by name.
    """
    tree = ast.parse(text)
    tree = NativeIdioms(tree).visit(tree)
    start = _START.format(name=name)
    docstring = ast.get_docstring(tree, clean=False)
    if docstring is not None:
        start += f"__doc__ = {docstring!r}\n"
    for each, needed in ((FaceReads(), _FACE_AT), (SceneParts(tree), _MADE_AT)):
        tree = each.visit(tree)
        start += needed if each.has_replaced else ""
    _rewrite_declarations(tree, states or {})
    _insert_first(tree, start + (IMPORTS if states else ""))
    ast.fix_missing_locations(tree)
    written = ast.unparse(tree)
    lines = _line_map(tree, ast.parse(written))
    return NativeSource(_with_ignores(written, text, lines), lines)


def _rewrite_declarations(tree: ast.Module, states: Mapping[str, StateDeclaration]) -> None:
    """Rewrite the declarations of classes and of constants."""
    constants = Constants(tree)
    body: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            body += _class(node, states.get(node.name), constants)
        else:
            body += constants.in_module(node)
    tree.body = body


def _class(
    node: ast.ClassDef, declaration: StateDeclaration | None, constants: Constants
) -> list[ast.stmt]:
    docstring = ast.get_docstring(node, clean=False)
    before, after = [], []
    if declaration is None:
        before = constants.in_class(node)
    else:
        node.body = native_body(node, declaration)
        after = [*registration(node.name, declaration)]
    if docstring is not None:
        after.append(_statement(f"_document({node.name}, {docstring!r})"))
    if node.name in NOT_NATIVE:
        node.decorator_list.insert(0, _expression("_mypyc_attr(native_class=False)"))
    elif declaration or node.name in OPEN or _bases(node) & OPEN:
        open_class = _expression("_mypyc_attr(allow_interpreted_subclasses=True)")
        node.decorator_list.insert(0, open_class)
    return [*before, node, *after]


def _bases(node: ast.ClassDef) -> set[str]:
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _statement(text: str) -> ast.stmt:
    node = ast.parse(text).body[0]
    node.lineno = 1
    return node


def _insert_first(tree: ast.Module, text: str) -> None:
    """Insert statements where the first may be that are not part of the module's head."""
    first = 0
    for index, node in enumerate(tree.body):
        is_docstring = index == 0 and isinstance(node, ast.Expr)
        if is_docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            first = index + 1
    added = ast.parse(text).body
    for node in added:
        node.lineno = node.end_lineno = 1
    tree.body[first:first] = added


def _line_map(tree: ast.Module, written: ast.Module) -> dict[int, int]:
    """Return the original line of each line of the text: both trees have the same statements."""
    old = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    new = [node for node in ast.walk(written) if isinstance(node, ast.stmt)]
    return {after.lineno: before.lineno for before, after in zip(old, new, strict=True)}


def _with_ignores(written: str, text: str, lines: Mapping[int, int]) -> str:
    """Return the text with the comments of the original that turn type errors off."""
    comments = {
        number: match[0].rstrip()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := _IGNORE.search(line))
    }
    if not comments:
        return written
    out = written.splitlines()
    for number, original in lines.items():
        if original in comments:
            out[number - 1] += "  " + comments[original]
    return "\n".join(out) + "\n"
