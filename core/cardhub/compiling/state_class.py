"""State classes as mypyc compiles them: typed attributes, and the methods written out."""

import ast
from collections.abc import Iterator

from typing_extensions import override

from cardhub.model.table.state_declaration import DEALT, INITIAL, StateDeclaration
from cardhub.model.table.state_source import native_methods

# What the methods need, imported under names that cannot clash with those of the module.
IMPORTS = """\
from collections.abc import Iterable as _Iterable, Sequence as _Sequence
from cardhub.model.table.faces import Faces as _Faces
from cardhub.model.table.settings import Settings as _Settings
from cardhub.model.table.state import declare as _declare
from cardhub.model.table.state_declaration import StateDeclaration as _StateDeclaration
from cardhub.model.table.zones import Zone as _Zone
"""
_IMPORTED = frozenset(
    {"Any", "Iterable", "Sequence", "Faces", "Settings", "declare", "StateDeclaration", "Zone"}
)


class NotCompilableError(Exception):
    """A class that cannot be written out for mypyc; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def native_body(node: ast.ClassDef, declaration: StateDeclaration) -> list[ast.stmt]:
    """Return the body of a state class: attributes for its zones and fields, and all methods.

    Raises NotCompilableError for a default that is no literal.
    """
    if not declaration.is_literal:
        raise NotCompilableError(node.lineno, "a field has a default that is no literal")
    zones = {zone.name: zone.count is None for zone in declaration.zones}
    own = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    body = [part for each in node.body for part in _statement(each, declaration, zones)]
    return [*body, *_methods(node, declaration, own)]


def registration(name: str, declaration: StateDeclaration) -> Iterator[ast.stmt]:
    """Yield the statements after a compiled state class: its declaration, for the core."""
    # The representations of both dataclasses are calls of them.
    tree = _Renamed().visit(ast.parse(f"declare({name}, {declaration!r})"))
    statement: ast.stmt = tree.body[0]
    statement.lineno = 1
    yield statement


def _statement(
    node: ast.stmt, declaration: StateDeclaration, zones: dict[str, bool]
) -> Iterator[ast.stmt]:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        if name in zones:
            yield _attribute(name, "list[int]" if zones[name] else "list[list[int]]", node)
            return
        if name in declaration.token_fields:
            yield _attribute(name, "list[int]", node)
            return
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        name = node.target.id
        if name in (*DEALT, *INITIAL):
            return  # an attribute of every state
        if name in declaration.fields:
            node.value = None  # `__init__` assigns it
    yield node


def _attribute(name: str, kind: str, node: ast.stmt) -> ast.stmt:
    annotation = ast.parse(kind, mode="eval").body
    target = ast.Name(name, ast.Store())
    return ast.copy_location(ast.AnnAssign(target, annotation, None, simple=1), node)


def _methods(
    node: ast.ClassDef, declaration: StateDeclaration, own: set[str]
) -> Iterator[ast.stmt]:
    # Methods of the author stay; `move` puts by the author's `put`.
    left_out = own | ({"move"} if "put" in own else set())
    if own & {"__init__", "clone"}:
        listed = ", ".join(sorted(own & {"__init__", "clone"}))
        raise NotCompilableError(node.lineno, f"the class has its own {listed}")
    tree = _Renamed().visit(ast.parse(native_methods(declaration)))
    for method in tree.body:
        if isinstance(method, ast.FunctionDef) and method.name not in left_out:
            yield from _placed(method, node)


def _placed(method: ast.FunctionDef, node: ast.ClassDef) -> Iterator[ast.stmt]:
    """Yield a written method, as if its lines were that of the class."""
    for part in ast.walk(method):
        if isinstance(part, ast.stmt):
            part.lineno = node.lineno
    yield method


class _Renamed(ast.NodeTransformer):
    """Renames what the methods need from other modules."""

    @override
    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in _IMPORTED:
            node.id = f"_{node.id}"
        return node
