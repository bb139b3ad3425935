"""Calls in rules: built-in functions, methods of lists, options, and other rules."""

import ast
import builtins
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from cardhub.compiling.rules import loops, state_calls
from cardhub.compiling.rules.expressions import rows_count
from cardhub.compiling.rules.form import (
    BOOL,
    INT,
    NOTHING,
    TEXT,
    Do,
    Expression,
    Field,
    Function,
    Helper,
    Leave,
    Numeral,
    PairsOf,
    Routine,
    RuleCall,
    Select,
    Type,
    Variable,
    is_list,
    item_type,
)
from cardhub.compiling.rules.program import RefusedError, RuleKey, is_rule, rule_key
from cardhub.compiling.rules.scope import (
    FACES,
    NOT_EXPRESSIONS,
    PLAIN,
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
    count_of,
)
from cardhub.model.table.seats import clockwise, first_seat

# Translates calls of a function that is built into Python.
Handler = Callable[[Scope, ast.Call, list[Operand]], Operand]
ZERO = Numeral(INT, 0)
# Methods of constants that are called before the game.
_PURE = frozenset({"bit_count", "bit_length", "count", "get", "index", "items", "keys", "values"})


def call(scope: Scope, node: ast.Call) -> Operand:
    """Return the result of a call."""
    function = scope.value(node.func)
    if isinstance(function, Method) and isinstance(function.owner, Known):
        if function.owner.value is STATE:
            return state_calls.call(scope, function.name, node) or _own_method(scope, node)
        if function.owner.value is SETTINGS:
            return _option(scope, function.name, node)
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        raise RefusedError(node, "a star in a call is not understood")
    return _called(scope, function, scope.values(node.args), node)


def _called(scope: Scope, function: Operand, arguments: list[Operand], node: ast.Call) -> Operand:
    if isinstance(function, Closure):
        return loops.called(scope, function, arguments, node)
    if isinstance(function, Method):
        return _method(scope, function, arguments, node)
    if isinstance(function, Known):
        value: object = function.value
        handler = _BUILT_IN.get(value) if isinstance(value, Hashable) else None
        if handler is not None:
            try:
                return handler(scope, node, arguments)
            except (IndexError, TypeError, ValueError) as error:  # Python refuses them as well
                why = f"{ast.unparse(node.func)}() of these values is not understood"
                raise RefusedError(node, why) from error
        if isinstance(function.value, type) and hasattr(function.value, "_fields"):
            return Group(tuple(arguments), names=function.value._fields)
        key = rule_key(function.value)
        if key is not None and is_rule(scope.program, function.value):
            return rule_call(scope, key, arguments, node)
    elif isinstance(function, Expression) and isinstance(function.type, Routine):
        return _by_number(scope, function, arguments, node)
    raise RefusedError(node, f"a call of {ast.unparse(node.func)} is not understood")


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
    return scope.temporary(result, "result")


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
        if isinstance(argument.value, Marker) or not _has_form(scope, argument.value):
            return argument
        return scope.expression(argument, node)
    if isinstance(argument, Group | Steps):
        return scope.expression(argument, node)
    if isinstance(argument, Expression | Rows):
        return argument
    raise RefusedError(node, "this argument of a rule is not understood")


def _has_form(scope: Scope, value: object) -> bool:
    return isinstance(value, PLAIN) or is_rule(scope.program, value)


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
        kind = loops.widest([result.type for _, result in calls])
        if kind is None:
            raise RefusedError(node, "the functions of the table return values of several types")
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
    called = Scope(*scope.parts_for(function))
    result = call_of(called, key, arguments, node)
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


def _option(scope: Scope, kind: str, node: ast.Call) -> Operand:
    """Return the value of an option."""
    (name,) = scope.values(node.args)
    names = list(scope.program.game.options)
    if not isinstance(name, Known) or name.value not in names:
        raise RefusedError(node, "the name of the option must be a text")
    types = {"flag": BOOL, "number": INT, "word": TEXT}
    if kind not in types:
        raise RefusedError(node, f"settings.{kind} is not understood")
    return Helper(types[kind], "OPTION", (Numeral(INT, names.index(name.value), name.value),), True)


# Methods of lists, dictionaries and numbers.


def _method(scope: Scope, method: Method, arguments: list[Operand], node: ast.Call) -> Operand:
    owner = method.owner
    if isinstance(owner, Known):
        return _known_method(scope, owner.value, method.name, arguments, node)
    if isinstance(owner, Expression) and isinstance(owner.type, PairsOf):
        if method.name != "items":
            raise RefusedError(node, f"{method.name}() of a dictionary is not understood")
        return _pairs(owner)
    if isinstance(owner, Expression) and not is_list(owner.type):
        if method.name not in ("bit_length", "bit_count"):
            raise RefusedError(node, f"{method.name}() of a number is not understood")
        return Helper(INT, method.name, (owner,))
    if isinstance(owner, Rows):
        raise RefusedError(node, f"{method.name}() of a whole zone is not understood")
    return _list_method(scope, scope.list(owner, node), method.name, arguments, node)


def _pairs(owner: Expression) -> Steps:
    twice = Helper(INT, "quotient", (count_of(owner), Numeral(INT, 2)))

    def pair(index: Expression) -> Operand:
        first = Helper(INT, "product", (index, Numeral(INT, 2)))
        second = Helper(INT, "sum_of", (first, Numeral(INT, 1)))
        return Group((Helper(INT, "item", (owner, first)), Helper(INT, "item", (owner, second))))

    return Steps(twice, pair)


def _known_method(
    scope: Scope, owner: Any, name: str, arguments: list[Operand], node: ast.Call
) -> Operand:
    method = getattr(owner, name)
    known = [argument.value for argument in arguments if isinstance(argument, Known)]
    is_constant = len(known) == len(arguments) and not any(isinstance(k, Marker) for k in known)
    is_pure = name in _PURE and type(owner).__module__ == "builtins" and not node.keywords
    if is_constant and is_pure:
        try:
            return Known(method(*known))
        except (LookupError, TypeError, ValueError) as error:
            raise RefusedError(node, f"the constant cannot be read: {error}") from error
    if isinstance(owner, list | tuple):
        listed = scope.program.constant(owner, node)
        return _list_method(scope, listed, name, arguments, node)
    key = rule_key(method)
    if key is None or not is_rule(scope.program, method):
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
    if name == "copy" and not arguments:
        return loops.collect(scope, owner, node)
    if name == "extend" and len(arguments) == 1:
        scope.do("extend", owner, scope.list(arguments[0], node))
        return Known(None)
    known = _OF_NUMBERS.get((name, len(arguments)))
    if known is None or node.keywords:
        raise RefusedError(node, f"{name}() of a list is not understood")
    helper, kind = known
    item = item_type(owner.type)
    is_plain = item in (INT, BOOL, TEXT, None)
    if not is_plain:
        raise RefusedError(node, f"{name}() of a list of lists is not understood")
    numbers = [scope.number(argument, node) for argument in arguments]
    if name == "pop" and numbers and isinstance(numbers[0], Numeral) and numbers[0].value < 0:
        place = Helper(INT, "difference", (count_of(owner), Numeral(INT, -numbers[0].value)))
        numbers = [place]
    if kind == NOTHING:
        scope.do(helper, owner, *numbers)
        return Known(None)
    value = Helper(item or INT if name == "pop" else kind, helper, (owner, *numbers))
    return scope.temporary(value, "taken") if name == "pop" else value


# Built-in functions.


def _length(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    (operand,) = arguments
    if isinstance(operand, Known) and operand.value is not FACES:
        return Known(len(operand.value))
    if isinstance(operand, Group):
        return Known(len(operand.items))
    if isinstance(operand, Rows):
        return rows_count(scope, operand)
    if isinstance(operand, Steps):
        return operand.count
    return loops.steps_of(scope, operand, node).count


def _extreme(helper: str, pairwise: str) -> Handler:
    def handle(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
        words = {word.arg: scope.value(word.value) for word in node.keywords}
        key = words.pop("key", None)
        if len(arguments) == 1 and isinstance(key, Closure) and not words:
            greatest = helper == "largest"
            return loops.extreme_by_key(scope, arguments[0], key, node, is_greatest=greatest)
        if key is not None or words.keys() - {"default"}:
            raise RefusedError(node, "only a lambda is understood as the key")
        if len(arguments) == 1:
            return loops.extreme(scope, arguments[0], node, helper, words.get("default"))
        values = [scope.number(argument, node) for argument in arguments]
        whole = values[0]
        for value in values[1:]:
            whole = Helper(INT, pairwise, (whole, value))
        return whole

    return handle


def _sum(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    if len(arguments) != 1 or node.keywords:
        raise RefusedError(node, "sum() with a first value is not understood")
    return loops.summed(scope, arguments[0], node)


def _tested(*, is_all: bool) -> Handler:
    def handle(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
        return loops.tested(scope, arguments[0], node, is_all=is_all)

    return handle


def _list(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return loops.collect(scope, arguments[0], node) if arguments else Group((), is_list=True)


def _sorted(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    words = {word.arg: scope.value(word.value) for word in node.keywords}
    if words.keys() - {"key"}:
        raise RefusedError(node, "sorted() with reverse is not understood")
    return loops.ordered(scope, arguments[0], words.get("key"), node)


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

    return Steps(steps.count, pair)


def _zip(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    many = [loops.steps_of(scope, argument, node) for argument in arguments]
    # With `strict` Python refuses lists of other lengths.
    if any(word.arg == "strict" and getattr(word.value, "value", 1) for word in node.keywords):
        for steps in many[1:]:
            scope.do("require_equal", many[0].count, steps.count)
    return loops.zipped(scope, many)


def _reversed(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    steps = loops.steps_of(scope, arguments[0], node)
    last = scope.temporary(Helper(INT, "difference", (steps.count, Numeral(INT, 1))), "last")
    return Steps(steps.count, lambda i: steps.item(Helper(INT, "difference", (last, i))))


def _truth(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return scope.truth(arguments[0], node)


def _number(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    value = scope.number(arguments[0], node)
    if value.type not in (INT, BOOL):
        raise RefusedError(node, "int() of something else than a number is not understood")
    return Helper(INT, "sum_of", (value, ZERO))


def _absolute(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    return Helper(INT, "magnitude", (scope.number(arguments[0], node),))


def _clockwise(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Steps:
    start, seats = (scope.settled(scope.number(argument, node)) for argument in arguments)
    assert isinstance(start, Expression)
    assert isinstance(seats, Expression)

    def seat(index: Expression) -> Operand:
        return Helper(INT, "remainder_of", (Helper(INT, "sum_of", (start, index)), seats))

    return Steps(seats, seat)


def _first_seat(scope: Scope, node: ast.Call, arguments: list[Operand]) -> Operand:
    """Return the first seat for which a lambda is true, or None."""
    start, seats, plays = arguments
    if not isinstance(plays, Closure):
        raise RefusedError(node, "first_seat() is understood with a lambda only")
    around = _clockwise(scope, node, [start, seats])
    return loops.first_of(scope, around, plays, node)


_BUILT_IN: dict[Any, Handler] = {
    builtins.len: _length,
    builtins.min: _extreme("smallest", "smaller"),
    builtins.max: _extreme("largest", "larger"),
    builtins.sum: _sum,
    builtins.all: _tested(is_all=True),
    builtins.any: _tested(is_all=False),
    builtins.list: _list,
    builtins.tuple: _list,
    builtins.sorted: _sorted,
    builtins.range: _range,
    builtins.enumerate: _enumerate,
    builtins.zip: _zip,
    builtins.reversed: _reversed,
    builtins.bool: _truth,
    builtins.int: _number,
    builtins.abs: _absolute,
    clockwise: _clockwise,
    first_seat: _first_seat,
}
CALLS: dict[type[ast.AST], Callable[..., Operand]] = {ast.Call: call}
