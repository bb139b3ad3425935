"""Mutants of a game: small changes of its rules on the syntax tree, each wrong in one place."""

import ast
from collections.abc import Collection, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.testing.game_checks.slips.rule_nodes import (
    nodes_without_rules,
    rule_files,
    used_elsewhere,
)
from cardhub.testing.game_checks.slips.sources import Source

# What each comparison becomes, and how it is written.
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
# Comparisons whose flip is the negation of the whole condition.
NEGATED = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
# Stands for a statement that is left out.
DROPPED = "(dropped)"


class Mutant(NamedTuple):
    """A change of one place of a module: its file and line, and the statement before and after.

    `place` is the number of the changed node in the module's tree, `change` the number of the
    change of this node.
    """

    module: str
    path: str
    line: int
    before: str
    after: str
    place: int
    change: int


def find_mutants(game: Game[Any], rng: Random) -> list[Mutant]:
    """Return all mutants of a game's rules, shuffled; the same ones in the same order by seed."""
    files, shown = rule_files(game)
    mutants: list[Mutant] = []
    for file in files:
        elsewhere = used_elsewhere(file, files)
        mutants += mutants_in(file, shown, elsewhere)
    rng.shuffle(mutants)
    return mutants


def mutated_tree(mutant: Mutant, text: str) -> ast.Module:
    """Return the tree of a module's text with the change of a mutant."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    parents = _parents(nodes)
    node = nodes[mutant.place]
    changed = list(_changes(node))[mutant.change]
    _replace(parents[id(node)], node, changed)
    return ast.fix_missing_locations(tree)


def mutants_in(
    file: Source, shown: Collection[str], elsewhere: Collection[str] = ()
) -> Iterator[Mutant]:
    """Yield the mutants of a file, but not of classes `shown` and the functions that only they use.

    `elsewhere` are the names that other files of the rules use.
    """
    hidden = nodes_without_rules(file, shown, elsewhere)
    parents = _parents(file.nodes)
    for place, node in enumerate(file.nodes):
        for change, changed in enumerate(() if id(node) in hidden else _changes(node)):
            statement, before = _statement(node, parents), ""
            if isinstance(changed, ast.Pass):
                before, after = _heading(node), DROPPED
            else:
                before = _heading(statement)
                _replace(parents[id(node)], node, changed)
                after = _heading(changed if statement is node else statement)
                _replace(parents[id(node)], changed, node)
            line = getattr(node, "lineno", 0)
            yield Mutant(file.module.__name__, file.path, line, before, after, place, change)


def _parents(nodes: list[ast.AST]) -> dict[int, ast.AST]:
    return {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}


def _statement(node: ast.AST, parents: dict[int, ast.AST]) -> ast.AST:
    """Return the statement that a node belongs to."""
    while not isinstance(node, ast.stmt | ast.match_case | ast.Module):
        node = parents[id(node)]
    return node


def _heading(node: ast.AST) -> str:
    """Return the code of a statement, of a compound one its first line."""
    return ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0]


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node can become: always in the same order."""
    if isinstance(node, ast.Compare):
        yield from _flipped(node)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield from _negated(node)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.copy_location(ast.Constant(node.value + 1), node)
        yield ast.copy_location(ast.Constant(node.value - 1), node)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        changed = deepcopy(node)
        changed.op = OPERATORS[type(node.op)]()
        yield changed
    elif isinstance(node, ast.BoolOp):
        other = deepcopy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield other
    elif _is_droppable(node):
        yield ast.copy_location(ast.Pass(), node)


def _flipped(node: ast.Compare) -> Iterator[ast.AST]:
    for number, operator in enumerate(node.ops):
        changed = deepcopy(node)
        changed.ops[number] = COMPARISONS[type(operator)]()
        yield changed


def _negated(node: ast.If | ast.While | ast.IfExp) -> Iterator[ast.AST]:
    test = node.test
    is_flipped = isinstance(test, ast.Compare) and isinstance(test.ops[0], NEGATED)
    if not (is_flipped and len(test.ops) == 1):  # type: ignore[attr-defined]  # a comparison
        changed = deepcopy(node)
        changed.test = ast.copy_location(ast.UnaryOp(ast.Not(), changed.test), test)
        yield changed


def _is_droppable(node: ast.AST) -> bool:
    """Return whether a statement can go without another one failing for want of a name."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom)
    if isinstance(node, ast.AugAssign):
        return True
    return isinstance(node, ast.Assign) and all(
        isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets
    )


def _replace(parent: ast.AST, node: ast.AST, changed: ast.AST) -> None:
    for name, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, name, changed)
        elif isinstance(value, list) and node in value:
            value[value.index(node)] = changed
