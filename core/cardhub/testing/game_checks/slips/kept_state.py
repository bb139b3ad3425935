"""Slips of rules that keep what changes during a game outside its state, where no copy has it."""

import ast
from collections.abc import Iterator

from cardhub.model.game.game import Game
from cardhub.testing.game_checks.slips.sources import GameSource, Method, Slip, own_nodes

# The methods that change a list or set in place.
CHANGING = ("append", "extend", "insert", "add", "update", "remove", "pop", "clear", "discard")


def kept_state_slips(source: GameSource) -> Iterator[Slip]:
    """Yield the lines of rules that keep what happens in the game object, a class or a module."""
    for method in source.methods:
        if not method.states or method.node.name == "__init__":
            continue
        if method.kind is not None:
            yield from _kept_by_object(method)
        yield from _kept_by_module(method)


def _kept_by_object(method: Method) -> Iterator[Slip]:
    asked = _tested_names(method.node)
    state, owner = sorted(method.states)[0], method.node.args.args[0].arg
    whose = "the game object" if issubclass(method.kind or object, Game) else "an object"
    for line, target in _changes(method.node):
        if (
            isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and target.value.id == owner
            and owner not in method.states  # a static method
            # What is computed when it is first asked for is the same in all games.
            and target.attr not in asked
        ):
            name = target.attr
            problem = (
                f"{name} belongs to {whose}, which all games and all copies of a state share. "
                f"Annotate {name} in the state class, and write {state}.{name}"
            )
            yield Slip(method.source.path, line, problem)


def _kept_by_module(method: Method) -> Iterator[Slip]:
    asked, lists = _tested_names(method.node), _module_lists(method.source.tree)
    nodes = list(own_nodes(method.node))
    declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    local = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    shared = ((lists - local) | declared) - asked
    for line, target in _changes(method.node):
        if isinstance(target, ast.Name) and target.id in shared:
            problem = (
                f"{target.id} belongs to the module, which all games and all copies of a state "
                "share. Annotate a field of the state class for it"
            )
            yield Slip(method.source.path, line, problem)


def _changes(function: ast.FunctionDef) -> Iterator[tuple[int, ast.expr]]:
    """Yield line and target of what a function changes: `x` of `x = 1`, `x += 1`, `x.append(1)`.

    An entry of a table (`x[key] = 1`) is none, because caches set those.
    """
    for node in own_nodes(function):
        if isinstance(node, ast.Assign):
            yield from ((node.lineno, target) for target in node.targets)
        elif isinstance(node, ast.AugAssign):
            yield node.lineno, node.target
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CHANGING
        ):
            yield node.lineno, node.func.value


def _tested_names(function: ast.FunctionDef) -> set[str]:
    """Return the names in the conditions of a function; a lazy value is tested in one."""
    tests = (n.test for n in own_nodes(function) if isinstance(n, ast.If | ast.IfExp))
    nodes = [node for test in tests for node in ast.walk(test)]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return attributes | {node.id for node in nodes if isinstance(node, ast.Name)}


def _module_lists(tree: ast.Module) -> set[str]:
    """Return the names of a module that are lists at first."""
    names = set()
    for line in tree.body:
        targets = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
        if isinstance(getattr(line, "value", None), ast.List):
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names
