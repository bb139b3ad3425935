"""Arithmetic and comparisons in rules: of numbers, lists and tuples."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from cardhub.compiling.rules.expressions import is_truth_value, new_list
from cardhub.compiling.rules.form import (
    AMOUNT,
    BOOL,
    COMPOSED,
    FLOAT,
    INT,
    TEXT,
    DictOf,
    Expression,
    Helper,
    ListOf,
    Maybe,
    Numeral,
    Operation,
    SetOf,
    TupleOf,
    Type,
    Variable,
    common_type,
    is_list,
    item_type,
)
from cardhub.compiling.rules.program import RefusedError, is_memo
from cardhub.compiling.rules.scope import (
    NOT_EXPRESSIONS,
    ROOM,
    Group,
    Known,
    Marker,
    Operand,
    Scope,
    converted,
    count_of,
    items_of,
)

# By operator of Python, the helper or the sign of C, and what it does to constants.
_ARITHMETIC: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("sum_of", operator.add),
    ast.Sub: ("difference", operator.sub),
    ast.Mult: ("product", operator.mul),
    ast.Div: ("divided", operator.truediv),
    ast.Pow: ("", operator.pow),
    ast.FloorDiv: ("quotient", operator.floordiv),
    ast.Mod: ("remainder_of", operator.mod),
    ast.LShift: ("shifted_left", operator.lshift),
    ast.RShift: ("shifted_right", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
}
_FLOAT_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
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
    if type(sign) in _SET_SIGNS and all(_is_set(operand) for operand in pair):
        sets = [set_expression(scope, operand, node) for operand in pair]
        return _of_sets(scope, _SET_SIGNS[type(sign)], *sets)
    if isinstance(sign, ast.Add | ast.Mult) and any(_is_listed(operand) for operand in pair):
        return _list_arithmetic(scope, sign, pair, node)
    numbers = tuple(scope.single(operand, node) for operand in pair)
    if any(number.type == TEXT for number in numbers):
        raise RefusedError(node, "texts are only compared")
    if isinstance(sign, ast.Div) or any(number.type == FLOAT for number in numbers):
        return _float_arithmetic(scope, sign, numbers, node)
    if not helper:
        raise RefusedError(node, f"the operator {type(sign).__name__} is not understood")
    if helper.isalpha() or "_" in helper:
        return Helper(INT, helper, numbers)
    is_truth = all(number.type == BOOL for number in numbers)
    return Operation(BOOL if is_truth else INT, helper, numbers)


def _float_arithmetic(
    scope: Scope, sign: ast.operator, numbers: tuple[Expression, ...], node: ast.AST
) -> Operand:
    doubles = tuple(converted(scope, number, FLOAT, node) for number in numbers)
    if isinstance(sign, ast.Div):
        return Helper(FLOAT, "divided", doubles)
    if type(sign) not in _FLOAT_SIGNS:
        raise RefusedError(node, f"the operator {type(sign).__name__} of floats is not understood")
    return Operation(FLOAT, _FLOAT_SIGNS[type(sign)], doubles)


# By operator between sets, the method of sets that has the same result.
_SET_SIGNS: dict[type[ast.operator], str] = {
    ast.BitOr: "union",
    ast.BitAnd: "intersection",
    ast.Sub: "difference",
}


def _is_set(operand: Operand) -> bool:
    if isinstance(operand, Known):
        return isinstance(operand.value, set | frozenset)
    return isinstance(operand, Expression) and isinstance(operand.type, SetOf)


def set_expression(scope: Scope, operand: Operand, node: ast.AST) -> Expression:
    """Return a set, or a list with the values of another operand."""
    if isinstance(operand, Known) and isinstance(operand.value, set | frozenset):
        return scope.expression(Known(sorted(operand.value)), node)
    is_set = isinstance(operand, Expression) and isinstance(operand.type, SetOf)
    return scope.expression(operand, node) if is_set else items_of(scope, operand, node)


def set_method(
    scope: Scope, owner: Expression, name: str, arguments: list[Operand], node: ast.AST
) -> Operand:
    """Return the result of a method of a set that does not change it."""
    if len(arguments) != 1 or name not in (*_SET_SIGNS.values(), *_SET_TESTS):
        raise RefusedError(node, f"{name}() of a set is not understood")
    others = set_expression(scope, arguments[0], node)
    if not _is_whole(item_type(others.type)):
        raise RefusedError(node, "only sets of ints are understood")
    if name in _SET_SIGNS.values():
        return _of_sets(scope, name, owner, others)
    if name == "isdisjoint":
        common = Helper(SetOf(), "set_kept", (owner, others, Numeral(INT, 1)))
        return Operation(BOOL, "!", (count_of(common),))
    pair = (owner, others) if name == "issuperset" else (others, owner)
    return Helper(BOOL, "is_superset", pair)


_SET_TESTS = ("isdisjoint", "issubset", "issuperset")


def _of_sets(scope: Scope, name: str, first: Expression, second: Expression) -> Expression:
    if name == "union":
        made = Helper(SetOf(), "set_union", (first, second), is_new=True)
    else:
        are_kept = Numeral(INT, int(name == "intersection"))
        made = Helper(SetOf(), "set_kept", (first, second, are_kept), is_new=True)
    return scope.temporary(made, "set")


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
        return new_list(scope, listed.type, "repeated", listed, scope.number(times, node), ROOM)
    lists = [scope.list(operand, node) for operand in pair]
    kind = common_type(lists[0].type, lists[1].type)
    if kind is None or isinstance(kind, TupleOf):
        kind = ListOf(item_type(lists[0].type))
    lists = [converted(scope, listed, kind, node) for listed in lists]
    return new_list(scope, kind, "joined", *lists, ROOM)


def binary(scope: Scope, node: ast.BinOp) -> Operand:
    """Return the result of an operator."""
    return arithmetic(scope, node.op, scope.values([node.left, node.right]), node)


_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


def unary(scope: Scope, node: ast.UnaryOp) -> Operand:
    """Return a negated or inverted operand."""
    if isinstance(node.op, ast.Not):
        truth = scope.condition(node)
        return Known(bool(truth.value)) if isinstance(truth, Numeral) else truth
    operand = scope.value(node.operand)
    if isinstance(operand, Known) and isinstance(operand.value, int | float):
        return Known(_UNARY[type(node.op)](operand.value))
    number = scope.single(operand, node)
    if number.type == FLOAT:
        return Operation(FLOAT, "-", (number,)) if isinstance(node.op, ast.USub) else number
    if isinstance(node.op, ast.USub):
        return Helper(INT, "difference", (Numeral(INT, 0), number))
    if isinstance(node.op, ast.Invert):
        return Operation(INT, "~", (number,))
    return number


def compare(scope: Scope, node: ast.Compare) -> Operand:
    """Return the truth of a comparison, or of a chain of them."""
    operands = scope.values([node.left, node.comparators[0]])
    if len(node.ops) == 1:
        return _comparison(scope, node.ops[0], operands[0], operands[1], node)
    with scope.new_block() as later:
        operands += scope.values(node.comparators[1:])
    if later:
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
    is_identity = isinstance(sign, ast.Is | ast.IsNot)
    if is_identity and not _is_none(second) and not _are_truths(first, second):
        raise RefusedError(node, "`is` is understood before None only, and between truth values")
    pair = [scope.expression(operand, node) for operand in (first, second)]
    if any(is_list(value.type) for value in pair):
        return _list_comparison(sign, pair, node)
    order = isinstance(sign, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    if order:
        pair = [scope.single(value, node) for value in pair]  # Python refuses None
    kind = common_type(pair[0].type, pair[1].type)
    if kind in (None, COMPOSED) or (order and kind not in (INT, BOOL, FLOAT)):
        raise RefusedError(node, "values of these types cannot be compared")
    if kind == FLOAT:
        pair = [converted(scope, value, FLOAT, node) for value in pair]
    return Operation(BOOL, _SIGNS[type(sign)], (pair[0], pair[1]))


def _is_none(operand: Operand) -> bool:
    return isinstance(operand, Known) and operand.value is None


def _are_truths(first: Operand, second: Operand) -> bool:
    return is_truth_value(first) and is_truth_value(second)


def _list_comparison(sign: ast.cmpop, pair: list[Expression], node: ast.AST) -> Operand:
    flat = all(is_list(v.type) and _is_whole(item_type(v.type)) for v in pair)
    sets = [isinstance(value.type, SetOf) for value in pair]
    flat = flat and sets[0] == sets[1] and not any(isinstance(v.type, DictOf) for v in pair)
    if not flat or not isinstance(sign, ast.Eq | ast.NotEq):
        raise RefusedError(node, "only flat lists are compared, and only with == and !=")
    equal = Helper(BOOL, "is_equal", (pair[0], pair[1]))
    return equal if isinstance(sign, ast.Eq) else Operation(BOOL, "!", (equal,))


# A test of more values than these is a call.
_FEW = 4


def _membership(scope: Scope, first: Operand, second: Operand, node: ast.AST) -> Expression:
    if isinstance(second, Known):
        second = _constant_members(second, node)
    value = scope.expression(first, node)
    if value.type in (COMPOSED, FLOAT):
        raise RefusedError(node, "only ints and texts of the source are looked for")
    if isinstance(second, Expression) and isinstance(second.type, DictOf):
        return Helper(BOOL, "has_key", (second, value))
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
        return _is_among(scope, value, items, node)
    return _is_in_list(scope.expression(second, node), value, node)


def _is_in_list(values: Expression, value: Expression, node: ast.AST) -> Expression:
    if values.type == AMOUNT:
        return Helper(BOOL, "has_amount", (values, value))
    item = item_type(values.type)
    if not is_list(values.type):
        raise RefusedError(node, "a list is needed here")
    if is_list(value.type) or isinstance(value.type, Maybe) or not _is_whole(item):
        raise RefusedError(node, "only numbers and texts are looked for in lists")
    return Helper(BOOL, "contains", (values, value))


def _constant_members(operand: Known, node: ast.AST) -> Known:
    if is_memo(operand.value):
        raise RefusedError(node, "what this dictionary has depends on what has been read before")
    is_sorted = isinstance(operand.value, set | frozenset | Mapping)
    return Known(sorted(operand.value)) if is_sorted else operand


def _is_among(
    scope: Scope, value: Expression, items: tuple[Operand, ...], node: ast.AST
) -> Expression:
    value = scope.temporary(value) if not isinstance(value, Variable) else value
    tests = [Operation(BOOL, "==", (value, scope.number(item, node))) for item in items]
    whole: Expression = tests[0]
    for test in tests[1:]:
        whole = Operation(BOOL, "||", (whole, test))
    return whole


def _is_whole(kind: Type | None) -> bool:
    return kind in (INT, BOOL, TEXT, None)


ARITHMETIC: dict[type[ast.AST], Callable[..., Operand]] = {
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.Compare: compare,
}
