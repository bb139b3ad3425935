"""Loops of rules: what they go through, comprehensions, and sums, least and greatest values."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cardhub.compiling.rules.expressions import face_of, item_of, row_of, rows_count
from cardhub.compiling.rules.form import (
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    Assign,
    CountUp,
    DictOf,
    Do,
    Expression,
    Field,
    Helper,
    Jump,
    ListOf,
    Maybe,
    Numeral,
    Operation,
    SetOf,
    Statement,
    TupleOf,
    Type,
    Variable,
    When,
    common_type,
    has_same_bits,
    is_list,
    item_type,
    widest,
)
from cardhub.compiling.rules.program import NONE, RefusedError, is_memo
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
    applied,
    converted,
    count_of,
    is_settled,
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
    if isinstance(operand, Known):
        return _steps_of_known(scope, operand, node)
    if isinstance(operand, Generated):
        raise RefusedError(node, "a generator expression cannot be used like this")
    if isinstance(operand, Expression) and isinstance(operand.type, DictOf):
        return dict_steps(operand, lambda key, _: key)
    if isinstance(operand, Expression) and isinstance(operand.type, SetOf):
        # The order of a set is known if its values are small.
        scope.do("require_ascending", operand)
        return Steps(count_of(operand), lambda index: Helper(INT, "item", (operand, index)))
    return _steps_of_list(scope, scope.list(operand, node), node)


def _steps_of_known(scope: Scope, operand: Known, node: ast.AST) -> Steps:
    if operand.value is FACES:
        faces = Field(ListOf(INT), "face")
        return Steps(count_of(faces), lambda index: face_of(scope, index))
    if isinstance(numbers := operand.value, range):
        bounds = numbers.start, numbers.stop, numbers.step
        return range_steps(scope, [Known(n) for n in bounds], node)
    if isinstance(operand.value, Mapping) and not is_memo(operand.value):
        operand = Known(tuple(operand.value))
    return _steps_of_list(scope, scope.list(operand, node), node)


def _steps_of_list(scope: Scope, values: Expression, node: ast.AST) -> Steps:
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


def zipped(many: list[Steps]) -> Steps:
    """Return the steps of `zip`, as many as the shortest has."""
    count = many[0].count
    for steps in many[1:]:
        if steps.count != count:
            count = Helper(INT, "smaller", (count, steps.count))
    return Steps(
        count, lambda index: Group(tuple(steps.item(index) for steps in many)), is_lazy=True
    )


def listed_items(scope: Scope, operand: Operand, node: ast.AST) -> list[Operand]:
    """Return the items of an operand, whose number is known before the game."""
    if isinstance(operand, Known) and isinstance(operand.value, tuple | list | range):
        return [Known(item) for item in operand.value]
    if isinstance(operand, Group):
        return [*operand.items]
    steps = steps_of(scope, operand, node)
    if not isinstance(steps.count, Numeral):
        raise RefusedError(node, "a star needs a list whose length is known")
    return [steps.item(Numeral(INT, index)) for index in range(steps.count.value)]


def transposed(scope: Scope, operand: Operand, node: ast.Call) -> Steps:
    """Return the steps of `zip(*rows)`: lists with an item of each row."""
    rows = steps_of(scope, operand, node)
    is_strict = any(
        word.arg == "strict" and getattr(word.value, "value", 1) for word in node.keywords
    )
    kind = item_type(operand.type) if isinstance(operand, Expression) else None
    if not is_strict or kind is None or not isinstance(operand, Expression):
        raise RefusedError(node, "zip() of a star needs rows of one type, and strict=True")
    width = scope.temporary(Helper(INT, "width_of", (operand,)), "width")

    def column(index: Expression) -> Operand:
        def cell(row: Expression) -> Operand:
            return item_of(scope, scope.list(rows.item(row), node), index)

        return collect(scope, Steps(rows.count, cell), node)

    return Steps(width, column, is_lazy=True)


def for_items(scope: Scope, operand: Operand, node: ast.AST, body: Body) -> None:
    """Write a loop over an operand; `body` writes what is done with an item."""
    if isinstance(operand, Generated):
        inner = operand.node
        generate(scope, inner.generators, lambda: body(scope.value(inner.elt)))
        return
    steps = steps_of(scope, operand, node)
    index = scope.new_variable("i", INT, is_fixed=True)
    with scope.new_block() as block, scope.loop(node):
        body(steps.item(index))
    scope.emit(CountUp(index, steps.count, block))


def generate(scope: Scope, parts: Sequence[ast.comprehension], body: Callable[[], None]) -> None:
    """Write the loops of a comprehension; `body` writes what is done within all of them."""
    if not parts:
        body()
        return
    part = parts[0]

    def inner(item: Operand) -> None:
        outer = dict(scope.variables)
        bind_inner(scope, part.target, item)
        _filtered(scope, part.ifs, lambda: generate(scope, parts[1:], body))
        scope.variables.clear()
        scope.variables.update(outer)

    for_items(scope, scope.value(part.iter), part.iter, inner)


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
        for part, value in zip(target.elts, parts_of(scope, target, item), strict=True):
            bind_inner(scope, part.value if isinstance(part, ast.Starred) else part, value)
        return
    if not isinstance(target, ast.Name):
        raise RefusedError(target, "only names are understood here")
    if isinstance(item, Group):
        item = scope.expression(item, target)
    if isinstance(item, NOT_EXPRESSIONS) or is_settled(item):
        scope.variables[target.id] = item
        return
    # The name of the rules instead of a general one.
    assert isinstance(item, Expression)
    scope.variables[target.id] = scope.temporary(item, target.id)


def parts_of(scope: Scope, target: ast.Tuple, operand: Operand) -> list[Operand]:
    """Return the values of the parts of a target, of which one may have a star."""
    stars = [place for place, part in enumerate(target.elts) if isinstance(part, ast.Starred)]
    if not stars:
        return unpacked(scope, operand, len(target.elts), target)
    after = len(target.elts) - stars[0] - 1
    return unpacked_with_star(scope, operand, stars[0], after, target)


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


def unpacked_with_star(
    scope: Scope, operand: Operand, before: int, after: int, node: ast.AST
) -> list[Operand]:
    """Return the first items of an operand, a new list of those in the middle, and the last."""
    if isinstance(operand, Group | Known):
        items = listed_items(scope, operand, node)
        middle = Group(tuple(items[before : len(items) - after]), is_list=True)
        if len(items) < before + after:
            raise RefusedError(node, "the number of items differs")
        return [*items[:before], middle, *items[len(items) - after :]]
    values = scope.settled(scope.list(operand, node))
    assert isinstance(values, Expression)
    least = Numeral(INT, before + after)
    scope.do("require", Operation(BOOL, ">=", (count_of(values), least)))
    first = [scope.temporary(item_of(scope, values, i), "part") for i in range(before)]
    last = [scope.temporary(item_of(scope, values, -i), "part") for i in range(after, 0, -1)]
    bounds = Numeral(INT, before), Numeral(INT, -after if after else NONE)
    middle_list = Helper(
        ListOf(item_type(values.type)), "slice", (values, *bounds, ROOM), is_new=True
    )
    return [*first, scope.temporary(middle_list, "middle"), *last]


def collect(scope: Scope, operand: Operand, node: ast.AST) -> Expression:
    """Return a new list of all items of a loop."""
    if isinstance(operand, Steps) and operand.listed is not None:
        return operand.listed
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
        scope.note_alias(value)
        scope.do("ADD", made, value)

    for_items(scope, operand, node, add)
    kind = ListOf(kinds[0] if kinds else None)
    scope.function.variables[made.name] = kind
    return Variable(kind, made.name, is_fixed=True)


def unordered(operand: Operand) -> Operand:
    """Return an operand whose items are used in any order; a set then has ascending ones."""
    if isinstance(operand, Variable) and isinstance(operand.type, SetOf):
        return replace(operand, type=ListOf(INT))
    return operand


def comprehension(scope: Scope, node: ast.ListComp) -> Operand:
    """Return the new list of a comprehension."""
    function = scope.function
    aliases, calls = {*function.aliases}, len(function.calls)
    made = collect(scope, Generated(node), node)
    has_names = any(isinstance(part, ast.NamedExpr) for part in ast.walk(node))
    if len(function.calls) == calls and not has_names and not is_list(item_type(made.type) or INT):
        # What it has gone through is not referred to any more.
        function.aliases = aliases
    return made


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
        inner = operand.node
        generate(scope, inner.generators, lambda: test(scope.condition(inner.elt)))
    else:
        for_items(scope, operand, node, lambda item: test(scope.truth(item, node)))
    return Variable(BOOL, result.name, is_fixed=True)


def summed(scope: Scope, operand: Operand, node: ast.AST) -> Expression:
    """Return the sum of all items of a loop."""
    operand = unordered(operand)
    if _is_plain_list(operand):
        return Helper(INT, "total", (scope.list(operand, node),))
    if isinstance(operand, Expression) and item_type(operand.type) == FLOAT:
        return Helper(FLOAT, "total_of_doubles", (operand,))
    result = scope.new_variable("sum", INT)
    scope.emit(Assign(result, ZERO))
    kinds: list[Type] = []
    with scope.new_block() as block:

        def add(item: Operand) -> None:
            value = scope.single(item, node)
            kinds.append(value.type)
            scope.emit(Assign(result, Helper(INT, "sum_of", (result, value))))

        for_items(scope, operand, node, add)
    if FLOAT in kinds:
        # The sum of floats depends on the version of Python, so a function of the headers knows it.
        return Helper(FLOAT, "total_of_doubles", (collect(scope, operand, node),))
    scope.block += block
    return Variable(INT, result.name, is_fixed=True)


def _is_plain_list(operand: Operand) -> bool:
    if not isinstance(operand, Expression) or not is_list(operand.type):
        return False
    return item_type(operand.type) in (INT, BOOL)


def order_of(kind: Type | None, node: ast.AST) -> Numeral:
    """Return the order of values of a type for C: a text with a letter for a number."""
    letters: dict[Type | None, str] = {INT: "q", BOOL: "q", FLOAT: "d", None: "q"}
    if kind in letters:
        text = letters[kind]
    elif isinstance(kind, TupleOf) and kind.items and {*kind.items} <= letters.keys():
        text = "(" + "".join(letters[item] for item in kind.items)
    elif isinstance(kind, ListOf) and kind.item in letters:
        text = "(" + letters[kind.item]
    else:
        raise RefusedError(node, "only numbers, and tuples of numbers, are in an order")
    return Numeral(INT, 0, f'"{text}"', is_name=True)


def extreme(
    scope: Scope, operand: Operand, node: ast.AST, helper: str, otherwise: Operand | None
) -> Expression:
    """Return the least or greatest item of a loop; `otherwise` if there is none."""
    operand = unordered(operand)
    values = collect(scope, operand, node) if not _is_plain_list(operand) else operand
    listed = scope.list(values, node)
    kind = item_type(listed.type) or INT
    value: Expression
    if kind in (INT, BOOL):
        value = Helper(INT, helper, (listed,))
    else:
        listed = scope.temporary(listed) if not isinstance(listed, Variable) else listed
        value = item_of(scope, listed, _place_of_extreme(listed, helper, node))
    if otherwise is None:
        return value
    other = scope.expression(otherwise, node)
    wide = common_type(value.type, other.type)
    if wide is None:
        raise RefusedError(node, "the items and the default value have several types")
    result = scope.new_variable("extreme", wide)
    with scope.new_block() as first:
        scope.emit(Assign(result, converted(scope, value, wide, node)))
    last: list[Statement] = [Assign(result, converted(scope, other, wide, node))]
    scope.emit(When(count_of(listed), first, last))
    return Variable(wide, result.name, is_fixed=True)


def _place_of_extreme(keys: Expression, helper: str, node: ast.AST) -> Expression:
    sign = Numeral(INT, 1 if helper == "largest" else -1)
    return Helper(INT, "place_of_extreme", (keys, order_of(item_type(keys.type), node), sign))


def extreme_by_key(
    scope: Scope, operand: Operand, key: Operand, node: ast.AST, helper: str
) -> Expression:
    """Return the first item with the least or greatest key."""
    listed = scope.settled(collect(scope, operand, node))
    assert isinstance(listed, Expression)
    keys = collect_keys(scope, listed, key, node)
    return item_of(scope, listed, scope.temporary(_place_of_extreme(keys, helper, node), "place"))


def ordered(scope: Scope, operand: Operand, node: ast.Call) -> Expression:
    """Return a new list of the items in their order, or in the order of keys."""
    # With equal keys the order of the items before counts as well.
    has_key = any(word.arg == "key" for word in node.keywords)
    listed = scope.settled(collect(scope, operand if has_key else unordered(operand), node))
    assert isinstance(listed, Expression)
    sort(scope, listed, node)
    return listed


def sort(scope: Scope, listed: Expression, node: ast.Call) -> None:
    """Sort a list; the call says by which keys, and whether the greatest one is first."""
    words = {word.arg: scope.value(word.value) for word in node.keywords}
    key, is_reversed = words.pop("key", None), words.pop("reverse", Known(False))
    if words:
        raise RefusedError(node, "these arguments of a sort are not understood")
    if key is None or (isinstance(key, Known) and key.value is None):
        keys = collect(scope, listed, node)
    else:
        keys = collect_keys(scope, listed, key, node)
    order = order_of(item_type(keys.type), node)
    scope.do("sort_by", listed, keys, order, scope.truth(is_reversed, node))


def collect_keys(scope: Scope, listed: Expression, key: Operand, node: ast.AST) -> Expression:
    """Return the new list of the keys of a list's items."""
    steps = steps_of(scope, listed, node)

    def key_at(index: Expression) -> Operand:
        value = scope.expression(applied(scope, key, [steps.item(index)], node), node)
        # None has no order.
        return scope.single(value, node) if isinstance(value.type, Maybe) else value

    return collect(scope, Steps(steps.count, key_at), node)


def mapped(scope: Scope, function: Operand, operands: list[Operand], node: ast.AST) -> Steps:
    """Return the steps of `map`."""
    steps = zipped([steps_of(scope, operand, node) for operand in operands])

    def item(index: Expression) -> Operand:
        group = steps.item(index)
        assert isinstance(group, Group)
        return applied(scope, function, [*group.items], node)

    return Steps(steps.count, item, is_lazy=True)


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


def first_of(scope: Scope, steps: Steps, test: Operand, node: ast.AST) -> Expression:
    """Return the first item for which a function is true, or None."""
    first = scope.new_variable("first", Maybe())
    scope.emit(Assign(first, Numeral(Maybe(), NONE, "None")))

    def look(item: Operand) -> None:
        settled = scope.settled(item)
        if isinstance(test, Closure):
            truth = called(scope, test, [settled], node, scope.condition)
        else:
            truth = applied(scope, test, [settled], node)
        taken = Assign(first, scope.number(settled, node))
        scope.emit(When(scope.truth(truth, node), [taken, Jump("break")], []))

    for_items(scope, steps, node, look)
    return Variable(Maybe(), first.name, is_fixed=True)


def first_item(scope: Scope, arguments: list[Operand], node: ast.AST) -> Expression:
    """Return the first item of a generator expression, or the value that `next` has instead."""
    items, *others = arguments
    if not isinstance(items, Generated) or len(items.node.generators) > 1:
        raise RefusedError(node, "next() is understood of a generator expression with one loop")
    otherwise = scope.expression(others[0], node) if others else None
    first = scope.new_variable("first", INT)
    is_none = scope.new_variable("is_none", BOOL)
    scope.emit(Assign(is_none, Numeral(BOOL, 1)))
    kinds: list[Type] = [] if otherwise is None else [otherwise.type]

    def take(item: Operand) -> None:
        value = scope.expression(item, node)
        scope.note_alias(value)
        kinds.append(value.type)
        scope.block += [Assign(first, value), Assign(is_none, Numeral(BOOL, 0)), Jump("break")]

    for_items(scope, items, node, take)
    kind = widest(kinds)
    if kind is None or not all(has_same_bits(other, kind) for other in kinds):
        raise RefusedError(node, "the items and the default value have several types")
    scope.function.variables[first.name] = kind
    instead = Do(Helper(NOTHING, "not_reached")) if otherwise is None else Assign(first, otherwise)
    scope.emit(When(is_none, [instead], []))
    return Variable(kind, first.name, is_fixed=True)


def dict_steps(owner: Expression, item: Callable[[Operand, Operand], Operand]) -> Steps:
    """Return the steps of a loop over a dictionary; `item` gets a key and its value."""
    kind = owner.type
    assert isinstance(kind, DictOf)
    key_type, value_type = kind.key or INT, kind.value or INT

    def pair(index: Expression) -> Operand:
        place = Helper(INT, "product", (index, Numeral(INT, 2)))
        following = Helper(INT, "sum_of", (place, Numeral(INT, 1)))
        key = Helper(key_type, "item", (owner, place))
        return item(key, Helper(value_type, "item", (owner, following)))

    return Steps(count_of(owner), pair)


LOOPS: dict[type[ast.AST], Callable[..., Any]] = {ast.ListComp: comprehension}
