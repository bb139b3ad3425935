"""Constants in code to compile: one assignment for each name, and final."""

import ast
import re
from typing import NamedTuple, cast

_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")


class Assignments(NamedTuple):
    """The statements in place of an assignment, and those that compute the value they unpack."""

    before: list[ast.stmt]
    parts: list[ast.stmt]


class Constants:
    """Rewrites the assignments of a module, and those in the bodies of its classes.

    mypyc does not take `A, B = range(2)` in the body of a class, and it reads constants without a
    look-up only if they are final.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._once = _assigned_once(tree.body) - _global_names(tree)
        self._temporaries = 0

    def in_module(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the statements in place of a statement of the module."""
        before, parts = self._rewritten(node, self._once)
        return [*before, *parts]

    def in_class(self, node: ast.ClassDef) -> list[ast.stmt]:
        """Rewrite the body of a class; return the statements that it needs before it."""
        # A class with bases may be an enumeration, or have constants that a subclass replaces.
        once = frozenset[str]() if node.bases else _assigned_once(node.body)
        rewritten = [self._rewritten(statement, once) for statement in node.body]
        node.body = [part for assignments in rewritten for part in assignments.parts]
        return [statement for assignments in rewritten for statement in assignments.before]

    def _rewritten(self, node: ast.stmt, once: frozenset[str]) -> Assignments:
        if isinstance(node, ast.AnnAssign) and node.value and _is_in(node.target, once):
            node.annotation = ast.Subscript(_name("_Final"), node.annotation, ast.Load())
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Tuple) and all(isinstance(t, ast.Name) for t in target.elts):
                return self._unpacked(target.elts, node, once)
            return Assignments([], [_assignment(target, node.value, node, once)])
        return Assignments([], [node])

    def _unpacked(
        self, targets: list[ast.expr], node: ast.Assign, once: frozenset[str]
    ) -> Assignments:
        values = _separate_values(node.value, len(targets))
        before: list[ast.stmt] = []
        if values is None:
            self._temporaries += 1
            name = f"_unpacked_{self._temporaries}"
            before = [_final(ast.Name(name, ast.Store()), node.value, node)]
            values = [
                ast.Subscript(_name(name), ast.Constant(index), ast.Load())
                for index in range(len(targets))
            ]
        pairs = zip(targets, values, strict=True)
        return Assignments(before, [_assignment(t, value, node, once) for t, value in pairs])


def _assignment(
    target: ast.expr, value: ast.expr, node: ast.Assign, once: frozenset[str]
) -> ast.stmt:
    if _is_in(target, once) and not _is_display(value) and not _is_typing(value):
        return _final(target, value, node)
    return ast.copy_location(ast.Assign([target], value), node)


def _separate_values(value: ast.expr, number: int) -> list[ast.expr] | None:
    """Return one expression for each target of an unpacking, if the value shows them."""
    if isinstance(value, ast.Tuple) and len(value.elts) == number:
        return value.elts
    if re.fullmatch(r"range\(\d+\)", ast.unparse(value)):
        return [ast.Constant(index) for index in range(number)]
    return None


def _assigned_once(body: list[ast.stmt]) -> frozenset[str]:
    """Return the names of constants that statements assign once, and not under a condition."""
    seen: set[str] = set()
    again: set[str] = set()
    for statement in body:
        # What an `if` or `try` assigns, other branches may assign as well.
        is_plain = isinstance(statement, ast.Assign | ast.AnnAssign)
        for node in ast.walk(statement) if not _is_scope(statement) else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                (again if node.id in seen or not is_plain else seen).add(node.id)
    return frozenset(name for name in seen - again if _CONSTANT.fullmatch(name))


def _global_names(tree: ast.Module) -> set[str]:
    """Return the names that functions of a module assign as well."""
    lists = (node.names for node in ast.walk(tree) if isinstance(node, ast.Global))
    return {name for names in lists for name in names}


def _is_scope(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _is_in(target: ast.expr, names: frozenset[str]) -> bool:
    return isinstance(target, ast.Name) and target.id in names


def _is_display(value: ast.expr) -> bool:
    """Return whether a value is written as a tuple, or an empty list; mypyc mistypes final ones."""
    if isinstance(value, ast.List):
        return not value.elts
    return isinstance(value, ast.Tuple | ast.Dict | ast.Set)


def _is_typing(value: ast.expr) -> bool:
    """Return whether a value is a declaration for type checkers."""
    kinds = ("TypeVar", "ParamSpec", "NewType", "NamedTuple", "TypedDict")
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(kinds)


def _final(target: ast.expr, value: ast.expr, node: ast.stmt) -> ast.stmt:
    assigned = ast.AnnAssign(cast("ast.Name", target), _name("_Final"), value, simple=1)
    return ast.copy_location(assigned, node)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())
