"""Calls in rules: methods of lists, options, and other rules."""

import ast
import itertools
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from cardhub.compiling.rules import containers, iterators, loops, state_calls
from cardhub.compiling.rules.arithmetic import set_method
from cardhub.compiling.rules.built_in import BUILT_IN, Handler, amounts, drawn
from cardhub.compiling.rules.expressions import item_at, item_of, iterator_over, option
from cardhub.compiling.rules.form import (
    AMOUNT,
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    TEXT,
    DictOf,
    Do,
    Expression,
    Field,
    Function,
    Helper,
    Leave,
    Numeral,
    Routine,
    RuleCall,
    Select,
    SetOf,
    TupleOf,
    Type,
    Variable,
    has_same_bits,
    is_list,
    item_type,
    widest,
)
from cardhub.compiling.rules.program import RefusedError, RuleKey, is_memo, is_rule, rule_key
from cardhub.compiling.rules.scope import (
    GENERATOR,
    NOT_EXPRESSIONS,
    SETTINGS,
    STATE,
    Closure,
    Group,
    Known,
    Marker,
    Method,
    Operand,
    Rows,
    Scope,
    Steps,
    add_to,
    count_of,
    is_plain,
    items_of,
)
from cardhub.model.table.actions import Amount
from cardhub.model.table.settings import Flag, Number, OneOf, Option, SeatNumber

# Methods of constants that are called before the game.
_VIEWS = frozenset({"items", "keys", "values"})
_PURE = frozenset({"bit_count", "bit_length", "count", "get", "index", *_VIEWS})


def call(scope: Scope, node: ast.Call) -> Operand:
    """Return the result of a call."""
    function = scope.value(node.func)
    if isinstance(function, Method) and isinstance(function.owner, Known):
        if function.owner.value is STATE:
            return state_calls.call(scope, function.name, node) or _own_method(scope, node)
        if function.owner.value is SETTINGS:
            return _option(scope, function.name, node)
    if isinstance(function, Known) and function.value in _OF_ROWS and _has_star_alone(node):
        (starred,) = node.args
        assert isinstance(starred, ast.Starred)
        return _of_rows(scope, function.value, scope.value(starred.value), node)
    return called(scope, function, _arguments(scope, node), node)


# Functions of one list with a star, which has any length.
_OF_ROWS = (zip, itertools.product)


def _of_rows(scope: Scope, function: object, rows: Operand, node: ast.Call) -> Operand:
    if function is zip:
        return loops.transposed(scope, rows, node)
    return iterators.all_products(scope, items_of(scope, rows, node), node)


def _has_star_alone(node: ast.Call) -> bool:
    return len(node.args) == 1 and isinstance(node.args[0], ast.Starred)


def _arguments(scope: Scope, node: ast.Call) -> list[Operand]:
    """Return the arguments without names; a star needs a list whose length is known."""
    bare = [item.value if isinstance(item, ast.Starred) else item for item in node.args]
    arguments: list[Operand] = []
    for argument, operand in zip(node.args, scope.values(bare), strict=True):
        is_starred = isinstance(argument, ast.Starred)
        arguments += loops.listed_items(scope, operand, argument) if is_starred else [operand]
    return arguments


def called(scope: Scope, function: Operand, arguments: list[Operand], node: ast.Call) -> Operand:
    """Return the result of a function with these arguments; `node` has those with names."""
    if isinstance(function, Closure):
        return loops.called(scope, function, arguments, node)
    if isinstance(function, Method):
        return _method(scope, function, arguments, node)
    if isinstance(function, Known):
        value: object = function.value
        handler = BUILT_IN.get(value) if isinstance(value, Hashable) else None
        if handler is not None:
            return _built_in(scope, handler, arguments, node)
        if isinstance(function.value, type) and hasattr(function.value, "_fields"):
            return Group(tuple(arguments), names=function.value._fields)
        key = rule_key(function.value)
        if key is not None and is_rule(scope.program, function.value):
            return rule_call(scope, key, arguments, node)
    elif isinstance(function, Expression) and isinstance(function.type, Routine):
        return _by_number(scope, function, arguments, node)
    raise RefusedError(node, f"a call of {ast.unparse(node.func)} is not understood")


def _built_in(scope: Scope, handler: Handler, arguments: list[Operand], node: ast.Call) -> Operand:
    try:
        return handler(scope, node, arguments)
    except (IndexError, TypeError, ValueError) as error:  # Python refuses them as well
        why = f"{ast.unparse(node.func)}() of these values is not understood"
        raise RefusedError(node, why) from error


# Rules.


def rule_call(scope: Scope, key: RuleKey, arguments: list[Operand], node: ast.Call) -> Operand:
    """Return the result of a rule; it is called now."""
    bound = _bound(scope, key, arguments, node)
    return finished(scope, call_of(scope, key, bound, node))


def finished(scope: Scope, result: RuleCall) -> Operand:
    """Carry out a call now, and return its result."""
    if result.type == NOTHING:
        scope.emit(Do(result))
        return Known(None)
    value = scope.temporary(result, "result")
    return iterator_over(scope, value) if result.function.is_generator else value


def _bound(scope: Scope, key: RuleKey, arguments: list[Operand], node: ast.Call) -> list[Operand]:
    """Return the arguments in the order of the parameters, with defaults."""
    rule = scope.program.source(key.module).functions[key.name]
    parameters = rule.args
    if parameters.vararg or parameters.kwarg or parameters.posonlyargs:
        raise RefusedError(node, f"{key.name} has parameters that are not understood")
    names = [parameter.arg for parameter in parameters.args]
    given = dict(zip(names, arguments, strict=False))
    words = [keyword for keyword in node.keywords if keyword.arg]
    given |= dict(
        zip((w.arg or "" for w in words), scope.values([w.value for w in words]), strict=True)
    )
    defaults = dict(zip(reversed(names), reversed(parameters.defaults), strict=False))
    only = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    names += [parameter.arg for parameter in parameters.kwonlyargs]
    defaults |= {parameter.arg: value for parameter, value in only if value is not None}
    for name in names:
        if name not in given:
            default = defaults.get(name)
            if not isinstance(default, ast.Constant):
                why = f"the argument {name} of {key.name} is missing, or has no plain default"
                raise RefusedError(node, why)
            given[name] = Known(default.value)
    return [given[name] for name in names]


def call_of(scope: Scope, key: RuleKey, arguments: Sequence[Operand], node: ast.AST) -> RuleCall:
    """Return the call of a rule with these arguments."""
    bound = [argument_of(scope, argument, node) for argument in arguments]
    identity = tuple(_identity(scope, argument) for argument in bound)
    function = scope.program.function(key, bound, identity)
    operands = tuple(argument for argument in bound if not isinstance(argument, NOT_EXPRESSIONS))
    aliases = {o.name for o in operands if isinstance(o, Field) and is_list(o.type)}
    aliases |= {argument.name for argument in bound if isinstance(argument, Rows)}
    line = getattr(node, "lineno", 0)
    scope.function.calls.append((function, line, frozenset(aliases)))
    return RuleCall(function, operands)


def argument_of(scope: Scope, argument: Operand, node: ast.AST) -> Operand:
    """Return an argument as a rule gets it: an expression, or what is known before the game."""
    if isinstance(argument, Known):
        if isinstance(argument.value, Marker) or not is_plain(scope.program, argument.value):
            return argument
        return scope.expression(argument, node)
    if isinstance(argument, Group | Steps):
        return scope.expression(argument, node)
    if isinstance(argument, Expression | Rows):
        return argument
    raise RefusedError(node, "this argument of a rule is not understood")


def _identity(scope: Scope, argument: Operand) -> Hashable:
    if isinstance(argument, Known):
        return scope.program.kept_id(argument.value)
    return argument.name if isinstance(argument, Rows) else _type_of(argument)


def _type_of(argument: Operand) -> Type:
    assert isinstance(argument, Expression)
    return argument.type


def _by_number(
    scope: Scope, number: Expression, arguments: list[Operand], node: ast.Call
) -> Operand:
    """Return the result of one of several rules, chosen by its number."""
    assert isinstance(number.type, Routine)
    bound = [argument_of(scope, argument, node) for argument in arguments]
    operands = [argument for argument in bound if isinstance(argument, Expression)]
    identity = (number.type, tuple(_identity(scope, argument) for argument in bound))

    def build(function: Function) -> None:
        chooser = Variable(number.type, "number", is_fixed=True)
        names = [Variable(o.type, f"argument_{i}", True) for i, o in enumerate(operands, 1)]
        function.parameters = [chooser, *names]
        left = iter(names)
        passed = [next(left) if isinstance(a, Expression) else a for a in bound]
        calls = [_case(scope, function, key, passed, node) for key in _sorted_keys(number)]
        if any(result.function.is_generator for _, result in calls):
            raise RefusedError(node, "a generator function in a table is not understood")
        kind = widest([result.type for _, result in calls])
        if kind is None:
            raise RefusedError(node, "the functions of the table return values of several types")
        if not all(has_same_bits(result.type, kind) for _, result in calls):
            raise RefusedError(node, "functions of the table return ints and floats")
        function.result = kind
        cases = []
        for case, result in calls:
            last = [Do(result), Leave(None)] if kind == NOTHING else [Leave(result)]
            cases.append(((case,), [*last]))
        function.body = [Select(chooser, tuple(cases), []), Do(Helper(NOTHING, "not_reached"))]

    function = scope.program.dispatcher(identity, scope.source.path, node.lineno, build)
    scope.function.calls.append((function, node.lineno, frozenset()))
    return finished(scope, RuleCall(function, (number, *operands)))


def _sorted_keys(number: Expression) -> list[RuleKey]:
    assert isinstance(number.type, Routine)
    keys = [key for key in number.type.keys if isinstance(key, RuleKey)]
    return sorted(keys)


def _case(
    scope: Scope, function: Function, key: RuleKey, arguments: Sequence[Operand], node: ast.AST
) -> tuple[Numeral, RuleCall]:
    inner = Scope(scope.program, function, scope.source, scope.language)
    result = call_of(inner, key, arguments, node)
    number = Numeral(INT, scope.program.routines[key], key.name)
    return number, result


def _own_method(scope: Scope, node: ast.Call) -> Operand:
    """Return the result of a method that the game's state class adds."""
    assert isinstance(node.func, ast.Attribute)
    value = getattr(scope.program.game.state_type, node.func.attr, None)
    name = getattr(value, "__qualname__", "")
    key = RuleKey(getattr(value, "__module__", ""), name)
    if key.module.startswith("cardhub.model") or not name:
        raise RefusedError(node, f"state.{node.func.attr} is not understood")
    return rule_call(scope, key, [Known(STATE), *scope.values(node.args)], node)


_OPTIONS: dict[str, tuple[type[Option], ...]] = {
    "flag": (Flag,),
    "number": (Number, SeatNumber),
    "word": (OneOf,),
}


def _option(scope: Scope, kind: str, node: ast.Call) -> Operand:
    """Return the value of an option."""
    (name,) = scope.values(node.args)
    if kind not in _OPTIONS:
        raise RefusedError(node, f"settings.{kind} is not understood")
    return option(scope, name, node, _OPTIONS[kind])


# Methods of lists, dictionaries and numbers.


def _method(scope: Scope, method: Method, arguments: list[Operand], node: ast.Call) -> Operand:
    owner = method.owner
    if isinstance(owner, Known) and owner.value is GENERATOR:
        return drawn(scope, method.name, arguments, node)
    if isinstance(owner, Known):
        return _known_method(scope, owner.value, method.name, arguments, node)
    if method.name == "__getitem__":
        return item_at(scope, owner, arguments[0], node)
    if isinstance(owner, Rows):
        raise RefusedError(node, f"{method.name}() of a whole zone is not understood")
    return _value_method(scope, scope.expression(owner, node), method.name, arguments, node)


def _value_method(
    scope: Scope, owner: Expression, name: str, arguments: list[Operand], node: ast.Call
) -> Operand:
    """Return the result of a method of a value of C."""
    kind = owner.type
    if isinstance(kind, DictOf):
        return containers.method(scope, owner, name, arguments, node)
    if isinstance(kind, SetOf):
        return set_method(scope, owner, name, arguments, node)
    if kind == AMOUNT:
        return amounts(scope, owner, name, arguments, node)
    if isinstance(kind, TupleOf) and kind.names and name == "_replace":
        return _replaced(scope, owner, kind, node)
    if is_list(kind):
        return _list_method(scope, owner, name, arguments, node)
    if name not in ("bit_length", "bit_count") or kind == FLOAT:
        raise RefusedError(node, f"{name}() of a number is not understood")
    return Helper(INT, name, (owner,))


def _replaced(scope: Scope, owner: Expression, kind: TupleOf, node: ast.Call) -> Operand:
    """Return a copy of a named tuple with other items."""
    values = {word.arg: scope.value(word.value) for word in node.keywords}
    whole = scope.temporary(owner, "tuple")
    items = [
        values[name] if name in values else item_of(scope, whole, place)
        for place, name in enumerate(kind.names)
    ]
    return Group(tuple(items), names=kind.names)


def _memo_method(name: str, node: ast.AST) -> Operand:
    if name != "clear":
        raise RefusedError(node, f"{name}() depends on what has been read before")
    return Known(None)


def _known_method(
    scope: Scope, owner: Any, name: str, arguments: list[Operand], node: ast.Call
) -> Operand:
    if name == "__getitem__":
        return item_at(scope, Known(owner), arguments[0], node)
    if isinstance(owner, Amount):
        return amounts(scope, scope.program.constant(owner, node), name, arguments, node)
    if is_memo(owner) and name != "__missing__":
        return _memo_method(name, node)
    method = getattr(owner, name, None)
    handler = BUILT_IN.get(method) if isinstance(method, Hashable) else None
    if handler is not None:
        return _built_in(scope, handler, arguments, node)
    if isinstance(owner, Mapping) and name == "get":
        return containers.looked_up_in(scope, owner, arguments, node)
    known = [argument.value for argument in arguments if isinstance(argument, Known)]
    is_constant = len(known) == len(arguments) and not any(isinstance(k, Marker) for k in known)
    is_pure = name in _PURE and type(owner).__module__ == "builtins" and not node.keywords
    if is_constant and is_pure:
        try:
            value = getattr(owner, name)(*known)
        except (LookupError, TypeError, ValueError) as error:
            raise RefusedError(node, f"the constant cannot be read: {error}") from error
        return Known(tuple(value) if name in _VIEWS else value)
    if isinstance(owner, list | tuple):
        listed = scope.program.constant(owner, node)
        return _list_method(scope, listed, name, arguments, node)
    key = rule_key(method)
    if method is None or key is None or not is_rule(scope.program, method):
        raise RefusedError(node, f"a call of {ast.unparse(node.func)} is not understood")
    return rule_call(scope, key, [Known(owner), *arguments], node)


# By method of lists, the helper with its result, if the arguments are numbers.
_OF_NUMBERS: dict[tuple[str, int], tuple[str, Type]] = {
    ("append", 1): ("append", NOTHING),
    ("remove", 1): ("remove_from", NOTHING),
    ("insert", 2): ("insert", NOTHING),
    ("index", 1): ("index_of", INT),
    ("count", 1): ("count_of", INT),
    ("pop", 0): ("pop", INT),
    ("pop", 1): ("pop_at", INT),
    ("clear", 0): ("clear", NOTHING),
}


def _list_method(
    scope: Scope, owner: Expression, name: str, arguments: list[Operand], node: ast.Call
) -> Operand:
    if name == "copy" and not arguments and not node.keywords:
        return loops.collect(scope, owner, node)
    if name == "extend" and len(arguments) == 1:
        extend(scope, owner, arguments[0], node)
        return Known(None)
    if name == "sort" and not arguments:
        loops.sort(scope, owner, node)
        return Known(None)
    known = _OF_NUMBERS.get((name, len(arguments)))
    if known is None or node.keywords or isinstance(owner.type, SetOf):
        raise RefusedError(node, f"{name}() of a list is not understood")
    helper, kind = known
    if name in ("append", "insert"):
        item = add_to(scope, owner, scope.expression(arguments[-1], node), node)
        scope.do(helper, owner, *(scope.number(place, node) for place in arguments[:-1]), item)
        return Known(None)
    numbers = [scope.number(argument, node) for argument in arguments]
    item_kind = item_type(owner.type)
    if name != "pop":
        if item_kind not in (INT, BOOL, TEXT, None):
            raise RefusedError(node, f"{name}() of a list of lists or floats is not understood")
        if kind == NOTHING:
            scope.do(helper, owner, *numbers)
            return Known(None)
        return Helper(kind, helper, (owner, *numbers))
    if numbers and isinstance(numbers[0], Numeral) and numbers[0].value < 0:
        numbers = [Helper(INT, "difference", (count_of(owner), Numeral(INT, -numbers[0].value)))]
    return scope.temporary(Helper(item_kind or INT, helper, (owner, *numbers)), "taken")


def extend(scope: Scope, owner: Expression, operand: Operand, node: ast.AST) -> None:
    """Write that a list gets all items of an operand."""
    values = scope.settled(items_of(scope, operand, node))
    assert isinstance(values, Expression)
    kind = item_type(values.type)
    if kind is not None:
        item = Variable(kind, "")
        if add_to(scope, owner, item, node) is not item:
            values = Helper(values.type, "list_of_doubles", (values, count_of(values)))
    scope.do("extend", owner, values)


CALLS: dict[type[ast.AST], Callable[..., Operand]] = {ast.Call: call}
