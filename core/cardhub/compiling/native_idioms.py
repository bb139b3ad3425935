"""Expressions that mypyc compiles to calls of Python, in a form that it compiles to plain C."""

import ast
import sys

from typing_extensions import override

# mypyc loops itself over a generator expression that one of these gets, but not over a list. From
# Python 3.12 on, `sum` rounds floats less often than a loop does.
IS_SUM_A_LOOP = sys.version_info < (3, 12)
_REDUCTIONS = frozenset({"all", "any", "sum"})
_LOOPS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.Starred)


class NativeIdioms(ast.NodeTransformer):
    """Rewrites expressions without a change of their values.

    `any(cards)` becomes `any(each for each in cards)`, and `rng.random() * len(cards)` becomes
    `rng.random() * float(len(cards))`: a product of an int and a float is left to Python.
    """

    def __init__(self, tree: ast.Module, *, is_sum_a_loop: bool = IS_SUM_A_LOOP) -> None:
        self._is_sum_a_loop = is_sum_a_loop
        # A module may give other things these names.
        self._reductions = _REDUCTIONS - {_bound_name(node) for node in ast.walk(tree)}

    @override
    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        is_reduction = isinstance(node.func, ast.Name) and node.func.id in self._reductions
        if is_reduction and ast.unparse(node.func) == "sum" and not self._is_sum_a_loop:
            node.args[:1] = [_as_list(each) for each in node.args[:1]]
        elif is_reduction and len(node.args) == 1 and not isinstance(node.args[0], _LOOPS):
            name, (values,) = "_each", node.args
            loop = ast.comprehension(ast.Name(name, ast.Store()), values, [], is_async=0)
            node.args = [ast.GeneratorExp(ast.Name(name, ast.Load()), [loop])]
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            # The default, but with any keyword mypyc calls Python.
            node.keywords = [each for each in node.keywords if not _is_lenient(each)]
        return node

    @override
    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        self.generic_visit(node)
        is_index = _calls(node.left, "random") and _calls(node.right, "len")
        if is_index and isinstance(node.op, ast.Mult):
            node.right = ast.Call(ast.Name("float", ast.Load()), [node.right], [])
        return node


def _is_lenient(keyword: ast.keyword) -> bool:
    is_false = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
    return keyword.arg == "strict" and is_false


def _as_list(node: ast.expr) -> ast.expr:
    """Return a list comprehension for a generator expression, which mypyc would loop over."""
    return ast.ListComp(node.elt, node.generators) if isinstance(node, ast.GeneratorExp) else node


def _bound_name(node: ast.AST) -> str:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.FunctionDef):
        return node.name
    return node.arg if isinstance(node, ast.arg) else ""


def _calls(node: ast.expr, name: str) -> bool:
    """Return whether an expression is a call of a function or method of this name."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    called = function.attr if isinstance(function, ast.Attribute) else None
    return name == (function.id if isinstance(function, ast.Name) else called)
