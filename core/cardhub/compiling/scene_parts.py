"""Parts of scenes in code to compile: they get the line that makes them, for errors about them."""

import ast

from typing_extensions import override

from cardhub.model.game.scene import PARTS

_NAMES = frozenset(part.__name__ for part in PARTS)


class SceneParts(ast.NodeTransformer):
    """Replaces `Area(…)` by `_made_at(Area(…), __file__, line)`; so for all parts with a line.

    Uncompiled, a part finds this line in the frame of its caller, and compiled code has no frames.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.has_replaced = False
        self._names = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "cardhub"
            for alias in node.names
            if alias.name in _NAMES
        }

    @override
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self._names:
            return node
        self.has_replaced = True
        where = [ast.Name("__file__", ast.Load()), ast.Constant(node.lineno)]
        call = ast.Call(ast.Name("_made_at", ast.Load()), [node, *where], [])
        return ast.copy_location(call, node)
