"""Slips in the fields of a state: names that it does not have, and fields that copies lose."""

import ast
from collections.abc import Iterable, Iterator

from cardhub.base.errors.quoting import did_you_mean
from cardhub.model.table.state import State
from cardhub.testing.game_checks.slips.sources import GameSource, Method, Slip, Source


def field_slips(source: GameSource) -> Iterator[Slip]:
    """Yield the slips in the fields of a game's state."""
    if _has_own_attributes(source.state_type):
        return
    for method in source.methods:
        nodes = list(ast.walk(method.node))
        # A function that asks for the type of a value may get a more special state.
        if not any(isinstance(node, ast.Name) and node.id == "isinstance" for node in nodes):
            yield from _unknown_fields(method, nodes, source.state_type)
    names = {kind.__name__ for kind in source.states}
    for file in source.sources:
        for node in file.nodes:
            if isinstance(node, ast.ClassDef) and node.name in names:
                yield from _fields_without_annotation(file, node, source)
                yield from _ignored_values(file, node, source.state_type)


def _has_own_attributes(kind: type) -> bool:
    """Return whether a state class copies itself, and so may have attributes of any name."""
    owners = (base for base in kind.__mro__ if base is not State and issubclass(base, State))
    written = ("__init__", "clone", "__getattr__", "__setattr__", "__slots__")
    return any(
        name in vars(owner) and vars(owner)[name] is not owner._written.get(name)
        for owner in owners
        for name in written
    )


def _unknown_fields(
    method: Method, nodes: Iterable[ast.AST], state_type: type[State]
) -> Iterator[Slip]:
    known = {*state_type._declaration.fields, *dir(state_type), *State.__annotations__}
    for node in nodes:
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in method.states
            and node.attr not in known
        ):
            hint = did_you_mean(node.attr, [n for n in known if not n.startswith("_")])
            if not hint and isinstance(node.ctx, ast.Store):
                hint = f" Annotate it in that class: `{node.attr}: int`, or the type that it has"
            problem = f"{state_type.__name__} has no field {node.attr}.{hint}"
            yield Slip(method.source.path, node.lineno, problem)


def _fields_without_annotation(
    file: Source, node: ast.ClassDef, source: GameSource
) -> Iterator[Slip]:
    """Yield what a state class assigns as a value of the class, and rules as one of a state."""
    for line in node.body:
        names = [t.id for t in getattr(line, "targets", ()) if isinstance(t, ast.Name)]
        for name in names:
            value = getattr(source.state_type, name, None)
            is_changed = isinstance(value, list) or name in source.stored
            if name not in source.state_type._declaration.fields and is_changed:
                problem = f"the field {name} has no annotation, so copies of a state lose it"
                fix = f"Write `{name}: {type(value).__name__}`"
                yield Slip(file.path, line.lineno, f"{problem}. {fix}")


def _ignored_values(file: Source, node: ast.ClassDef, state_type: type[State]) -> Iterator[Slip]:
    """Yield the lists that a state class gives a first value, because states begin without it."""
    declaration = state_type._declaration
    for line in node.body:
        if (
            isinstance(line, ast.AnnAssign)
            and isinstance(line.target, ast.Name)
            and line.target.id in (*declaration.lists, *declaration.nested)
            and isinstance(line.value, ast.List | ast.ListComp | ast.BinOp)
            and not (isinstance(line.value, ast.List) and not line.value.elts)
        ):
            name = line.target.id
            problem = f"{name} begins as an empty list, whatever the class says. Set it in deal()"
            yield Slip(file.path, line.lineno, problem)
