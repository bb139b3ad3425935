"""Translation of a game's rules, from the syntax trees of their functions to the typed form."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from cardhub.bots.search.struct_playouts import playout_methods
from cardhub.compiling.rules import iterators
from cardhub.compiling.rules.arithmetic import ARITHMETIC
from cardhub.compiling.rules.calls import CALLS, called
from cardhub.compiling.rules.containers import CONTAINERS
from cardhub.compiling.rules.expressions import EXPRESSIONS
from cardhub.compiling.rules.form import (
    ANY_FIELD,
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    TEXT,
    Do,
    Expression,
    Function,
    Helper,
    Leave,
    ListOf,
    Maybe,
    Type,
    Variable,
    is_list,
    widest,
)
from cardhub.compiling.rules.iterators import ITERATORS
from cardhub.compiling.rules.loops import LOOPS, collect
from cardhub.compiling.rules.program import (
    Program,
    Refusal,
    RefusedError,
    RuleSource,
    is_memo,
    rule_key,
)
from cardhub.compiling.rules.scope import (
    GENERATOR,
    NOT_EXPRESSIONS,
    STATE,
    Known,
    Language,
    Operand,
    Scope,
)
from cardhub.compiling.rules.state_calls import METHODS
from cardhub.compiling.rules.statements import STATEMENTS, falls_through
from cardhub.compiling.rules.struct_layout import obstacle_of
from cardhub.model.game.game import Game, Heuristics
from cardhub.model.table.state import State

_HANDLERS = EXPRESSIONS | ARITHMETIC | CALLS | CONTAINERS | ITERATORS | LOOPS | STATEMENTS
_LANGUAGE = Language(_HANDLERS, collect, called)
# Types of variables get wider from one translation of a function to the next; then they stay.
_PASSES = 5
_ANNOTATIONS: dict[str, Type] = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": TEXT,
    "None": NOTHING,
    "int | None": Maybe(),
    "list[int]": ListOf(INT),
    "list[float]": ListOf(FLOAT),
    "tuple[int, ...]": ListOf(INT),
}
# Their results depend on the arguments only, so C may compute them again.
_CACHES = (cache, lru_cache)
# C computes a function with more arguments again.
MOST_KEYS = 4
_KEPT_NAMES = {"override", "typing.override"}


@dataclass(frozen=True, slots=True)
class TranslatedRules:
    """The rules of a game in the typed form; `refusals` say what is not understood.

    `entries` are the functions that a module offers, by their names. With refusals there is no
    module: a game's rules are translated as a whole or not at all. If only the heuristics are not
    understood, `playout_refusals` say so, and playouts stay in Python.
    """

    program: Program
    entries: dict[str, Function]
    refusals: tuple[Refusal, ...]
    playout_refusals: tuple[Refusal, ...] = ()


def translate_rules(game: Game[Any]) -> TranslatedRules:
    """Translate `legal`, `apply` and `scores` of a game, what its playouts need, and the deal."""
    program = Program(game, translate_function)
    entries: dict[str, Function] = {}
    obstacle = obstacle_of(game)
    if obstacle:
        program.refusals.append(_refusal_of(program, game.state_type, obstacle))
        return TranslatedRules(program, entries, tuple(program.refusals))
    _refuse_own_ways(program)
    state, action = Known(STATE), Variable(INT, "action", is_fixed=True)
    entries["legal"] = _entry(program, game, "legal", [state])
    entries["apply"] = _entry(program, game, "apply", [state, action])
    entries["scores"] = _entry(program, game, "scores", [state])
    if type(game).chance_weights is not Game.chance_weights:
        entries["chance_weights"] = _entry(program, game, "chance_weights", [state])
    _check_results(program, entries)
    if not program.refusals:
        _refuse_replaced_aliases(program)
    refusals = tuple(program.refusals)
    if refusals:
        return TranslatedRules(program, entries, refusals)
    entries |= _spare_entry(program, game, "deal", (NOTHING,))
    own = _playout_entries(program)
    playout_refusals = tuple(program.refusals)
    if not playout_refusals:
        own |= _determinization_entries(program)
    return TranslatedRules(program, entries | own, (), playout_refusals)


def _determinization_entries(program: Program) -> dict[str, Function]:
    """Translate what decides whether drawn faces are kept; it may read what was observed."""
    game, entries = program.game, dict[str, Function]()
    program.observed = []
    if type(game).plausible is not Game.plausible:
        entries |= _spare_entry(program, game, "plausible", (BOOL, INT))
    if type(game.heuristics).likelihood is not Heuristics.likelihood:
        entries |= _spare_entry(program, game.heuristics, "likelihood", (FLOAT,))
    return entries


def _playout_entries(program: Program) -> dict[str, Function]:
    """Translate what a game's heuristics have to say about playouts; empty if it is refused."""
    game, heuristics = program.game, program.game.heuristics
    state = Known(STATE)
    entries: dict[str, Function] = {}
    for name in playout_methods(game):
        arguments: list[Operand] = [state]
        if name == "playout_action":
            arguments.append(Known(GENERATOR))
        entries[name] = _entry(program, heuristics, name, arguments)
    if not program.refusals:
        _refuse_replaced_aliases(program)
        _check_playout_results(program, entries)
    return {} if program.refusals else entries


def _check_playout_results(program: Program, entries: dict[str, Function]) -> None:
    results = {name: function.result for name, function in entries.items()}
    valued = results.get("evaluate", ListOf(FLOAT))
    is_list = isinstance(valued, ListOf) and valued.item in (INT, BOOL, FLOAT)
    if not is_list or results.get("playout_action", INT) != INT:
        kind = type(program.game.heuristics)
        why = "evaluate() or playout_action() returns another type"
        program.refusals.append(_refusal_of(program, kind, why))


def _spare_entry(
    program: Program, owner: object, name: str, kinds: tuple[Type, ...]
) -> dict[str, Function]:
    """Translate a rule that C can do without, with a result of these types; empty if refused.

    Only tables of learners need the deal, and only determinizations in C the others.
    """
    known = dict(program.functions)
    function = _entry(program, owner, name, [Known(STATE)])
    _refuse_replaced_aliases(program)
    if not program.refusals and function.result in kinds:
        return {name: function}
    program.refusals.clear()
    program.functions = known  # nothing may call a function that was refused
    return {}


def _entry(program: Program, owner: Any, name: str, arguments: list[Operand]) -> Function:
    key = rule_key(getattr(owner, name))
    assert key is not None
    bound: list[Operand] = [Known(owner), *arguments]
    return program.function(key, bound, (program.kept_id(owner), name))


def _refuse_own_ways(program: Program) -> None:
    """Refuse games whose states have methods of the core in their own ways."""
    game = program.game
    kinds = takewhile(lambda kind: kind is not State, game.state_type.__mro__)
    for kind in kinds:
        own = program.source(kind.__module__).functions
        for name in (*METHODS, "clone", "__init__"):
            if f"{kind.__qualname__}.{name}" in own:
                why = f"the state has its own {name}()"
                program.refusals.append(_refusal_of(program, kind, why))


def _refusal_of(program: Program, kind: type, why: str) -> Refusal:
    """Return the refusal of a class as a whole."""
    path = Path(str(program.source(kind.__module__).path))
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            return Refusal(path, node.lineno, node.col_offset + 1, why)
    return Refusal(path, 1, 1, why)


def _check_results(program: Program, entries: dict[str, Function]) -> None:
    """Refuse rules that return other values than lists of numbers."""
    for name in entries.keys() - {"apply"}:
        kinds: tuple[Type | None, ...] = (INT, BOOL, None)
        kinds = (*kinds, FLOAT) if name == "chance_weights" else kinds
        result = entries[name].result
        if not program.refusals and not (isinstance(result, ListOf) and result.item in kinds):
            why = f"{name}() returns something else than a list of numbers"
            program.refusals.append(_refusal_of(program, type(program.game), why))


def translate_function(
    program: Program,
    function: Function,
    node: ast.FunctionDef,
    source: RuleSource,
    arguments: Sequence[Operand],
) -> None:
    """Write the body of a function for these arguments; raises RefusedError."""
    names = [parameter.arg for parameter in (*node.args.args, *node.args.kwonlyargs)]
    function.result = _ANNOTATIONS.get(ast.unparse(node.returns) if node.returns else "", NOTHING)
    if len(names) != len(arguments):
        raise RefusedError(node, "it has other parameters than the core passes")
    for decorator in node.decorator_list:
        if not _is_cache(decorator, source) and ast.unparse(decorator) not in _KEPT_NAMES:
            raise RefusedError(node, "a decorated function is not understood")
    function.is_generator = iterators.is_generator(node)
    if function.is_generator:
        function.result = ListOf(None)
    function.is_remembered = _is_remembered(node, source, arguments)
    types: dict[str, Type] = {}
    for _ in range(_PASSES):
        before = dict(types), function.result
        scope = Scope(program, function, source, _LANGUAGE)
        scope.begin(node, types)
        _bind_parameters(scope, names, arguments)
        if function.is_generator:
            iterators.begin(scope, arguments, node)
        scope.statements(node.body)
        iterators.check_chains(scope)
        _finish(scope, node)
        if before == (types, function.result):
            return
    raise RefusedError(node, "the types of its variables cannot be found")


def _is_cache(decorator: ast.expr, source: RuleSource) -> bool:
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    return source.names.get(ast.unparse(name)) in _CACHES


def _is_remembered(node: ast.FunctionDef, source: RuleSource, arguments: Sequence[Operand]) -> bool:
    """Return whether Python remembers the results of a function, and C can do so as well."""
    *first, last = arguments or [Known(None)]
    makes_lacking = node.name == "__missing__" and is_memo(
        getattr(first[0] if first else None, "value", None)
    )
    if not makes_lacking and not any(_is_cache(d, source) for d in node.decorator_list):
        return False
    given = [last] if makes_lacking else arguments
    return 0 < len(given) <= MOST_KEYS and all(
        isinstance(a, Expression) and not is_list(a.type) for a in given
    )


def _bind_parameters(scope: Scope, names: Sequence[str], arguments: Sequence[Operand]) -> None:
    for name, argument in zip(names, arguments, strict=True):
        if isinstance(argument, NOT_EXPRESSIONS):
            scope.variables[name] = argument
            continue
        # Rules may assign to a parameter.
        parameter = scope.new_variable(name, argument.type)
        scope.function.parameters.append(parameter)
        scope.types[name] = argument.type
        scope.variables[name] = parameter


def _finish(scope: Scope, node: ast.FunctionDef) -> None:
    """Set the body and the type of the result."""
    function, body = scope.function, scope.block
    returned = ast.unparse(node.returns) if node.returns else "None"
    if function.is_generator and falls_through(body):
        iterators.end(scope, node)
    elif falls_through(body):
        if "None" in returned or not scope.results:
            scope.results.append(NOTHING)
            body.append(Leave(None))
        else:
            # A type checker knows that this is not reached.
            body.append(Do(Helper(NOTHING, "not_reached")))
    kind = widest(scope.results)
    if kind is None:
        raise RefusedError(node, "it returns values of several types")
    function.result, function.body = kind, body


def _refuse_replaced_aliases(program: Program) -> None:
    """Refuse functions that still use a list of the state after its field got another list."""
    replaced = {function: set(function.replaced) for function in program.functions.values()}
    has_grown = True
    while has_grown:
        has_grown = False
        for function, names in replaced.items():
            added = {name for called, _, _ in function.calls for name in replaced[called]} - names
            names |= added
            has_grown = has_grown or bool(added)
    for function in program.functions.values():
        for name, line in _lost_lists(function, replaced):
            why = f"a variable may refer to state.{name} while it gets another list"
            program.refusals.append(Refusal(function.path, line, 1, why))


def _lost_lists(function: Function, replaced: dict[Function, set[str]]) -> list[tuple[str, int]]:
    held, lost = function.aliases, []
    for name, line in function.replaced.items():
        if name in held or ANY_FIELD in held:
            lost.append((name, line))
    for rule, line, passed in function.calls:
        names = replaced[rule]
        lost += [(n, line) for n in names if n in held | passed or ANY_FIELD in held]
    return lost
