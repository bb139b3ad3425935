"""Reads of faces in code to compile: `state.face[token]` as a call that mypyc makes fast."""

import ast

from typing_extensions import override

# The attribute and the variable names that hold the faces of a state.
_ATTRIBUTE = "face"


class FaceReads(ast.NodeTransformer):
    """Replaces `X[token]` by `_face_at(X, token)` where X is `….face`, or a variable bound to it.

    `_face_at` gives the same face and raises the same errors for every X: a missed read is only
    slower.
    """

    def __init__(self) -> None:
        self.has_replaced = False
        self._bound: set[str] = set()

    @override
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        outer, self._bound = self._bound, self._bound | _variables(node)
        self.generic_visit(node)
        self._bound = outer
        return node

    @override
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice):
            return node
        if not self._is_faces(node.value):
            return node
        self.has_replaced = True
        name = ast.Name("_face_at", ast.Load())
        return ast.copy_location(ast.Call(name, [node.value, node.slice], []), node)

    def _is_faces(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self._bound
        return isinstance(node, ast.Attribute) and node.attr == _ATTRIBUTE


def _variables(node: ast.FunctionDef) -> set[str]:
    """Return the variables of a function that are bound to the faces of a state."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            for target in part.targets:
                found |= _pairs(target, part.value)
    return found


def _pairs(target: ast.expr, value: ast.expr) -> set[str]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        return {name for each in pairs for name in _pairs(*each)}
    is_face = isinstance(value, ast.Attribute) and value.attr == _ATTRIBUTE
    return {target.id} if is_face and isinstance(target, ast.Name) else set()
