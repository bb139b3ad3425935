"""Loops of rules: what they go through, comprehensions, and sums, least and greatest values."""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardhub.compiling.rules.expressions import face_of, item_of, row_of, rows_count
from cardhub.compiling.rules.form import (
    BOOL,
    INT,
    Assign,
    CountUp,
    Expression,
    Field,
    Helper,
    Jump,
    ListOf,
    Maybe,
    Numeral,
    Operation,
    TupleOf,
    Type,
    Variable,
    When,
    common_type,
    is_list,
    item_type,
)
from cardhub.compiling.rules.program import NONE, RefusedError
from cardhub.compiling.rules.scope import (
    FACES,
    NOT_EXPRESSIONS,
    ROOM,
    Closure,
    Generated,
    Group,
    Known,
    Operand,
    Rows,
    Scope,
    Steps,
    count_of,
)

ZERO = Numeral(INT, 0)
# What is done with each item of a loop.
Body = Callable[[Operand], None]


def steps_of(scope: Scope, operand: Operand, node: ast.AST) -> Steps:
    """Return the steps of a loop over an operand; changes to its list count, as in Python."""
    if isinstance(operand, Steps):
        return operand
    if isinstance(operand, Rows):
        rows = operand
        return Steps(rows_count(scope, rows), lambda index: row_of(scope, rows, index))
    if isinstance(operand, Known) and operand.value is FACES:
        faces = Field(ListOf(INT), "face")
        return Steps(count_of(faces), lambda index: face_of(scope, index))
    if isinstance(operand, Known) and isinstance(operand.value, range):
        return range_steps(scope, [Known(n) for n in _bounds(operand.value)], node)
    if isinstance(operand, Known) and isinstance(operand.value, Mapping):
        operand = Known(tuple(operand.value))
    if isinstance(operand, Generated):
        raise RefusedError(node, "a generator expression cannot be used like this")
    values = scope.list(operand, node)
    if not isinstance(values, Field):
        settled = scope.settled(values)
        assert isinstance(settled, Expression)
        values = settled
    elif values.row is not None:
        values = scope.temporary(values, "pile")
    scope.note_alias(values)
    if isinstance(values.type, TupleOf) and item_type(values.type) is None and values.type.items:
        raise RefusedError(node, "the items of the tuple have several types")
    return Steps(count_of(values), lambda index: item_of(scope, values, index))


def _bounds(numbers: range) -> tuple[int, int, int]:
    return numbers.start, numbers.stop, numbers.step


def range_steps(scope: Scope, operands: Sequence[Operand], node: ast.AST) -> Steps:
    """Return the steps of `range`."""
    numbers = [scope.number(scope.settled(operand), node) for operand in operands]
    start, stop = (ZERO, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
    step = numbers[2] if len(numbers) > 2 else Numeral(INT, 1)
    if (start, step) == (ZERO, Numeral(INT, 1)):
        return Steps(stop, lambda index: index)
    count = scope.temporary(Helper(INT, "steps_of", (start, stop, step)), "steps")

    def item(index: Expression) -> Expression:
        way = index if step == Numeral(INT, 1) else Operation(INT, "*", (index, step))
        return Operation(INT, "+", (start, way))

    return Steps(count, item)


def zipped(scope: Scope, many: list[Steps]) -> Steps:
    """Return the steps of `zip`, as many as the shortest has."""
    count = many[0].count
    for steps in many[1:]:
        if steps.count != count:
            count = Helper(INT, "smaller", (count, steps.count))
    return Steps(count, lambda index: Group(tuple(steps.item(index) for steps in many)))


def each(scope: Scope, operand: Operand, node: ast.AST, body: Body) -> None:
    """Write a loop over an operand; `body` writes what is done with an item."""
    if isinstance(operand, Generated):
        _generate(scope, operand.node, 0, lambda item: body(scope.value(item)))
        return
    steps = steps_of(scope, operand, node)
    index = scope.new_variable("i", INT, is_fixed=True)
    with scope.new_block() as block:
        scope.loops += 1
        body(steps.item(index))
        scope.loops -= 1
    scope.emit(CountUp(index, steps.count, block))


def _generate(
    scope: Scope,
    node: ast.GeneratorExp | ast.ListComp,
    level: int,
    body: Callable[[ast.expr], None],
) -> None:
    """Write the loops of a comprehension from one level on; `body` gets its item."""
    if level == len(node.generators):
        body(node.elt)
        return
    part = node.generators[level]

    def inner(item: Operand) -> None:
        outer = dict(scope.variables)
        bind_inner(scope, part.target, item)
        kept = (condition for condition in part.ifs)
        _filtered(scope, list(kept), lambda: _generate(scope, node, level + 1, body))
        scope.variables.clear()
        scope.variables.update(outer)

    each(scope, scope.value(part.iter), part.iter, inner)


def _filtered(scope: Scope, conditions: list[ast.expr], write: Callable[[], None]) -> None:
    if not conditions:
        write()
        return
    condition = scope.condition(conditions[0])
    with scope.new_block() as block:
        _filtered(scope, conditions[1:], write)
    scope.emit(When(condition, block, []))


def bind_inner(scope: Scope, target: ast.expr, item: Operand) -> None:
    """Give the variables of a comprehension, lambda or function their values, for it alone."""
    if isinstance(target, ast.Tuple):
        parts = unpacked(scope, item, len(target.elts), target)
        for part, value in zip(target.elts, parts, strict=True):
            bind_inner(scope, part, value)
        return
    if not isinstance(target, ast.Name):
        raise RefusedError(target, "only names are understood here")
    if isinstance(item, Group):
        item = scope.expression(item, target)
    if isinstance(item, NOT_EXPRESSIONS) or scope.settled_already(item):
        scope.variables[target.id] = item
        return
    # The name of the rules instead of a general one.
    assert isinstance(item, Expression)
    scope.variables[target.id] = scope.temporary(item, target.id)


def unpacked(scope: Scope, operand: Operand, count: int, node: ast.AST) -> list[Operand]:
    """Return the items of an operand that is unpacked into `count` targets."""
    if isinstance(operand, Group) and len(operand.items) == count:
        return [scope.settled(item) for item in operand.items]
    if isinstance(operand, Known) and isinstance(operand.value, tuple | list):
        if len(operand.value) == count:
            return [Known(item) for item in operand.value]
        raise RefusedError(node, "the number of items differs")
    if isinstance(operand, Rows):
        is_as_many = Operation(BOOL, "==", (rows_count(scope, operand), Numeral(INT, count)))
        scope.do("require", is_as_many)
        return [row_of(scope, operand, Numeral(INT, index)) for index in range(count)]
    values = scope.settled(scope.list(operand, node))
    assert isinstance(values, Expression)
    is_as_many = Operation(BOOL, "==", (count_of(values), Numeral(INT, count)))
    if not isinstance(values.type, TupleOf):
        scope.do("require", is_as_many)
    elif len(values.type.items) != count:
        raise RefusedError(node, "the number of items differs")
    return [scope.temporary(item_of(scope, values, index), "part") for index in range(count)]


def collect(scope: Scope, operand: Operand, node: ast.AST) -> Expression:
    """Return a new list of all items of a loop."""
    room: Expression = ROOM
    if isinstance(operand, Steps):
        count = scope.settled(operand.count)
        assert isinstance(count, Expression)
        room = Helper(INT, "larger", (ROOM, count))
    made = scope.new_variable("made", ListOf(None), is_fixed=True)
    scope.is_new[made.name] = True
    kinds: list[Type] = []
    scope.emit(Assign(made, Helper(ListOf(None), "new_list", (room,), is_new=True)))

    def add(item: Operand) -> None:
        value = scope.expression(item, node)
        kinds.append(value.type)
        scope.do("append", made, value)

    each(scope, operand, node, add)
    kind = ListOf(kinds[0] if kinds else None)
    scope.function.variables[made.name] = kind
    return Variable(kind, made.name, is_fixed=True)


def comprehension(scope: Scope, node: ast.ListComp) -> Operand:
    """Return the new list of a comprehension."""
    return collect(scope, Generated(node), node)


def tested(scope: Scope, operand: Operand, node: ast.AST, *, is_all: bool) -> Expression:
    """Return whether all items of a loop are true, or any."""
    result = scope.new_variable("are_all" if is_all else "is_any", BOOL)
    scope.emit(Assign(result, Numeral(BOOL, int(is_all))))
    depth = len(operand.node.generators) if isinstance(operand, Generated) else 1

    def test(truth: Expression) -> None:
        condition = Operation(BOOL, "!", (truth,)) if is_all else truth
        decided = Assign(result, Numeral(BOOL, int(not is_all)))
        scope.emit(When(condition, [decided, Jump("break")], []))

    if depth > 1:
        raise RefusedError(node, "a test of a loop in a loop is not understood")
    if isinstance(operand, Generated):
        _generate(scope, operand.node, 0, lambda item: test(scope.condition(item)))
    else:
        each(scope, operand, node, lambda item: test(scope.truth(item, node)))
    return Variable(BOOL, result.name, is_fixed=True)


def summed(scope: Scope, operand: Operand, node: ast.AST) -> Expression:
    """Return the sum of all items of a loop."""
    if _is_plain_list(operand):
        return Helper(INT, "total", (scope.list(operand, node),))
    result = scope.new_variable("sum", INT)
    scope.emit(Assign(result, ZERO))

    def add(item: Operand) -> None:
        value = scope.number(item, node)
        scope.emit(Assign(result, Helper(INT, "sum_of", (result, value))))

    each(scope, operand, node, add)
    return Variable(INT, result.name, is_fixed=True)


def _is_plain_list(operand: Operand) -> bool:
    if not isinstance(operand, Expression) or not is_list(operand.type):
        return False
    return item_type(operand.type) in (INT, BOOL)


def extreme(
    scope: Scope, operand: Operand, node: ast.AST, helper: str, otherwise: Operand | None
) -> Expression:
    """Return the least or greatest item of a loop; `otherwise` if there is none."""
    values = collect(scope, operand, node) if not _is_plain_list(operand) else operand
    listed = scope.list(values, node)
    if item_type(listed.type) not in (INT, BOOL):
        raise RefusedError(node, "only numbers have a least and a greatest one")
    if otherwise is None:
        return Helper(INT, helper, (listed,))
    listed = scope.temporary(listed) if not isinstance(listed, Variable) else listed
    result = scope.new_variable("extreme", INT)
    other = scope.number(otherwise, node)
    first = [Assign(result, Helper(INT, helper, (listed,)))]
    scope.emit(When(count_of(listed), [*first], [Assign(result, other)]))
    return Variable(INT, result.name, is_fixed=True)


def extreme_by_key(
    scope: Scope, operand: Operand, key: Closure, node: ast.AST, *, is_greatest: bool
) -> Expression:
    """Return the first item with the least or greatest key."""
    listed = scope.settled(collect(scope, operand, node))
    assert isinstance(listed, Expression)
    kind = item_type(listed.type)
    if kind is None:
        raise RefusedError(node, "the items have no type")
    best, top = scope.new_variable("best", kind), scope.new_variable("best_key", INT)
    is_first = scope.new_variable("is_first", BOOL)
    scope.do("require", count_of(listed))
    scope.emit(Assign(is_first, Numeral(BOOL, 1)))

    def weigh(item: Operand) -> None:
        value = scope.settled(scope.number(called(scope, key, [item], node), node))
        assert isinstance(value, Expression)
        is_better = Operation(BOOL, ">" if is_greatest else "<", (value, top))
        condition = Operation(BOOL, "||", (is_first, is_better))
        taken = Assign(best, scope.expression(item, node))
        keep = [taken, Assign(top, value), Assign(is_first, Numeral(BOOL, 0))]
        scope.emit(When(condition, [*keep], []))

    each(scope, listed, node, weigh)
    return Variable(kind, best.name, is_fixed=True)


def ordered(scope: Scope, operand: Operand, key: Operand | None, node: ast.AST) -> Expression:
    """Return a new list of the items in the order of their keys."""
    listed = scope.settled(collect(scope, operand, node))
    assert isinstance(listed, Expression)
    keys: Expression
    if isinstance(key, Closure):
        keys = collect_keys(scope, listed, key, node)
    elif key is None and item_type(listed.type) in (INT, BOOL, None):
        keys = collect(scope, listed, node)
    else:
        raise RefusedError(node, "only numbers are sorted, or by a lambda")
    scope.do("sort_by", listed, keys)
    return listed


def collect_keys(scope: Scope, listed: Expression, key: Closure, node: ast.AST) -> Expression:
    """Return the new list of the keys of a list's items."""
    steps = steps_of(scope, listed, node)

    def item(index: Expression) -> Operand:
        return scope.number(called(scope, key, [steps.item(index)], node), node)

    return collect(scope, Steps(steps.count, item), node)


def called(
    scope: Scope,
    closure: Closure,
    arguments: Sequence[Operand],
    node: ast.AST,
    read: Callable[[ast.expr], Operand] | None = None,
) -> Operand:
    """Return the value of a lambda, written out here; `read` translates its expression."""
    names = [argument.arg for argument in closure.node.args.args]
    if len(names) != len(arguments) or closure.node.args.defaults:
        raise RefusedError(node, "the lambda is called with another number of arguments")
    outer = dict(scope.variables)
    for name, argument in zip(names, arguments, strict=True):
        scope.variables[name] = scope.settled(argument)
    try:
        return (read or scope.value)(closure.node.body)
    finally:
        scope.variables.clear()
        scope.variables.update(outer)


def first_of(scope: Scope, steps: Steps, test: Closure, node: ast.AST) -> Expression:
    """Return the first item for which a lambda is true, or None."""
    first = scope.new_variable("first", Maybe())
    scope.emit(Assign(first, Numeral(Maybe(), NONE, "None")))

    def look(item: Operand) -> None:
        settled = scope.settled(item)
        truth = scope.truth(called(scope, test, [settled], node, scope.condition), node)
        taken = Assign(first, scope.number(settled, node))
        scope.emit(When(truth, [taken, Jump("break")], []))

    each(scope, steps, node, look)
    return Variable(Maybe(), first.name, is_fixed=True)


def widest(kinds: list[Type]) -> Type | None:
    """Return the type of values of several types; None if there is none."""
    kind: Type | None = kinds[0] if kinds else None
    for other in kinds[1:]:
        kind = common_type(kind, other) if kind is not None else None
    return kind


LOOPS: dict[type[ast.AST], Callable[..., Any]] = {ast.ListComp: comprehension}
