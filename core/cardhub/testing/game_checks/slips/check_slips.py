"""A look at the source of a game before the first random game: slips of spelling and form.

It reports only what it is sure of, with file and line: attributes that a state does not have,
fields without an annotation, methods that the core would never call or could not call, methods
without a value that the core needs, an `apply` that sets no next seat,
values that change during a game but are not in its state, and misspelled verbs of actions.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from cardhub.base.errors.quoting import did_you_mean
from cardhub.model.game.game import Game
from cardhub.model.table.actions import Actions, Amount
from cardhub.model.table.state import State
from cardhub.testing.checking import ConformanceError, FaultyLine, line_of_def
from cardhub.testing.game_checks.slips.sources import (
    GameSource,
    Method,
    Source,
    class_nodes,
    contract_of,
    functions_of,
    own_nodes,
)


def check_source(game: Game[Any], subject: None = None) -> None:
    """Check that the classes of the game are written as the core reads them."""
    slips = find_slips(game)
    if slips:
        raise ConformanceError("source", game.name, "; ".join(map(str, slips)), slips)


def find_slips(game: Game[Any]) -> list[FaultyLine]:
    """Return the slips in the source of a game, by file and line."""
    source = GameSource(game)
    return sorted(
        {
            *method_slips(source),
            *field_slips(source),
            *kept_state_slips(source),
            *verb_slips(source, game.actions),
        }
    )


def method_slips(source: GameSource) -> Iterator[FaultyLine]:
    """Yield the slips in the methods of a game's classes."""
    for kind in source.kinds:
        yield from _unknown_methods(kind, source.used)
        yield from _wrong_signatures(kind)
    for file in source.sources:
        yield from _missing_returns(file, source.kinds)
    yield from _missing_seat(source)


def _slip_in(function: FunctionType, problem: str) -> FaultyLine:
    return FaultyLine.at(line_of_def(function.__code__), problem)


def _unknown_methods(kind: type, used: frozenset[str]) -> Iterator[FaultyLine]:
    """Yield uncalled methods whose names are almost names of the contract."""
    part = contract_of(kind)
    if part is None:
        return
    known = [name for name in vars(part) if not name.startswith("_") and name not in vars(kind)]
    for name, function in functions_of(kind):
        hint = did_you_mean(name, known)
        is_unknown = not name.startswith("_") and not hasattr(part, name) and name not in used
        if is_unknown and hint and not any(hasattr(base, name) for base in kind.__mro__[1:]):
            yield _slip_in(function, f"{part.__name__} has no method {name}().{hint}")


def _wrong_signatures(kind: type) -> Iterator[FaultyLine]:
    """Yield the methods that the core cannot call with the arguments of the contract."""
    part = contract_of(kind)
    if part is None:
        return
    for name, function in functions_of(kind):
        declared = vars(part).get(name)
        if name.startswith("_") or not inspect.isfunction(declared):
            continue
        wanted = inspect.signature(declared)
        try:
            inspect.signature(function).bind(*wanted.parameters)
        except TypeError:
            mine, right = _heading(name, function), _heading(name, declared)
            yield _slip_in(function, f"the core calls {right}, and this is {mine}")


def _heading(name: str, function: Any) -> str:
    return f"{name}({', '.join(inspect.signature(function).parameters)})"


def _missing_returns(source: Source, kinds: list[type]) -> Iterator[FaultyLine]:
    """Yield the methods of the contract that never return a value which the core needs."""
    for node, kind in class_nodes(source, kinds):
        part = contract_of(kind)
        for method in node.body:
            if part and isinstance(method, ast.FunctionDef):
                annotations = getattr(vars(part).get(method.name), "__annotations__", {})
                returned = annotations.get("return")
                is_needed = returned is not None and "None" not in str(returned)
                if is_needed and not any(map(_is_exit, own_nodes(method))):
                    problem = f"{method.name}() returns nothing, because it has no `return`"
                    yield FaultyLine(source.path, method.lineno, problem)


def _is_exit(node: ast.AST) -> bool:
    is_value = isinstance(node, ast.Return) and node.value is not None
    return is_value or isinstance(node, ast.Raise | ast.Yield | ast.YieldFrom)


def _missing_seat(source: GameSource) -> Iterator[FaultyLine]:
    """Yield `apply` if no line of the game sets the next seat, and so none ends the game."""
    owner = next((kind for kind in source.kinds if "apply" in vars(kind)), None)
    # Rules in a compiled module, which is not read here, may set it.
    if owner is None or "seat" in source.stored or "setattr" in source.used:
        return
    if len({kind.__module__ for kind in source.kinds}) <= len(source.sources):
        for name, function in functions_of(owner):
            if name == "apply":
                problem = "apply() never sets state.seat: to the next seat, or to OVER at the end"
                yield _slip_in(function, problem)


def field_slips(source: GameSource) -> Iterator[FaultyLine]:
    """Yield the slips in the fields of a game's state."""
    if _has_own_attributes(source.state_type):
        return
    for method in source.methods:
        nodes = list(ast.walk(method.node))
        # A function that asks for the type of a value may get a more special state.
        if not any(isinstance(node, ast.Name) and node.id == "isinstance" for node in nodes):
            yield from _unknown_fields(method, nodes, source.state_type)
    names = {kind.__name__ for kind in source.states}
    for file in source.sources:
        for node in file.nodes:
            if isinstance(node, ast.ClassDef) and node.name in names:
                yield from _fields_without_annotation(file, node, source)
                yield from _ignored_values(file, node, source.state_type)


def _has_own_attributes(kind: type) -> bool:
    """Return whether a state class copies itself, and so may have attributes of any name."""
    owners = (base for base in kind.__mro__ if base is not State and issubclass(base, State))
    written = ("__init__", "clone", "__getattr__", "__setattr__", "__slots__")
    return any(
        name in vars(owner) and vars(owner)[name] is not owner._written.get(name)
        for owner in owners
        for name in written
    )


def _unknown_fields(
    method: Method, nodes: Iterable[ast.AST], state_type: type[State]
) -> Iterator[FaultyLine]:
    known = {*state_type._declaration.fields, *dir(state_type), *State.__annotations__}
    for node in nodes:
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in method.states
            and node.attr not in known
        ):
            hint = did_you_mean(node.attr, [n for n in known if not n.startswith("_")])
            if not hint and isinstance(node.ctx, ast.Store):
                hint = f" Annotate it in that class: `{node.attr}: int`, or the type that it has"
            problem = f"{state_type.__name__} has no field {node.attr}.{hint}"
            yield FaultyLine(method.source.path, node.lineno, problem)


def _fields_without_annotation(
    file: Source, node: ast.ClassDef, source: GameSource
) -> Iterator[FaultyLine]:
    """Yield what a state class assigns as a value of the class, and rules as one of a state."""
    for line in node.body:
        names = [t.id for t in getattr(line, "targets", ()) if isinstance(t, ast.Name)]
        for name in names:
            value = getattr(source.state_type, name, None)
            is_changed = isinstance(value, list) or name in source.stored
            if name not in source.state_type._declaration.fields and is_changed:
                problem = f"the field {name} has no annotation, so copies of a state lose it"
                fix = f"Write `{name}: {type(value).__name__}`"
                yield FaultyLine(file.path, line.lineno, f"{problem}. {fix}")


def _ignored_values(
    file: Source, node: ast.ClassDef, state_type: type[State]
) -> Iterator[FaultyLine]:
    """Yield the lists that a state class gives a first value, because states begin without it."""
    declaration = state_type._declaration
    for line in node.body:
        if (
            isinstance(line, ast.AnnAssign)
            and isinstance(line.target, ast.Name)
            and line.target.id in (*declaration.lists, *declaration.nested)
            and isinstance(line.value, ast.List | ast.ListComp | ast.BinOp)
            and not (isinstance(line.value, ast.List) and not line.value.elts)
        ):
            name = line.target.id
            problem = f"{name} begins as an empty list, whatever the class says. Set it in deal()"
            yield FaultyLine(file.path, line.lineno, problem)


# The methods that change a list or set in place.
CHANGING = ("append", "extend", "insert", "add", "update", "remove", "pop", "clear", "discard")


def kept_state_slips(source: GameSource) -> Iterator[FaultyLine]:
    """Yield the lines of rules that keep what happens in the game object, a class or a module."""
    for method in source.methods:
        if not method.states or method.node.name == "__init__":
            continue
        if method.kind is not None:
            yield from _kept_by_object(method)
        yield from _kept_by_module(method)


def _kept_by_object(method: Method) -> Iterator[FaultyLine]:
    asked = _tested_names(method.node)
    state, owner = sorted(method.states)[0], method.node.args.args[0].arg
    whose = "the game object" if issubclass(method.kind or object, Game) else "an object"
    for line, target in _changes(method.node):
        if (
            isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and target.value.id == owner
            and owner not in method.states  # a static method
            # What is computed when it is first asked for is the same in all games.
            and target.attr not in asked
        ):
            name = target.attr
            problem = (
                f"{name} belongs to {whose}, which all games and all copies of a state share. "
                f"Annotate {name} in the state class, and write {state}.{name}"
            )
            yield FaultyLine(method.source.path, line, problem)


def _kept_by_module(method: Method) -> Iterator[FaultyLine]:
    asked, lists = _tested_names(method.node), _module_lists(method.source.tree)
    nodes = list(own_nodes(method.node))
    declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    local = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    shared = ((lists - local) | declared) - asked
    for line, target in _changes(method.node):
        if isinstance(target, ast.Name) and target.id in shared:
            problem = (
                f"{target.id} belongs to the module, which all games and all copies of a state "
                "share. Annotate a field of the state class for it"
            )
            yield FaultyLine(method.source.path, line, problem)


def _changes(function: ast.FunctionDef) -> Iterator[tuple[int, ast.expr]]:
    """Yield line and target of what a function changes: `x` of `x = 1`, `x += 1`, `x.append(1)`.

    An entry of a table (`x[key] = 1`) is none, because caches set those.
    """
    for node in own_nodes(function):
        if isinstance(node, ast.Assign):
            yield from ((node.lineno, target) for target in node.targets)
        elif isinstance(node, ast.AugAssign):
            yield node.lineno, node.target
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CHANGING
        ):
            yield node.lineno, node.func.value


def _tested_names(function: ast.FunctionDef) -> set[str]:
    """Return the names in the conditions of a function; a lazy value is tested in one."""
    tests = (n.test for n in own_nodes(function) if isinstance(n, ast.If | ast.IfExp))
    nodes = [node for test in tests for node in ast.walk(test)]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return attributes | {node.id for node in nodes if isinstance(node, ast.Name)}


def _module_lists(tree: ast.Module) -> set[str]:
    """Return the names of a module that are lists at first."""
    names = set()
    for line in tree.body:
        targets = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
        if isinstance(getattr(line, "value", None), ast.List):
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


# The lists of `Actions` from which rules read the verb of an action.
BY_INDEX, BY_VALUE = "verb_and_index", "verb_and_value"


def verb_slips(source: GameSource, actions: Actions) -> Iterator[FaultyLine]:
    """Yield the slips in the cases of a `match` on the verb of an action."""
    verbs = {group.verb for group in actions.groups}
    amounts = {group.verb for group in actions.groups if isinstance(group, Amount)}
    for method in source.methods:
        read = dict(_read_verbs(method.node))
        matches = (node for node in ast.walk(method.node) if isinstance(node, ast.Match))
        for node in matches:
            if isinstance(node.subject, ast.Name) and node.subject.id in read:
                yield from _unknown_verbs(method.source, node, verbs)
                if read[node.subject.id] == BY_INDEX:
                    yield from _indexed_amounts(method.source, node, amounts)


def _read_verbs(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Yield the names of verbs that a function reads, each with the list that it reads."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
            table, target = node.value.value, node.targets[0]
            name = table.attr if isinstance(table, ast.Attribute) else getattr(table, "id", "")
            verb = target.elts[0] if isinstance(target, ast.Tuple) else None
            if name.lower() in (BY_INDEX, BY_VALUE) and isinstance(verb, ast.Name):
                yield verb.id, name.lower()


def _cases(node: ast.Match) -> Iterator[tuple[str, int]]:
    """Yield the verbs of all cases, with their lines."""
    for case in node.cases:
        for part in ast.walk(case.pattern):
            if isinstance(part, ast.MatchValue) and isinstance(part.value, ast.Constant):
                yield str(part.value.value), part.lineno


def _unknown_verbs(file: Source, node: ast.Match, verbs: set[str]) -> Iterator[FaultyLine]:
    for verb, line in _cases(node):
        hint = did_you_mean(verb, sorted(verbs))
        # Other actions of a package may have further verbs, but hardly ones that are nearly equal.
        if verb not in verbs and hint:
            yield FaultyLine(file.path, line, f"no action has the verb {verb!r}.{hint}")


def _indexed_amounts(file: Source, node: ast.Match, amounts: set[str]) -> Iterator[FaultyLine]:
    for verb, line in _cases(node):
        if verb in amounts:
            problem = f"verb_and_index counts the amounts of {verb!r} from 0. Read verb_and_value"
            yield FaultyLine(file.path, line, problem)
