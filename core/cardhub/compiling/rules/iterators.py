"""Iterators of rules: generator functions, and `chain`, `product` and `combinations` of itertools.

In C an iterator is a list with all items. Python computes them later, so their sources must not
change: generator functions get numbers only, and a function that chains lists changes none.
"""

import ast
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, combinations, product

from cardhub.compiling.rules import loops
from cardhub.compiling.rules.expressions import iterator_over
from cardhub.compiling.rules.form import (
    INT,
    Assign,
    Expression,
    Helper,
    Leave,
    ListOf,
    Numeral,
    Type,
    Variable,
    is_list,
    item_type,
    widest,
)
from cardhub.compiling.rules.program import RefusedError
from cardhub.compiling.rules.scope import (
    ROOM,
    STATE,
    Known,
    Operand,
    Scope,
    Steps,
    add_to,
    converted,
    items_of,
)

# The variable with the list of a generator function; no variable of Python has this name.
YIELDED = "yielded items"
_CHANGING = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}
_CHANGED_LATER = "a chain of lists is understood in functions of numbers that change no list"


def is_generator(node: ast.FunctionDef) -> bool:
    """Return whether a function yields."""
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))


def begin(scope: Scope, arguments: Sequence[Operand], node: ast.FunctionDef) -> None:
    """Begin a generator function, with an empty list."""
    if node.decorator_list or not all(map(_is_number, arguments)):
        raise RefusedError(node, "a generator function is understood if it gets numbers only")
    kind = scope.types.get(YIELDED, ListOf(None))
    made = scope.new_variable("yielded", kind)
    scope.is_new[made.name] = True
    scope.variables[YIELDED] = made
    scope.emit(Assign(made, Helper(kind, "new_list", (ROOM,), is_new=True)))


def _is_number(argument: Operand) -> bool:
    if isinstance(argument, Known):
        return isinstance(argument.value, int | float | str)
    return isinstance(argument, Expression) and not is_list(argument.type)


def end(scope: Scope, node: ast.AST) -> None:
    """Write the end of a generator function, which returns its list."""
    if isinstance(node, ast.Return) and node.value is not None:
        raise RefusedError(node, "a generator function that returns a value is not understood")
    made = _yielded(scope)
    scope.results.append(made.type)
    scope.emit(Leave(made))


def _yielded(scope: Scope) -> Variable:
    name = getattr(scope.variables[YIELDED], "name", "")
    return Variable(scope.function.variables[name], name)


def give(scope: Scope, node: ast.Yield) -> Operand:
    """Add the item of a `yield` to the list."""
    if node.value is None:
        raise RefusedError(node, "a yield without a value is not understood")
    _add(scope, scope.value(node.value), node)
    return Known(None)


def give_all(scope: Scope, node: ast.YieldFrom) -> Operand:
    """Add all items of a `yield from` to the list."""
    loops.for_items(scope, scope.value(node.value), node, lambda item: _add(scope, item, node))
    return Known(None)


def _add(scope: Scope, item: Operand, node: ast.AST) -> None:
    value = add_to(scope, _yielded(scope), scope.expression(item, node), node)
    scope.do("ADD", _yielded(scope), value)


def bind(scope: Scope, name: str, iterator: Steps, node: ast.AST) -> None:
    """Give a variable an iterator whose items are in a list; the next use is the only one."""
    if name in scope.variables and name not in scope.iterators:
        raise RefusedError(node, f"{name} is an iterator here, and has another value elsewhere")
    assert iterator.listed is not None
    scope.bind(name, iterator.listed, node)
    scope.iterators[name] = [*scope.loops]


def _new_iterator(scope: Scope, helper: str, item: Type | None, *given: Expression) -> Steps:
    call = Helper(ListOf(item), helper, given, is_new=True)
    return iterator_over(scope, scope.temporary(call, "items"))


def _rows(scope: Scope, operands: list[Operand], node: ast.AST) -> Expression:
    """Return a new list of several lists."""
    rows = [scope.settled(items_of(scope, operand, node)) for operand in operands]
    listed = [scope.expression(row, node) for row in rows]
    kind = widest([row.type for row in listed]) if listed else ListOf(None)
    if kind is None:
        raise RefusedError(node, "the lists have items of several types")
    room = Numeral(INT, len(listed))
    made = scope.temporary(Helper(ListOf(kind), "new_list", (room,), is_new=True), "rows")
    for row in listed:
        scope.do("append", made, converted(scope, row, kind, node))
    return made


def _row_type(rows: Expression, node: ast.AST) -> Type | None:
    row = item_type(rows.type)
    if row is not None and not isinstance(row, ListOf):
        raise RefusedError(node, "lists of one type are needed here")
    return row.item if row is not None else None


def _chain(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    if not all(isinstance(argument, Steps) and argument.listed for argument in arguments):
        scope.chained.append(node)
    rows = _rows(scope, arguments, node)
    return _new_iterator(scope, "chained", _row_type(rows, node), rows)


def _chain_of_one(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    scope.chained.append(node)
    rows = items_of(scope, arguments[0], node)
    return _new_iterator(scope, "chained", _row_type(rows, node), rows)


def check_chains(scope: Scope) -> None:
    """Refuse chained lists of a function that may change them before Python reads them."""
    if scope.chained and _may_change_lists(scope):
        raise RefusedError(scope.chained[0], _CHANGED_LATER)


def _may_change_lists(scope: Scope) -> bool:
    """Return whether a function may change any list that it knows."""
    assert scope.rule is not None
    is_given_state = any(
        isinstance(operand, Known) and operand.value is STATE
        for operand in scope.variables.values()
    )
    passed = (p for called, _, _ in scope.function.calls for p in called.parameters)
    own = scope.function.parameters
    return (
        is_given_state
        or any(is_list(parameter.type) for parameter in (*passed, *own))
        or any(map(_changes_a_list, ast.walk(scope.rule)))
    )


def _changes_a_list(part: ast.AST) -> bool:
    if isinstance(part, ast.Subscript):
        return not isinstance(part.ctx, ast.Load)
    function = part.func if isinstance(part, ast.Call) else None
    is_method = isinstance(function, ast.Attribute) and function.attr in _CHANGING
    return is_method or isinstance(part, ast.AugAssign)


def all_products(scope: Scope, rows: Expression, node: ast.AST) -> Operand:
    """Return the products of several lists."""
    return _new_iterator(scope, "product_of", ListOf(_row_type(rows, node)), rows)


def _product(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    if node.keywords:
        raise RefusedError(node, "product() with repeat is not understood")
    return all_products(scope, _rows(scope, arguments, node), node)


def _combinations(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    values, size = items_of(scope, arguments[0], node), scope.number(arguments[1], node)
    return _new_iterator(scope, "combinations_of", ListOf(item_type(values.type)), values, size)


ITERTOOLS: dict[Hashable, Callable[[Scope, ast.Call, list[Operand]], Operand]] = {
    chain: _chain,
    chain.from_iterable: _chain_of_one,
    product: _product,
    combinations: _combinations,
}
ITERATORS: dict[type[ast.AST], Callable[..., Operand]] = {
    ast.Yield: give,
    ast.YieldFrom: give_all,
}
