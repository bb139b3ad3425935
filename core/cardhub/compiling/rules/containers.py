"""Sets and dictionaries that rules make: sets of ints in ascending order, dictionaries as pairs."""

import ast
from collections.abc import Callable, Mapping
from typing import Any

from cardhub.compiling.rules import loops
from cardhub.compiling.rules.form import (
    BOOL,
    INT,
    TEXT,
    DictOf,
    Expression,
    Helper,
    ListOf,
    Maybe,
    Numeral,
    SetOf,
    TupleOf,
    Type,
    Variable,
    common_type,
    item_type,
)
from cardhub.compiling.rules.program import RefusedError
from cardhub.compiling.rules.scope import (
    ROOM,
    Generated,
    Group,
    Known,
    Marker,
    Operand,
    Scope,
    converted,
    widen_variable,
)

_TWICE_ROOM = Helper(INT, "product", (ROOM, Numeral(INT, 2)))
_KEYS = (INT, BOOL, TEXT)


def set_of(scope: Scope, operand: Operand, node: ast.AST) -> Expression:
    """Return a new set of the items of an operand."""
    values = loops.collect(scope, loops.unordered(operand), node)
    if item_type(values.type) not in (INT, BOOL, None):
        raise RefusedError(node, "only sets of ints are understood")
    return scope.temporary(Helper(SetOf(), "set_of", (values,), is_new=True), "set")


def set_display(scope: Scope, node: ast.Set) -> Operand:
    """Return a set that is written out."""
    written = ast.copy_location(ast.List(node.elts, ast.Load()), node)
    return set_of(scope, scope.value(written), node)


def set_comprehension(scope: Scope, node: ast.SetComp) -> Operand:
    """Return the set of a comprehension."""
    return set_of(scope, Generated(node), node)


def display(scope: Scope, node: ast.Dict) -> Operand:
    """Return a dictionary that is written out; one of constants is known before the game."""
    keys = [key for key in node.keys if key is not None]
    if len(keys) < len(node.keys):
        raise RefusedError(node, "two stars in a dictionary are not understood")
    operands = scope.values([*keys, *node.values])
    if operands and all(_is_constant(operand) for operand in operands):
        known: list[Any] = [operand.value for operand in operands if isinstance(operand, Known)]
        return Known(dict(zip(known[: len(keys)], known[len(keys) :], strict=True)))
    made = _new(scope)
    for key, value in zip(operands[: len(keys)], operands[len(keys) :], strict=True):
        made = store(scope, made, scope.number(key, node), value, node)
    return made


def _is_constant(operand: Operand) -> bool:
    return isinstance(operand, Known) and not isinstance(operand.value, Marker)


def comprehension(scope: Scope, node: ast.DictComp) -> Operand:
    """Return the dictionary of a comprehension."""
    made = _new(scope)

    def add() -> None:
        key, value = scope.values([node.key, node.value])
        store(scope, made, scope.number(key, node), value, node, helper="STORE")

    loops.generate(scope, node.generators, add)
    return Variable(scope.function.variables[made.name], made.name, is_fixed=True)


def from_keys(scope: Scope, keys: Operand, value: Operand, node: ast.AST) -> Operand:
    """Return a dictionary that has the same value for all keys."""
    number = scope.settled(scope.expression(value, node))
    made = _new(scope)

    def add(key: Operand) -> None:
        store(scope, made, scope.number(key, node), number, node, helper="STORE")

    loops.for_items(scope, keys, node, add)
    return Variable(scope.function.variables[made.name], made.name, is_fixed=True)


def counter(scope: Scope, operand: Operand, node: ast.AST) -> Operand:
    """Return a new dictionary with the number of times that an item occurs."""
    made = _new(scope, is_counter=True)

    def add(item: Operand) -> None:
        key = scope.temporary(scope.number(item, node), "key")
        times = Helper(INT, "value_or", (made, key, Numeral(INT, 0)))
        more = scope.temporary(Helper(INT, "sum_of", (times, Numeral(INT, 1))), "times")
        store(scope, made, key, more, node, helper="STORE")

    loops.for_items(scope, operand, node, add)
    return Variable(scope.function.variables[made.name], made.name, is_fixed=True)


def _new(scope: Scope, *, is_counter: bool = False) -> Variable:
    kind = DictOf(None, None, is_counter)
    empty = Helper(kind, "new_list", (_TWICE_ROOM,), is_new=True)
    return scope.temporary(empty, "pairs")


def store(
    scope: Scope,
    owner: Expression,
    key: Expression,
    value: Operand,
    node: ast.AST,
    *,
    helper: str = "store",
) -> Variable:
    """Write that a dictionary has a value for a key; return it with its type.

    `helper`: STORE for a dictionary without another reference, which can have any size.
    """
    added = scope.expression(value, node)
    assert isinstance(owner.type, DictOf)
    kind = common_type(owner.type, DictOf(key.type, added.type, owner.type.is_counter))
    if kind is None or key.type not in _KEYS:
        raise RefusedError(node, "the dictionary has keys or values of several types")
    scope.note_alias(added)
    if not isinstance(owner, Variable):
        raise RefusedError(node, "only a variable can have a dictionary that changes")
    if kind != owner.type:
        owner = widen_variable(scope, owner, kind, node)
    assert isinstance(kind, DictOf)
    assert kind.value is not None
    scope.do(helper, owner, key, converted(scope, added, kind.value, node))
    return owner


def method(
    scope: Scope, owner: Expression, name: str, arguments: list[Operand], node: ast.Call
) -> Operand:
    """Return the result of a method of a dictionary."""
    assert isinstance(owner.type, DictOf)
    if name == "get":
        return _get(scope, owner, arguments, node)
    if name == "items":
        return loops.dict_steps(owner, lambda key, value: Group((key, value)))
    if name == "keys":
        return loops.dict_steps(owner, lambda key, _: key)
    if name == "values":
        return loops.dict_steps(owner, lambda _, value: value)
    if name == "most_common" and owner.type.is_counter:
        return _most_common(scope, owner, arguments, node)
    raise RefusedError(node, f"{name}() of a dictionary is not understood")


def _most_common(
    scope: Scope, owner: Expression, arguments: list[Operand], node: ast.AST
) -> Operand:
    """Return the keys with their numbers, the greatest first; all of them or only the first."""
    assert isinstance(owner.type, DictOf)
    kind = ListOf(TupleOf((owner.type.key or INT, INT)))
    listed = scope.temporary(Helper(kind, "most_common", (owner,), is_new=True), "common")
    if not arguments or getattr(arguments[0], "value", 0) is None:
        return listed
    count = Helper(INT, "larger", (Numeral(INT, 0), scope.number(arguments[0], node)))
    bounds = Numeral(INT, 0), count, ROOM
    return scope.temporary(Helper(kind, "slice", (listed, *bounds), is_new=True), "part")


def _get(scope: Scope, owner: Expression, arguments: list[Operand], node: ast.AST) -> Operand:
    assert isinstance(owner.type, DictOf)
    kind, other = _or_other(scope, owner.type.value or INT, arguments[1:], node)
    return Helper(kind, "value_or", (owner, scope.number(arguments[0], node), other))


def _or_other(
    scope: Scope, kind: Type, others: list[Operand], node: ast.AST
) -> tuple[Type, Expression]:
    """Return the type of what `get` returns, and its other value, which is None by default."""
    other = scope.expression(others[0] if others else Known(None), node)
    common = common_type(kind, other.type)
    if common not in (kind, Maybe()):
        raise RefusedError(node, "the other value of get() has another type")
    return common or kind, converted(scope, other, common or kind, node)


def looked_up_in(
    scope: Scope, constants: Mapping[Any, Any], arguments: list[Operand], node: ast.AST
) -> Operand:
    """Return the value for a key in a dictionary of constants, or the other value of `get`."""
    key, *others = arguments
    if isinstance(key, Known) and all(isinstance(other, Known) for other in others):
        known = [other.value for other in others if isinstance(other, Known)]
        return Known(constants.get(key.value, *known))
    keys = scope.program.constant(list(constants), node)
    values = scope.program.constant(list(constants.values()), node)
    kind = item_type(values.type)
    if kind is None:
        raise RefusedError(node, "the values of the dictionary have several types")
    common, other = _or_other(scope, kind, others, node)
    number = scope.number(key, node)
    return Helper(common, "looked_up_or", (keys, values, number, other))


CONTAINERS: dict[type[ast.AST], Callable[..., Operand]] = {
    ast.Set: set_display,
    ast.SetComp: set_comprehension,
    ast.Dict: display,
    ast.DictComp: comprehension,
}
