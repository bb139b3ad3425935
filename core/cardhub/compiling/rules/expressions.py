"""Expressions of rules: constants, names, fields, items, choices and lists."""

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

from cardhub.compiling.rules.form import (
    BOOL,
    COMPOSED,
    INT,
    TEXT,
    Assign,
    Choose,
    DictOf,
    Expression,
    Field,
    Helper,
    ListOf,
    Maybe,
    Numeral,
    Operation,
    TupleOf,
    Type,
    Variable,
    When,
    common_type,
    item_type,
    widest,
)
from cardhub.compiling.rules.program import NONE, RefusedError, is_memo
from cardhub.compiling.rules.scope import (
    FACES,
    LEFT_OUT,
    NOT_EXPRESSIONS,
    ROOM,
    SETTINGS,
    STATE,
    Closure,
    Generated,
    Group,
    Known,
    Marker,
    Method,
    Operand,
    Rows,
    Scope,
    Steps,
    applied,
    converted,
    count_of,
    is_iterator,
    items_of,
    makes_lacking,
)
from cardhub.model.table.beats import WATCHED
from cardhub.model.table.settings import Flag, OneOf, Option

NO_BOUND = Numeral(INT, NONE, "NONE")


def constant(scope: Scope, node: ast.Constant) -> Operand:
    """Return a literal."""
    return Known(node.value)


def name(scope: Scope, node: ast.Name) -> Operand:
    """Return a variable, or a constant of the module."""
    if node.id in scope.variables:
        operand = scope.variables[node.id]
        return _used_up(scope, operand, node) if is_once(scope, node.id) else operand
    if node.id in scope.source.names:
        value = scope.source.names[node.id]
        # Nobody watches a game that runs in C.
        return Known(False) if value is WATCHED else Known(value, node.id)
    if hasattr(builtins, node.id):
        return Known(getattr(builtins, node.id))
    raise RefusedError(node, f"{node.id} is not known here")


def is_once(scope: Scope, variable: str) -> bool:
    """Return whether a variable is an iterator in Python, which is used up once."""
    return variable in scope.iterators or is_iterator(scope.variables[variable])


def _used_up(scope: Scope, operand: Operand, node: ast.Name) -> Operand:
    """Return the iterator of a variable, and forget the variable."""
    if scope.iterators.pop(node.id, []) != scope.loops:
        raise RefusedError(node, "an iterator is used up once, so not in a loop")
    del scope.variables[node.id]
    return iterator_over(scope, operand) if isinstance(operand, Variable) else operand


def iterator_over(scope: Scope, listed: Variable) -> Steps:
    """Return an iterator whose items are in a new list."""
    return Steps(
        count_of(listed),
        lambda index: item_of(scope, listed, index),
        is_lazy=True,
        listed=listed,
    )


def attribute(scope: Scope, node: ast.Attribute) -> Operand:
    """Return a field of the state, an attribute of a constant, or a method."""
    owner = scope.value(node.value)
    if not isinstance(owner, Known):
        return _named_item(scope, owner, node) or Method(owner, node.attr)
    if owner.value is STATE:
        return _state_attribute(scope, node)
    if isinstance(owner.value, Marker):
        return Method(owner, node.attr)
    try:
        value = getattr(owner.value, node.attr)
    except AttributeError as error:
        why = f"{type(owner.value).__name__} has no {node.attr}"
        raise RefusedError(node, why) from error
    # Functions of compiled modules are bound to their module.
    is_bound = hasattr(value, "__self__") and not isinstance(owner.value, ModuleType)
    if callable(value) and not isinstance(value, type) and is_bound:
        return Method(owner, node.attr)
    return Known(False) if value is WATCHED else Known(value, node.attr)


def _named_item(scope: Scope, owner: Operand, node: ast.Attribute) -> Operand | None:
    """Return the item of a named tuple; None if the operand has no such item."""
    if isinstance(owner, Group) and node.attr in owner.names:
        return owner.items[owner.names.index(node.attr)]
    kind = None if isinstance(owner, NOT_EXPRESSIONS) else owner.type
    if isinstance(kind, TupleOf) and node.attr in kind.names:
        return item_of(scope, scope.list(owner, node), kind.names.index(node.attr))
    return None


def _state_attribute(scope: Scope, node: ast.Attribute) -> Operand:
    layout = scope.program.layout
    if node.attr == "settings":
        return Known(SETTINGS)
    if node.attr == "face":
        return Known(FACES)
    field = layout.field(node.attr)
    if field is not None:
        if field.kind == "ROWS":
            return Rows(field.name)
        kind: Type = BOOL if field.is_truth else INT
        return Field(kind if field.kind == "SCALAR" else ListOf(INT), field.name)
    if scope.program.observed is not None and node.attr in layout.declaration.nested:
        return _observed(scope.program.observed, node.attr)
    if node.attr in layout.left_out or node.attr in ("answers", "shuffle_log"):
        return Known(LEFT_OUT)
    value = getattr(scope.program.game.state_type, node.attr, None)
    if callable(value):
        return Method(Known(STATE), node.attr)
    raise RefusedError(node, f"the field {node.attr} of the state has no form in C")


def _observed(names: list[str], name: str) -> Expression:
    """Return a nested field of the observed state, which no rule changes."""
    if name not in names:
        names.append(name)
    return Helper(ListOf(ListOf(INT)), "OBSERVED", (Numeral(INT, names.index(name), name),))


def rows_count(scope: Scope, rows: Rows) -> Expression:
    """Return the number of piles of a zone."""
    field = scope.program.layout.field(rows.name)
    assert field is not None
    return Numeral(INT, field.rows) if field.rows else Field(INT, "seats")


def row_of(scope: Scope, rows: Rows, index: Expression) -> Field:
    """Return a pile of a zone."""
    checked = Helper(INT, "number_in", (index, rows_count(scope, rows)))
    return Field(ListOf(INT), rows.name, checked)


def item_of(scope: Scope, values: Expression, index: Expression | int) -> Expression:
    """Return the item of a list at an index; negative ones that are known count from the end."""
    kind = item_type(values.type)
    if isinstance(index, Numeral | int):
        number = index if isinstance(index, int) else index.value
        if isinstance(values.type, TupleOf) and -len(values.type.items) <= number:
            kind = values.type.items[number]
        if number < 0:
            return Helper(kind or INT, "item_from_end", (values, Numeral(INT, -number)))
        index = Numeral(INT, number)
    return Helper(kind or INT, "item", (values, index))


def subscript(scope: Scope, node: ast.Subscript) -> Operand:
    """Return an item, a face, a pile of a zone, an option, or a slice."""
    if isinstance(node.slice, ast.Slice):
        return _slice(scope, node, node.slice)
    owner, index = scope.values([node.value, node.slice])
    return item_at(scope, owner, index, node)


def item_at(scope: Scope, owner: Operand, index: Operand, node: ast.AST) -> Operand:
    """Return the item of an operand at an index or for a key."""
    if isinstance(owner, Known):
        return _item_of_known(scope, owner, index, node)
    if isinstance(owner, Rows):
        return row_of(scope, owner, scope.number(index, node))
    if isinstance(owner, Group) and isinstance(index, Known):
        item: Operand = owner.items[index.value]
        return item
    if isinstance(owner, Expression) and isinstance(owner.type, DictOf):
        key = scope.number(index, node)
        if owner.type.is_counter:
            return Helper(INT, "value_or", (owner, key, Numeral(INT, 0)))
        return Helper(owner.type.value or INT, "value_for", (owner, key))
    values = scope.list(owner, node)
    place = scope.number(index, node)
    value = item_of(scope, values, place)
    is_mixed = isinstance(values.type, TupleOf) and item_type(values.type) is None
    if is_mixed and not isinstance(place, Numeral):
        why = "the items of the tuple have several types, so the index must be a constant"
        raise RefusedError(node, why)
    return value


def _item_of_known(scope: Scope, owner: Known, index: Operand, node: ast.AST) -> Operand:
    """Return the item of a constant, or a face or an option."""
    constant_value = owner.value
    if constant_value is FACES:
        return face_of(scope, scope.number(index, node))
    if constant_value is SETTINGS:
        return option(scope, index, node)
    if not isinstance(constant_value, Marker) and isinstance(index, Known):
        try:
            return Known(constant_value[index.value])
        except (LookupError, TypeError) as error:
            raise RefusedError(node, f"the constant cannot be read: {error}") from error
    if is_memo(constant_value):
        if makes_lacking(scope, constant_value):
            raise RefusedError(node, "__missing__() must return the value, not read it again")
        return applied(scope, Method(owner, "__missing__"), [index], node)
    if isinstance(constant_value, Mapping):
        return _looked_up(scope, constant_value, index, node)
    return item_at(scope, scope.expression(owner, node), index, node)


def option(
    scope: Scope, name: Operand, node: ast.AST, kinds: tuple[type[Option], ...] = (Option,)
) -> Operand:
    """Return the value of an option, which must be of one of these kinds."""
    options = scope.program.game.options
    if not isinstance(name, Known) or name.value not in options:
        raise RefusedError(node, "the name of the option must be a text")
    declared = options[name.value]
    if not isinstance(declared, kinds):
        raise RefusedError(node, f"the option {name.value} has values of another type")
    value: Type = TEXT if isinstance(declared, OneOf) else INT
    number = Numeral(INT, list(options).index(name.value), name.value)
    is_flag = isinstance(declared, Flag)
    return Helper(BOOL if is_flag else value, "OPTION", (number,), with_state=True)


def face_of(scope: Scope, token: Expression) -> Expression:
    """Return the face of a token; it is read now, because the reader may not have seen it."""
    return scope.temporary(Helper(INT, "FACE", (token,), with_state=True), "face")


def _looked_up(
    scope: Scope, constants: Mapping[Any, Any], index: Operand, node: ast.AST
) -> Operand:
    keys = scope.program.constant(list(constants), node)
    values = scope.program.constant(list(constants.values()), node)
    kind = item_type(values.type)
    key = scope.number(index, node)
    if kind is None or common_type(item_type(keys.type) or INT, key.type) is None:
        raise RefusedError(node, "the dictionary has keys of another type")
    return Helper(kind, "looked_up", (keys, values, key))


def bounds_of(scope: Scope, part: ast.Slice) -> tuple[Expression, Expression]:
    """Return the bounds of a slice."""
    start, stop = (
        NO_BOUND if bound is None else scope.number(scope.value(bound), bound)
        for bound in (part.lower, part.upper)
    )
    return start, stop


def _slice(scope: Scope, node: ast.Subscript, part: ast.Slice) -> Operand:
    owner = scope.value(node.value)
    if isinstance(owner, Rows):
        return _some_rows(scope, owner, node, part)
    step = None if part.step is None else scope.value(part.step)
    is_whole = part.lower is None and part.upper is None
    if isinstance(step, Known) and step.value == -1 and is_whole:
        values = scope.list(owner, node)
        return new_list(scope, values.type, "reversed", values, ROOM)
    if step is not None:
        raise RefusedError(node, "a slice with this step is not understood")
    values = scope.list(owner, node)
    return new_list(scope, values.type, "slice", values, *bounds_of(scope, part), ROOM)


def _some_rows(scope: Scope, rows: Rows, node: ast.Subscript, part: ast.Slice) -> Operand:
    """Return the first piles of a zone."""
    stop = None if part.upper is None else scope.value(part.upper)
    count = rows_count(scope, rows)
    is_first = part.lower is None and part.step is None and isinstance(count, Numeral)
    if not is_first or not isinstance(stop, Known) or not isinstance(count, Numeral):
        raise RefusedError(node, "of a zone only the first piles are taken together")
    kept = range(count.value)[: stop.value]
    return Group(tuple(row_of(scope, rows, Numeral(INT, row)) for row in kept))


def new_list(scope: Scope, kind: Type, helper: str, *operands: Expression) -> Expression:
    """Return a new list that a helper makes, with items as another list or type has them."""
    whole = ListOf(item_type(kind))
    return scope.temporary(Helper(whole, helper, operands, is_new=True), "part")


def logical(scope: Scope, node: ast.BoolOp) -> Operand:
    """Return `a and b` or `a or b`; the later operands only if they are needed."""
    is_and = isinstance(node.op, ast.And)
    first, *rest = node.values
    operand = scope.value(first)
    if not rest:
        return operand
    others = ast.copy_location(ast.BoolOp(node.op, rest), node)
    condition = scope.truth(operand, first)
    if isinstance(condition, Numeral):
        return logical(scope, others) if bool(condition.value) == is_and else operand
    with scope.new_block() as before:
        other = logical(scope, others)
        value = scope.expression(other, node)
    is_truth = value.type == BOOL and is_truth_value(operand)
    if is_truth and not before:
        return Operation(BOOL, "&&" if is_and else "||", (condition, value))
    kept = scope.settled(scope.expression(operand, first)) if not is_truth else condition
    return _either(scope, condition, (before, value), ([], kept), node, swapped=not is_and)


def is_truth_value(operand: Operand) -> bool:
    """Return whether an operand is True or False."""
    if isinstance(operand, Known):
        return isinstance(operand.value, bool)
    return not isinstance(operand, NOT_EXPRESSIONS) and operand.type == BOOL


def conditional(scope: Scope, node: ast.IfExp) -> Operand:
    """Return `a if condition else b`; only one of both is evaluated."""
    condition = scope.condition(node.test)
    if isinstance(condition, Numeral):
        return scope.value(node.body if condition.value else node.orelse)
    with scope.new_block() as before, _narrowed(scope, node.test, ast.IsNot):
        first_operand = scope.value(node.body)
        first = _listed(scope, first_operand, node.body)
    with scope.new_block() as instead, _narrowed(scope, node.test, ast.Is):
        second_operand = scope.value(node.orelse)
        second = _listed(scope, second_operand, node.orelse)
    chosen = _either(scope, condition, (before, first), (instead, second), node)
    if is_iterator(first_operand) and is_iterator(second_operand):
        return iterator_over(scope, scope.temporary(chosen, "items"))
    return chosen


def _listed(scope: Scope, operand: Operand, node: ast.expr) -> Expression:
    """Return an operand as an expression; of an iterator the list of its items."""
    listed = operand.listed if isinstance(operand, Steps) else None
    return scope.expression(operand, node) if listed is None else listed


@contextmanager
def _narrowed(scope: Scope, test: ast.expr, sign: type[ast.cmpop]) -> Iterator[None]:
    """Read a variable as a number where a test, with this sign, says that it is not None."""
    match test:
        case ast.Compare(ast.Name(name), [compared], [ast.Constant(None)]):
            known = scope.variables.get(name)
            if isinstance(known, Variable) and known.type == Maybe() and type(compared) is sign:
                scope.variables[name] = replace(known, type=INT)
                yield
                scope.variables[name] = known
                return
    yield


def _either(
    scope: Scope,
    condition: Expression,
    first: tuple[list[Any], Any],
    second: tuple[list[Any], Any],
    node: ast.AST,
    *,
    swapped: bool = False,
) -> Expression:
    """Return one of two values, each after its block."""
    if swapped:
        first, second = second, first
    kind = common_type(first[1].type, second[1].type)
    if kind is None:
        raise RefusedError(node, "the two values have types without a common one")
    blocks = []
    for block, value in (first, second):
        with scope.new_block() as added:
            wide = converted(scope, value, kind, node)
        blocks.append(([*block, *added], wide))
    first, second = blocks
    if not first[0] and not second[0]:
        return Choose(kind, condition, first[1], second[1])
    chosen = scope.new_variable("chosen", kind)
    scope.is_new[chosen.name] = scope.makes_new(first[1]) and scope.makes_new(second[1])
    assigned = [[*block, Assign(chosen, value)] for block, value in (first, second)]
    scope.note_alias(first[1])
    scope.note_alias(second[1])
    scope.emit(When(condition, *assigned))
    return Variable(kind, chosen.name, is_fixed=True)


def display(scope: Scope, node: ast.Tuple | ast.List) -> Operand:
    """Return a list or tuple that is written out; one with stars becomes a new list."""
    is_tuple = isinstance(node, ast.Tuple)
    if not any(isinstance(item, ast.Starred) for item in node.elts):
        operands = scope.values(node.elts)
        if is_tuple and operands and all(isinstance(o, Known) for o in operands):
            values = [o.value for o in operands if isinstance(o, Known)]
            if not any(isinstance(value, Marker) for value in values):
                return Known(tuple(values))
        return Group(tuple(operands), is_list=not is_tuple)
    return _joined(scope, node)


def _joined(scope: Scope, node: ast.Tuple | ast.List) -> Expression:
    """Return a new list of items, and of all items of lists with a star."""
    parts: list[tuple[str, Expression]] = []
    kinds: list[Type] = []
    for item in node.elts:
        if isinstance(item, ast.Starred):
            values = scope.settled(items_of(scope, scope.value(item.value), item))
            kind = item_type(values.type) if isinstance(values, Expression) else None
            parts.append(("extend", scope.expression(values, item)))
        else:
            values = scope.settled(scope.expression(scope.value(item), item))
            parts.append(("append", scope.expression(values, item)))
            kind = parts[-1][1].type
        kinds += [kind] if kind is not None else []
    common = widest(kinds)
    if kinds and common is None:
        raise RefusedError(node, "the list has values of several types")
    room: Expression = ROOM
    for helper, value in parts:
        room = Helper(INT, "sum_of", (room, count_of(value))) if helper == "extend" else room
    made = scope.temporary(Helper(ListOf(common), "new_list", (room,), is_new=True), "made")
    for helper, value in parts:
        if common is not None:
            wide = ListOf(common) if helper == "extend" else common
            value = converted(scope, value, wide, node)
        scope.do(helper, made, value)
    return made


def composed(scope: Scope, node: ast.JoinedStr) -> Operand:
    """Return a text that is made while the game runs; no rule can read it."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            scope.expression(scope.value(part.value), part)
    return Numeral(COMPOSED, 0, "a text")


def closure(scope: Scope, node: ast.Lambda) -> Operand:
    """Return a lambda: each call of it is replaced by its expression."""
    return Closure(node, scope.variables)


def generated(scope: Scope, node: ast.GeneratorExp) -> Operand:
    """Return a generator expression; its loop is written by the function that uses it."""
    return Generated(node)


def walrus(scope: Scope, node: ast.NamedExpr) -> Operand:
    """Give a variable a value, and return it."""
    scope.bind(node.target.id, scope.value(node.value), node)
    return scope.variables[node.target.id]


EXPRESSIONS: dict[type[ast.AST], Callable[..., Operand]] = {
    ast.Constant: constant,
    ast.JoinedStr: composed,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Subscript: subscript,
    ast.BoolOp: logical,
    ast.IfExp: conditional,
    ast.Tuple: display,
    ast.List: display,
    ast.Lambda: closure,
    ast.GeneratorExp: generated,
    ast.NamedExpr: walrus,
}
