"""Functions that are built into Python, or that the core has for rules."""

import ast
import builtins
import math
import operator
from collections import Counter
from collections.abc import Callable, Hashable

from cardhub.compiling.rules import containers, loops
from cardhub.compiling.rules.arithmetic import arithmetic
from cardhub.compiling.rules.expressions import item_of, rows_count
from cardhub.compiling.rules.form import (
    BOOL,
    FLOAT,
    INT,
    Choose,
    DictOf,
    Expression,
    Helper,
    Numeral,
    Operation,
    is_list,
    item_type,
    widest,
)
from cardhub.compiling.rules.iterators import ITERTOOLS
from cardhub.compiling.rules.program import RefusedError, is_memo
from cardhub.compiling.rules.scope import (
    FACES,
    Group,
    Known,
    Operand,
    Rows,
    Scope,
    Steps,
    converted,
    count_of,
)
from cardhub.model.table.seats import clockwise, first_seat

# Translates calls of a function.
Handler = Callable[[Scope, ast.Call, list[Operand]], Operand]
ZERO = Numeral(INT, 0)


def _length(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    (operand,) = arguments
    if isinstance(operand, Known) and is_memo(operand.value):
        return Known(0)
    if isinstance(operand, Known) and operand.value is not FACES:
        return Known(len(operand.value))
    if isinstance(operand, Group):
        return Known(len(operand.items))
    if isinstance(operand, Rows):
        return rows_count(scope, operand)
    operand = loops.unordered(operand)
    if isinstance(operand, Steps):
        return operand.count
    return loops.steps_of(scope, operand, node).count


def _extreme(helper: str, sign: str) -> Handler:
    """Return the translation of `min` or `max`; `sign`: how a better value is compared."""

    def handle(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
        words = {word.arg: scope.value(word.value) for word in node.keywords}
        key = words.pop("key", None)
        if len(arguments) == 1 and key is not None and not words:
            return loops.extreme_by_key(scope, arguments[0], key, node, helper)
        if key is not None or words.keys() - {"default"}:
            raise RefusedError(node, "these arguments of min() and max() are not understood")
        if len(arguments) == 1:
            return loops.extreme(scope, arguments[0], node, helper, words.get("default"))
        values = [scope.expression(argument, node) for argument in arguments]
        return _extreme_of(scope, values, node, helper, sign)

    return handle


def _extreme_of(
    scope: Scope, values: list[Expression], node: ast.AST, helper: str, sign: str
) -> Expression:
    """Return the first of the least or greatest of several values."""
    kind = widest([value.type for value in values])
    if kind is None:
        raise RefusedError(node, "values of several types are compared")
    if not is_list(kind):
        values = [converted(scope, scope.single(value, node), kind, node) for value in values]
    whole, *others = values
    for value in others:
        if kind in (INT, BOOL):
            whole = Helper(INT, "smaller" if helper == "smallest" else "larger", (whole, value))
        elif kind == FLOAT:
            name = "smaller_double" if helper == "smallest" else "larger_double"
            whole = Helper(FLOAT, name, (whole, value))
        else:
            whole, value = (scope.temporary(part) for part in (whole, value))
            order = loops.order_of(kind, node)
            difference = Helper(INT, "compared_lists", (value, whole, order))
            is_better = Operation(BOOL, sign, (difference, ZERO))
            whole = scope.temporary(Choose(kind, is_better, value, whole))
    return whole


def _sum(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    if len(arguments) != 1 or node.keywords:
        raise RefusedError(node, "sum() with a first value is not understood")
    return loops.summed(scope, arguments[0], node)


def _tested(*, is_all: bool) -> Handler:
    def handle(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
        return loops.tested(scope, loops.unordered(arguments[0]), node, is_all=is_all)

    return handle


def _list(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return loops.collect(scope, arguments[0], node) if arguments else Group((), is_list=True)


def _sorted(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return loops.ordered(scope, arguments[0], node)


def _set(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return containers.set_of(scope, arguments[0] if arguments else Known(()), node)


def _range(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    if all(isinstance(argument, Known) for argument in arguments):
        numbers = [argument.value for argument in arguments if isinstance(argument, Known)]
        return Known(range(*numbers))
    return loops.range_steps(scope, arguments, node)


def _enumerate(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    steps = loops.steps_of(scope, arguments[0], node)
    first = scope.number(arguments[1], node) if len(arguments) > 1 else ZERO

    def pair(index: Expression) -> Operand:
        number = index if first == ZERO else Helper(INT, "sum_of", (first, index))
        return Group((number, steps.item(index)))

    return Steps(steps.count, pair, is_lazy=True)


def _zip(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    many = [loops.steps_of(scope, argument, node) for argument in arguments]
    # With `strict` Python refuses lists of other lengths.
    if any(word.arg == "strict" and getattr(word.value, "value", 1) for word in node.keywords):
        for steps in many[1:]:
            scope.do("require_equal", many[0].count, steps.count)
    return loops.zipped(many)


def _map(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return loops.mapped(scope, arguments[0], arguments[1:], node)


def _reversed(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    steps = loops.steps_of(scope, arguments[0], node)
    last = scope.temporary(Helper(INT, "difference", (steps.count, Numeral(INT, 1))), "last")
    return Steps(
        steps.count, lambda i: steps.item(Helper(INT, "difference", (last, i))), is_lazy=True
    )


def _truth(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return scope.truth(arguments[0], node)


def _number(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    value = scope.single(arguments[0], node)
    if value.type == FLOAT:
        return Helper(INT, "truncated", (value,))
    if value.type not in (INT, BOOL):
        raise RefusedError(node, "int() of something else than a number is not understood")
    return Helper(INT, "sum_of", (value, ZERO))


def _float(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    value = scope.single(arguments[0], node)
    if value.type not in (INT, BOOL, FLOAT):
        raise RefusedError(node, "float() of something else than a number is not understood")
    return converted(scope, value, FLOAT, node)


def _absolute(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    value = scope.single(arguments[0], node)
    is_float = value.type == FLOAT
    return Helper(FLOAT if is_float else INT, "fabs" if is_float else "magnitude", (value,))


def _divmod(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    first, second = (scope.settled(scope.number(argument, node)) for argument in arguments)
    signs = (ast.FloorDiv(), ast.Mod())
    return Group(tuple(arithmetic(scope, sign, [first, second], node) for sign in signs))


def _exact_sum(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    listed = loops.collect(scope, loops.unordered(arguments[0]), node)
    if item_type(listed.type) in (INT, BOOL):
        listed = Helper(listed.type, "list_of_doubles", (listed, count_of(listed)))
    elif item_type(listed.type) not in (FLOAT, None):
        raise RefusedError(node, "fsum() of something else than numbers is not understood")
    return Helper(FLOAT, "exact_sum", (listed,))


def _square_root(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    value = converted(scope, scope.single(arguments[0], node), FLOAT, node)
    return Helper(FLOAT, "square_root", (value,))


def _operator(sign: ast.operator) -> Handler:
    def handle(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
        return arithmetic(scope, sign, arguments, node)

    return handle


def _bits(name: str) -> Handler:
    def handle(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
        return Helper(INT, name, (scope.number(arguments[0], node),))

    return handle


def _from_keys(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    value = arguments[1] if len(arguments) > 1 else Known(None)
    return containers.from_keys(scope, arguments[0], value, node)


def _next(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return loops.first_item(scope, arguments, node)


def _clockwise(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Steps:
    start, seats = (scope.settled(scope.number(argument, node)) for argument in arguments)
    assert isinstance(start, Expression)
    assert isinstance(seats, Expression)

    def seat(index: Expression) -> Operand:
        return Helper(INT, "remainder_of", (Helper(INT, "sum_of", (start, index)), seats))

    return Steps(seats, seat)


def _first_seat(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    """Return the first seat for which a function is true, or None."""
    start, seats, plays = arguments
    around = _clockwise(scope, node, [start, seats])
    return loops.first_of(scope, around, plays, node)


def _counter(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    operand = loops.unordered(arguments[0]) if arguments else Known(())
    if node.keywords or (isinstance(operand, Expression) and isinstance(operand.type, DictOf)):
        raise RefusedError(node, "Counter() of a dictionary is not understood")
    return containers.counter(scope, operand, node)


def amounts(
    scope: Scope, group: Expression, name: str, arguments: list[Operand], node: ast.Call
) -> Operand:
    """Return the result of a method of a group of amounts."""
    given = [*arguments, *(scope.value(word.value) for word in node.keywords)]
    numbers = [scope.settled(scope.number(argument, node)) for argument in given]
    first, *others = [scope.number(number, node) for number in numbers]
    if name == "action" and not others:
        return Helper(INT, "action_of", (group, first))
    if name == "amount" and not others:
        return Helper(INT, "amount_of", (group, first))
    if name != "between" or not others:
        raise RefusedError(node, f"{name}() of amounts is not understood")
    most, *steps = others
    stride = Helper(INT, "stride_of", (group, steps[0] if steps else ZERO))
    kept = scope.temporary(stride, "stride")
    count = scope.temporary(Helper(INT, "count_between", (group, first, most, kept)), "count")

    def item(index: Expression) -> Expression:
        return Operation(
            INT, "+", (Helper(INT, "action_of", (group, first)), Operation(INT, "*", (index, kept)))
        )

    return Steps(count, item)


def drawn(scope: Scope, name: str, arguments: list[Operand], node: ast.Call) -> Operand:
    """Return what the generator of a playout draws."""
    if node.keywords:
        raise RefusedError(node, f"rng.{name}() with these arguments is not understood")
    if name in ("random", "uniform"):
        number = scope.temporary(Helper(FLOAT, "drawn_number"), "drawn")
        if name == "random":
            return number
        low, high = arguments
        width = arithmetic(scope, ast.Sub(), [high, low], node)
        return arithmetic(
            scope, ast.Add(), [low, arithmetic(scope, ast.Mult(), [width, number], node)], node
        )
    if name == "choice":
        values = scope.settled(scope.list(arguments[0], node))
        assert isinstance(values, Expression)
        return item_of(scope, values, _drawn_place(scope, count_of(values)))
    if name == "randrange" and len(arguments) == 1:
        return _drawn_place(scope, scope.number(arguments[0], node))
    if name in ("randint", "randrange") and len(arguments) == 2:
        low, high = (scope.settled(scope.number(argument, node)) for argument in arguments)
        width = arithmetic(scope, ast.Sub(), [high, low], node)
        if name == "randint":
            width = arithmetic(scope, ast.Add(), [width, Known(1)], node)
        place = _drawn_place(scope, scope.number(width, node))
        return arithmetic(scope, ast.Add(), [low, place], node)
    raise RefusedError(node, f"rng.{name}() is not understood; rng.random() is")


def _drawn_place(scope: Scope, count: Expression) -> Expression:
    return scope.temporary(Helper(INT, "drawn_place", (count,)), "drawn")


BUILT_IN: dict[Hashable, Handler] = {
    builtins.len: _length,
    builtins.min: _extreme("smallest", "<"),
    builtins.max: _extreme("largest", ">"),
    builtins.sum: _sum,
    builtins.all: _tested(is_all=True),
    builtins.any: _tested(is_all=False),
    builtins.list: _list,
    builtins.tuple: _list,
    builtins.set: _set,
    builtins.frozenset: _set,
    builtins.sorted: _sorted,
    builtins.range: _range,
    builtins.enumerate: _enumerate,
    builtins.zip: _zip,
    builtins.map: _map,
    builtins.next: _next,
    builtins.reversed: _reversed,
    builtins.bool: _truth,
    builtins.int: _number,
    builtins.float: _float,
    builtins.abs: _absolute,
    builtins.divmod: _divmod,
    dict.fromkeys: _from_keys,
    Counter: _counter,
    math.fsum: _exact_sum,
    math.sqrt: _square_root,
    operator.add: _operator(ast.Add()),
    operator.sub: _operator(ast.Sub()),
    operator.mul: _operator(ast.Mult()),
    int.bit_count: _bits("bit_count"),
    int.bit_length: _bits("bit_length"),
    clockwise: _clockwise,
    first_seat: _first_seat,
    **ITERTOOLS,
}
