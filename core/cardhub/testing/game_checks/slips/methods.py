"""Slips in methods: names, parameters and values that the core does not expect."""

import ast
import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from cardhub.base.errors.quoting import did_you_mean
from cardhub.testing.checking import line_of_def
from cardhub.testing.game_checks.slips.sources import (
    GameSource,
    Slip,
    Source,
    class_nodes,
    contract_of,
    functions_of,
    own_nodes,
)


def method_slips(source: GameSource) -> Iterator[Slip]:
    """Yield the slips in the methods of a game's classes."""
    for kind in source.kinds:
        yield from _unknown_methods(kind, source.used)
        yield from _wrong_signatures(kind)
    for file in source.sources:
        yield from _missing_returns(file, source.kinds)
    yield from _missing_seat(source)


def _slip_in(function: FunctionType, problem: str) -> Slip:
    line = line_of_def(function.__code__)
    return Slip(line.path, line.number, problem)


def _unknown_methods(kind: type, used: frozenset[str]) -> Iterator[Slip]:
    """Yield uncalled methods whose names are almost names of the contract."""
    part = contract_of(kind)
    if part is None:
        return
    known = [name for name in vars(part) if not name.startswith("_") and name not in vars(kind)]
    for name, function in functions_of(kind):
        hint = did_you_mean(name, known)
        is_unknown = not name.startswith("_") and not hasattr(part, name) and name not in used
        if is_unknown and hint and not any(hasattr(base, name) for base in kind.__mro__[1:]):
            yield _slip_in(function, f"{part.__name__} has no method {name}().{hint}")


def _wrong_signatures(kind: type) -> Iterator[Slip]:
    """Yield the methods that the core cannot call with the arguments of the contract."""
    part = contract_of(kind)
    if part is None:
        return
    for name, function in functions_of(kind):
        declared = vars(part).get(name)
        if name.startswith("_") or not inspect.isfunction(declared):
            continue
        wanted = inspect.signature(declared)
        try:
            inspect.signature(function).bind(*wanted.parameters)
        except TypeError:
            mine, right = _heading(name, function), _heading(name, declared)
            yield _slip_in(function, f"the core calls {right}, and this is {mine}")


def _heading(name: str, function: Any) -> str:
    return f"{name}({', '.join(inspect.signature(function).parameters)})"


def _missing_returns(source: Source, kinds: list[type]) -> Iterator[Slip]:
    """Yield the methods of the contract that never return a value which the core needs."""
    for node, kind in class_nodes(source, kinds):
        part = contract_of(kind)
        for method in node.body:
            if part and isinstance(method, ast.FunctionDef):
                annotations = getattr(vars(part).get(method.name), "__annotations__", {})
                returned = annotations.get("return")
                is_needed = returned is not None and "None" not in str(returned)
                if is_needed and not any(map(_is_exit, own_nodes(method))):
                    problem = f"{method.name}() returns nothing, because it has no `return`"
                    yield Slip(source.path, method.lineno, problem)


def _is_exit(node: ast.AST) -> bool:
    is_value = isinstance(node, ast.Return) and node.value is not None
    return is_value or isinstance(node, ast.Raise | ast.Yield | ast.YieldFrom)


def _missing_seat(source: GameSource) -> Iterator[Slip]:
    """Yield `apply` if no line of the game sets the next seat, and so none ends the game."""
    owner = next((kind for kind in source.kinds if "apply" in vars(kind)), None)
    # Rules in a compiled module, which is not read here, may set it.
    if owner is None or "seat" in source.stored or "setattr" in source.used:
        return
    if len({kind.__module__ for kind in source.kinds}) <= len(source.sources):
        for name, function in functions_of(owner):
            if name == "apply":
                problem = "apply() never sets state.seat: to the next seat, or to OVER at the end"
                yield _slip_in(function, problem)
