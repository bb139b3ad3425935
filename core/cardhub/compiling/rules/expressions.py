"""Expressions of rules: constants, names, fields, arithmetic, comparisons and lists."""

import ast
import builtins
import operator
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from cardhub.compiling.rules.form import (
    BOOL,
    INT,
    TEXT,
    Assign,
    Choose,
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
    is_list,
    item_type,
)
from cardhub.compiling.rules.program import NONE, RefusedError
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
)
from cardhub.model.table.beats import WATCHED

# By operator of Python, the helper or the sign of C, and what it does to constants.
_ARITHMETIC: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("sum_of", operator.add),
    ast.Sub: ("difference", operator.sub),
    ast.Mult: ("product", operator.mul),
    ast.FloorDiv: ("quotient", operator.floordiv),
    ast.Mod: ("remainder_of", operator.mod),
    ast.LShift: ("shifted_left", operator.lshift),
    ast.RShift: ("shifted_right", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
}
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "==",
    ast.IsNot: "!=",
}
NO_BOUND = Numeral(INT, NONE, "NONE")


def constant(scope: Scope, node: ast.Constant) -> Operand:
    """Return a literal."""
    return Known(node.value)


def name(scope: Scope, node: ast.Name) -> Operand:
    """Return a variable, or a constant of the module."""
    if node.id in scope.variables:
        return scope.variables[node.id]
    if node.id in scope.source.names:
        value = scope.source.names[node.id]
        # Nobody watches a game that runs in C.
        return Known(False) if value is WATCHED else Known(value, node.id)
    if hasattr(builtins, node.id):
        return Known(getattr(builtins, node.id))
    raise RefusedError(node, f"{node.id} is not known here")


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
    if node.attr in layout.left_out or node.attr in ("answers", "shuffle_log"):
        return Known(LEFT_OUT)
    value = getattr(scope.program.game.state_type, node.attr, None)
    if callable(value):
        return Method(Known(STATE), node.attr)
    raise RefusedError(node, f"the field {node.attr} of the state has no form in C")


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
    """Return an item, a face, a pile of a zone, or a slice."""
    if isinstance(node.slice, ast.Slice):
        return _slice(scope, node, node.slice)
    owner, index = scope.values([node.value, node.slice])
    if isinstance(owner, Known) and owner.value is FACES:
        return face_of(scope, scope.number(index, node))
    if isinstance(owner, Rows):
        return row_of(scope, owner, scope.number(index, node))
    if isinstance(owner, Known) and isinstance(owner.value, Marker):
        owner = scope.expression(owner, node)
    if isinstance(owner, Known) and isinstance(index, Known):
        try:
            return Known(owner.value[index.value])
        except (LookupError, TypeError) as error:
            raise RefusedError(node, f"the constant cannot be read: {error}") from error
    if isinstance(owner, Known) and isinstance(owner.value, Mapping):
        return _looked_up(scope, owner.value, index, node)
    if isinstance(owner, Group) and isinstance(index, Known):
        item: Operand = owner.items[index.value]
        return item
    values = scope.list(owner, node)
    value = item_of(scope, values, scope.number(index, node))
    if isinstance(values.type, TupleOf) and item_type(values.type) is None:
        why = "the items of the tuple have several types, so the index must be a constant"
        raise RefusedError(node, why)
    return value


def face_of(scope: Scope, token: Expression) -> Expression:
    """Return the face of a token; it is read now, because the reader may not have seen it."""
    return scope.temporary(Helper(INT, "FACE", (token,), with_state=True), "face")


def _looked_up(
    scope: Scope, constants: Mapping[Any, Any], index: Operand, node: ast.Subscript
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
    step = None if part.step is None else scope.value(part.step)
    is_whole = part.lower is None and part.upper is None
    if isinstance(step, Known) and step.value == -1 and is_whole:
        values = scope.list(owner, node)
        return _new_list(scope, values.type, "reversed", values, ROOM)
    if step is not None:
        raise RefusedError(node, "a slice with this step is not understood")
    values = scope.list(owner, node)
    return _new_list(scope, values.type, "slice", values, *bounds_of(scope, part), ROOM)


def _new_list(scope: Scope, kind: Type, helper: str, *operands: Expression) -> Expression:
    whole = ListOf(item_type(kind))
    return scope.temporary(Helper(whole, helper, operands, is_new=True), "part")


def arithmetic(scope: Scope, sign: ast.operator, pair: list[Operand], node: ast.AST) -> Operand:
    """Return the result of an operator between two operands."""
    first, second = pair
    known = _ARITHMETIC.get(type(sign))
    if known is None:
        raise RefusedError(node, f"the operator {type(sign).__name__} is not understood")
    helper, compute = known
    if isinstance(first, Known) and isinstance(second, Known) and not _has_marker(pair):
        try:
            return Known(compute(first.value, second.value))
        except (ArithmeticError, TypeError, ValueError) as error:
            raise RefusedError(node, f"the constants cannot be computed: {error}") from error
    if isinstance(sign, ast.Add | ast.Mult) and any(_is_listed(operand) for operand in pair):
        return _list_arithmetic(scope, sign, pair, node)
    numbers = tuple(scope.number(operand, node) for operand in pair)
    if any(number.type == TEXT for number in numbers):
        raise RefusedError(node, "texts are only compared")
    if helper.isalpha() or "_" in helper:
        return Helper(INT, helper, numbers)
    is_truth = all(number.type == BOOL for number in numbers)
    return Operation(BOOL if is_truth else INT, helper, numbers)


def _has_marker(operands: list[Operand]) -> bool:
    return any(isinstance(o, Known) and isinstance(o.value, Marker) for o in operands)


def _is_listed(operand: Operand) -> bool:
    if isinstance(operand, Known):
        return isinstance(operand.value, list | tuple)
    return isinstance(operand, Group) or (
        not isinstance(operand, NOT_EXPRESSIONS) and is_list(operand.type)
    )


def _list_arithmetic(
    scope: Scope, sign: ast.operator, pair: list[Operand], node: ast.AST
) -> Operand:
    first, second = pair
    if isinstance(sign, ast.Mult):
        values, times = (first, second) if _is_listed(first) else (second, first)
        listed = scope.list(values, node)
        return _new_list(scope, listed.type, "repeated", listed, scope.number(times, node), ROOM)
    lists = [scope.list(operand, node) for operand in pair]
    kind = common_type(lists[0].type, lists[1].type)
    if kind is None or isinstance(kind, TupleOf):
        kind = ListOf(item_type(lists[0].type))
    return _new_list(scope, kind, "joined", *lists, ROOM)


def binary(scope: Scope, node: ast.BinOp) -> Operand:
    """Return the result of an operator."""
    return arithmetic(scope, node.op, scope.values([node.left, node.right]), node)


def unary(scope: Scope, node: ast.UnaryOp) -> Operand:
    """Return a negated or inverted operand."""
    if isinstance(node.op, ast.Not):
        truth = scope.condition(node)
        return Known(bool(truth.value)) if isinstance(truth, Numeral) else truth
    operand = scope.value(node.operand)
    if isinstance(operand, Known) and isinstance(operand.value, int):
        value = operand.value
        return Known(-value if isinstance(node.op, ast.USub) else ~value)
    number = scope.number(operand, node)
    if isinstance(node.op, ast.USub):
        return Helper(INT, "difference", (Numeral(INT, 0), number))
    if isinstance(node.op, ast.Invert):
        return Operation(INT, "~", (number,))
    return number


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
    is_truth = value.type == BOOL and _is_truth_value(scope, operand)
    if is_truth and not before:
        return Operation(BOOL, "&&" if is_and else "||", (condition, value))
    kept = scope.settled(scope.expression(operand, first)) if not is_truth else condition
    return _either(scope, condition, (before, value), ([], kept), node, swapped=not is_and)


def _is_truth_value(scope: Scope, operand: Operand) -> bool:
    if isinstance(operand, Known):
        return isinstance(operand.value, bool)
    return not isinstance(operand, NOT_EXPRESSIONS) and operand.type == BOOL


def conditional(scope: Scope, node: ast.IfExp) -> Operand:
    """Return `a if condition else b`; only one of both is evaluated."""
    condition = scope.condition(node.test)
    if isinstance(condition, Numeral):
        return scope.value(node.body if condition.value else node.orelse)
    with scope.new_block() as before:
        first = scope.expression(scope.value(node.body), node.body)
    with scope.new_block() as instead:
        second = scope.expression(scope.value(node.orelse), node.orelse)
    return _either(scope, condition, (before, first), (instead, second), node)


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
    if not first[0] and not second[0]:
        return Choose(kind, condition, first[1], second[1])
    chosen = scope.new_variable("chosen", kind)
    blocks = [[*block, Assign(chosen, value)] for block, value in (first, second)]
    scope.note_alias(first[1])
    scope.note_alias(second[1])
    scope.emit(When(condition, *blocks))
    return Variable(kind, chosen.name, is_fixed=True)


def compare(scope: Scope, node: ast.Compare) -> Operand:
    """Return the truth of a comparison, or of a chain of them."""
    written = len(scope.block)
    operands = scope.values([node.left, *node.comparators])
    if len(node.ops) == 1:
        return _comparison(scope, node.ops[0], operands[0], operands[1], node)
    if scope.block[written:]:
        raise RefusedError(node, "a chain of comparisons is understood between simple values only")
    operands = [scope.settled(operand) for operand in operands]
    parts = [
        scope.truth(_comparison(scope, sign, first, second, node), node)
        for sign, first, second in zip(node.ops, operands, operands[1:], strict=False)
    ]
    whole = parts[0]
    for part in parts[1:]:
        whole = Operation(BOOL, "&&", (whole, part))
    return whole


def _comparison(
    scope: Scope, sign: ast.cmpop, first: Operand, second: Operand, node: ast.AST
) -> Operand:
    if isinstance(sign, ast.In | ast.NotIn):
        inside = _membership(scope, first, second, node)
        return inside if isinstance(sign, ast.In) else Operation(BOOL, "!", (inside,))
    if isinstance(sign, ast.Is | ast.IsNot) and not _is_none(second):
        raise RefusedError(node, "`is` is understood before None only")
    pair = [scope.expression(operand, node) for operand in (first, second)]
    if any(is_list(value.type) for value in pair):
        return _list_comparison(sign, pair, node)
    order = isinstance(sign, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    kind = common_type(pair[0].type, pair[1].type)
    if kind is None or (order and kind not in (INT, BOOL)):
        raise RefusedError(node, "values of these types cannot be compared")
    return Operation(BOOL, _SIGNS[type(sign)], (pair[0], pair[1]))


def _is_none(operand: Operand) -> bool:
    return isinstance(operand, Known) and operand.value is None


def _list_comparison(sign: ast.cmpop, pair: list[Expression], node: ast.AST) -> Operand:
    flat = all(is_list(v.type) and item_type(v.type) in (INT, BOOL, TEXT, None) for v in pair)
    if not flat or not isinstance(sign, ast.Eq | ast.NotEq):
        raise RefusedError(node, "only flat lists are compared, and only with == and !=")
    equal = Helper(BOOL, "is_equal", (pair[0], pair[1]))
    return equal if isinstance(sign, ast.Eq) else Operation(BOOL, "!", (equal,))


# A test of more values than these is a call.
_FEW = 4


def _membership(scope: Scope, first: Operand, second: Operand, node: ast.AST) -> Expression:
    if isinstance(second, Known) and isinstance(second.value, set | frozenset | Mapping):
        second = Known(sorted(second.value))
    value = scope.expression(first, node)
    if isinstance(second, Known) and isinstance(second.value, range) and second.value.step == 1:
        value = scope.temporary(value)
        low = Operation(BOOL, ">=", (value, Numeral(INT, second.value.start)))
        high = Operation(BOOL, "<", (value, Numeral(INT, second.value.stop)))
        return Operation(BOOL, "&&", (low, high))
    items: tuple[Operand, ...] = ()
    if isinstance(second, Group):
        items = second.items
    elif isinstance(second, Known) and isinstance(second.value, list | tuple):
        items = tuple(Known(item) for item in second.value)
    if 0 < len(items) <= _FEW:
        value = scope.temporary(value) if not isinstance(value, Variable) else value
        tests = [Operation(BOOL, "==", (value, scope.number(item, node))) for item in items]
        whole: Expression = tests[0]
        for test in tests[1:]:
            whole = Operation(BOOL, "||", (whole, test))
        return whole
    values = scope.list(second, node)
    item = item_type(values.type)
    if is_list(value.type) or isinstance(value.type, Maybe) or (item and is_list(item)):
        raise RefusedError(node, "only numbers and texts are looked for in lists")
    return Helper(BOOL, "contains", (values, value))


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
    made = scope.temporary(Helper(ListOf(INT), "new_list", (ROOM,), is_new=True), "made")
    for item in node.elts:
        if isinstance(item, ast.Starred):
            scope.do("extend", made, _numbers(scope, item.value))
        else:
            scope.do("append", made, scope.number(scope.value(item), item))
    return made


def _numbers(scope: Scope, node: ast.expr) -> Expression:
    values = scope.list(scope.value(node), node)
    if item_type(values.type) not in (INT, BOOL, None):
        raise RefusedError(node, "a star is understood before numbers only")
    return values


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
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Subscript: subscript,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.BoolOp: logical,
    ast.IfExp: conditional,
    ast.Compare: compare,
    ast.Tuple: display,
    ast.List: display,
    ast.Lambda: closure,
    ast.GeneratorExp: generated,
    ast.NamedExpr: walrus,
}
