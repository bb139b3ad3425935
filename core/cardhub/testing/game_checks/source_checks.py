"""A look at the source of a game before anything is played: slips of spelling and of form.

It reports only what it is sure of, with file and line: attributes that a state does not have,
fields without an annotation, methods that the core would never call or could not call, and methods
that return nothing although the core needs their value.
"""

import ast
import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.errors.source_lines import SourceLine
from cardhub.model.game.game import Display, Game, Heuristics
from cardhub.model.table.state import State
from cardhub.testing.checking import ConformanceError

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
CONTRACT: tuple[type, ...] = (Game, Heuristics, Display)
# Where the slips of a class are: the classes of the core have none.
CORE = "cardhub"


def check_source(game: Game[Any], subject: None = None) -> None:
    """Check that the classes of the game are written as the core reads them."""
    slips = sorted(set(_slips(game)))
    if slips:
        raise ConformanceError("source", game.name, "; ".join(slip.text for slip in slips))


class _Slip(NamedTuple):
    path: str
    number: int
    problem: str

    @property
    def text(self) -> str:
        return f"{SourceLine(self.path, self.number)}: {self.problem}"


class _Source(NamedTuple):
    """A file with classes of a game, its syntax tree, and the names that it uses."""

    path: str
    tree: ast.Module
    used: frozenset[str]


def _slips(game: Game[Any]) -> Iterator[_Slip]:
    parts = (type(game), type(game.heuristics), type(game.display))
    kinds = [kind for part in parts for kind in _own_classes(part)]
    states = list(_own_classes(game.state_type))
    sources = {path: _read(path) for path in map(_path_of, (*kinds, *states)) if path}
    readable = [source for source in sources.values() if source]
    used = frozenset[str]().union(*(source.used for source in readable))
    for kind in dict.fromkeys(kinds):
        yield from _unknown_methods(kind, used)
        yield from _wrong_signatures(kind)
    for source in readable:
        yield from _missing_returns(source, kinds)
        if not _has_own_attributes(game.state_type):
            names = {kind.__name__ for kind in states}
            yield from _StateReader(source, game.state_type, names, kinds).slips()


def _own_classes(kind: type) -> Iterator[type]:
    """Yield the classes of a class's MRO whose source is not the core's."""
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] not in (CORE, "builtins", "abc", "typing"):
            yield base


def _path_of(kind: type) -> str:
    try:
        return inspect.getfile(kind)
    except (OSError, TypeError):  # made without a file
        return ""


def _read(path: str) -> _Source | None:
    try:
        tree = ast.parse(Path(path).read_text("utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):  # a compiled module
        return None
    uses = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Name))
    names = (node.attr if isinstance(node, ast.Attribute) else node.id for node in uses)
    return _Source(path, tree, frozenset(names))


def _functions_of(kind: type) -> Iterator[tuple[str, FunctionType]]:
    for name, value in vars(kind).items():
        if isinstance(value, FunctionType) and value.__code__.co_filename == _path_of(kind):
            yield name, value


def _slip_in(function: FunctionType, problem: str) -> _Slip:
    code = function.__code__
    # The line of `def` and not of a decorator before it.
    lines, first = inspect.getsourcelines(function)
    defined = next((n for n, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
    return _Slip(code.co_filename, first + defined, problem)


def _contract_of(kind: type) -> type | None:
    return next((part for part in CONTRACT if issubclass(kind, part)), None)


def _unknown_methods(kind: type, used: frozenset[str]) -> Iterator[_Slip]:
    """Yield the methods that nobody calls and whose names are almost names of the contract."""
    part = _contract_of(kind)
    if part is None:
        return
    known = [name for name in vars(part) if not name.startswith("_") and name not in vars(kind)]
    for name, function in _functions_of(kind):
        hint = did_you_mean(name, known)
        is_unknown = not name.startswith("_") and not hasattr(part, name) and name not in used
        if is_unknown and hint and not any(hasattr(base, name) for base in kind.__mro__[1:]):
            yield _slip_in(function, f"{part.__name__} has no method {name}().{hint}")


def _wrong_signatures(kind: type) -> Iterator[_Slip]:
    """Yield the methods that the core cannot call with the arguments of the contract."""
    part = _contract_of(kind)
    if part is None:
        return
    for name, function in _functions_of(kind):
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


def _missing_returns(source: _Source, kinds: Sequence[type]) -> Iterator[_Slip]:
    """Yield the methods of the contract that never return a value which the core needs."""
    for node, kind in _class_nodes(source, kinds):
        part = _contract_of(kind)
        for method in node.body:
            if part and isinstance(method, ast.FunctionDef):
                declared = vars(part).get(method.name)
                is_needed = inspect.isfunction(declared) and not _may_return_none(declared)
                if is_needed and not any(map(_is_exit, _own_nodes(method))):
                    problem = f"{method.name}() returns nothing, because it has no `return`"
                    yield _Slip(source.path, method.lineno, problem)


def _may_return_none(function: FunctionType) -> bool:
    returned = function.__annotations__.get("return")
    return returned is None or "None" in str(returned)


def _is_exit(node: ast.AST) -> bool:
    is_value = isinstance(node, ast.Return) and node.value is not None
    return is_value or isinstance(node, ast.Raise | ast.Yield | ast.YieldFrom)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without the functions and classes in it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
            yield node
            yield from _own_nodes(node)


def _class_nodes(source: _Source, kinds: Sequence[type]) -> Iterator[tuple[ast.ClassDef, type]]:
    by_name = {kind.__qualname__: kind for kind in kinds if _path_of(kind) == source.path}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef) and node.name in by_name:
            yield node, by_name[node.name]


def _has_own_attributes(kind: type) -> bool:
    """Return whether a state class copies itself, and so may have attributes of any name."""
    owners = (base for base in kind.__mro__ if base is not State and issubclass(base, State))
    written = ("__init__", "clone", "__getattr__", "__setattr__", "__slots__")
    return any(
        name in vars(owner) and vars(owner)[name] is not owner._written.get(name)
        for owner in owners
        for name in written
    )


class _StateReader:
    """Reader of the functions of a file that get a state, for attributes that it does not have."""

    def __init__(
        self, source: _Source, state_type: type[State], names: set[str], kinds: Sequence[type]
    ) -> None:
        self._source = source
        self._state_type = state_type
        self._names = names
        self._kinds = kinds
        declared = state_type._declaration.fields
        self._known = {*declared, *dir(state_type), *State.__annotations__}

    def slips(self) -> Iterator[_Slip]:
        """Yield the slips of all functions."""
        for function, kind in self._functions():
            states = self._states(function, kind)
            yield from self._slips_in(function, states)
        yield from self._fields_without_annotation()

    def _functions(self) -> Iterator[tuple[ast.FunctionDef, type | None]]:
        """Yield functions with the game's class that has them; other games have other states."""
        places: list[tuple[ast.AST, type | None]] = [(self._source.tree, None)]
        places += _class_nodes(self._source, self._kinds)
        for place, kind in places:
            for node in ast.iter_child_nodes(place):
                if isinstance(node, ast.FunctionDef) and not _narrows(node):
                    yield node, kind

    def _states(self, function: ast.FunctionDef, kind: type | None) -> set[str]:
        """Return the parameters that are states, by their annotation or the contract."""
        positional = [*function.args.posonlyargs, *function.args.args]
        states = {
            argument.arg
            for argument in positional
            if argument.annotation and ast.unparse(argument.annotation).strip("'\"") in self._names
        }
        part = _contract_of(kind) if kind else None
        declared = vars(part).get(function.name) if part else None
        if inspect.isfunction(declared):
            pairs = zip(positional, inspect.signature(declared).parameters.values(), strict=False)
            states |= {mine.arg for mine, its in pairs if _is_state(its)}
        assigned = {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        return states - assigned

    def _slips_in(self, function: ast.FunctionDef, states: set[str]) -> Iterator[_Slip]:
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in states
                and node.attr not in self._known
            ):
                yield _Slip(self._source.path, node.lineno, self._unknown(node))

    def _unknown(self, node: ast.Attribute) -> str:
        state = self._state_type.__name__
        hint = did_you_mean(node.attr, [n for n in self._known if not n.startswith("_")])
        if not hint and isinstance(node.ctx, ast.Store):
            hint = f" Annotate it in that class: `{node.attr}: int`, or the type that it has"
        return f"{state} has no field {node.attr}.{hint}"

    def _fields_without_annotation(self) -> Iterator[_Slip]:
        """Yield what a state class assigns as a value of the class, and rules as one of a state."""
        changed = {
            node.attr
            for node in ast.walk(self._source.tree)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        for node in ast.walk(self._source.tree):
            if not (isinstance(node, ast.ClassDef) and node.name in self._names):
                continue
            for line in node.body:
                names = [t.id for t in getattr(line, "targets", ()) if isinstance(t, ast.Name)]
                for name in names:
                    value = getattr(self._state_type, name, None)
                    if name not in self._state_type._declaration.fields and (
                        isinstance(value, list) or name in changed
                    ):
                        problem = (
                            f"the field {name} has no annotation, so copies of a state lose it"
                        )
                        fix = f"Write `{name}: {type(value).__name__}`"
                        yield _Slip(self._source.path, line.lineno, f"{problem}. {fix}")


def _narrows(function: ast.FunctionDef) -> bool:
    """Return whether a function asks for the type of a value, such as a more special state."""
    return any(isinstance(n, ast.Name) and n.id == "isinstance" for n in ast.walk(function))


def _is_state(parameter: inspect.Parameter) -> bool:
    # The type variable of states, or its name if annotations are texts.
    annotation = parameter.annotation
    return annotation == "S" or getattr(annotation, "__name__", "") == "S"
