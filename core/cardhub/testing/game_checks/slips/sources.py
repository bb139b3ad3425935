"""The source of a game: its classes, its files, and the functions that get a state."""

import ast
import inspect
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from cardhub.model.game.game import Display, Game, Heuristics
from cardhub.model.table.state import State

CONTRACT: tuple[type, ...] = (Game, Heuristics, Display)
# Where the slips of a class are: the classes of the core have none.
CORE = "cardhub"
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
# The number of parsed files that are kept: more than most packages of games have.
KEPT_SOURCES = 32


class Source:
    """A file of a game, its syntax tree, and the names that it uses."""

    def __init__(self, path: str, tree: ast.Module, module: ModuleType) -> None:
        self.path = path
        self.tree = tree
        self.module = module
        self.nodes = list(ast.walk(tree))
        self.used = frozenset(
            node.attr if isinstance(node, ast.Attribute) else node.id
            for node in self.nodes
            if isinstance(node, ast.Attribute | ast.Name)
        )
        self.stored = frozenset(
            node.attr
            for node in self.nodes
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        )

    @cached_property
    def definitions(self) -> dict[str, ast.FunctionDef | ast.ClassDef]:
        """The functions and classes of the module by name."""
        return {
            node.name: node
            for node in self.tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }

    @cached_property
    def names_in_definitions(self) -> dict[str, set[str]]:
        """The names that each definition uses."""
        return {name: names_in(node) for name, node in self.definitions.items()}

    @cached_property
    def names_outside(self) -> set[str]:
        """The names that the statements of the module other than its definitions use."""
        definitions = self.definitions.values()
        rest = [node for node in self.tree.body if node not in definitions]
        return {name for node in rest for name in names_in(node)}


class Method(NamedTuple):
    """A function of a file, the class of the game that has it, and its parameters for states."""

    source: Source
    node: ast.FunctionDef
    kind: type | None
    states: frozenset[str]


class GameSource:
    """The classes of a game that are not the core's, and the files of its package that they use."""

    def __init__(self, game: Game[Any]) -> None:
        self.state_type: type[State] = game.state_type
        parts = (type(game), type(game.heuristics), type(game.display))
        self.kinds = list(dict.fromkeys(kind for part in parts for kind in own_classes(part)))
        self.states = list(own_classes(game.state_type))
        modules = map(sys.modules.get, modules_in_use((*self.kinds, *self.states)))
        by_path = {getattr(module, "__file__", None) or "": module for module in modules if module}
        read = (_read(path, module) for path, module in by_path.items() if path.endswith(".py"))
        self.sources = [source for source in read if source]

    @cached_property
    def used(self) -> frozenset[str]:
        """All names that the files use."""
        return frozenset[str]().union(*(source.used for source in self.sources))

    @cached_property
    def stored(self) -> frozenset[str]:
        """The names of all attributes that the files assign."""
        return frozenset[str]().union(*(source.stored for source in self.sources))

    @cached_property
    def methods(self) -> list[Method]:
        """The functions of the files; of other games' classes there are none."""
        return [method for source in self.sources for method in self._methods_in(source)]

    def _methods_in(self, source: Source) -> Iterator[Method]:
        names = self._state_names(source)
        places: list[tuple[ast.AST, type | None]] = [(source.tree, None)]
        places += class_nodes(source, self.kinds)
        for place, kind in places:
            for node in ast.iter_child_nodes(place):
                if isinstance(node, ast.FunctionDef):
                    yield Method(source, node, kind, _states(node, kind, names))

    def _state_names(self, source: Source) -> set[str]:
        """Return the names that the classes of states have in a file."""
        names = {kind.__name__: kind for kind in self.states}
        if any(path_of(kind) == source.path for kind in self.states):
            return set(names)
        # Another game of the package may have a class of the same name.
        return {name for name, kind in names.items() if vars(source.module).get(name) is kind}


def modules_in_use(kinds: Iterable[type], without: Collection[str] = ()) -> list[str]:
    """Return the modules of classes, and the modules of their package that these use.

    The modules `without` are not looked at.
    """
    names = list(dict.fromkeys(kind.__module__ for kind in kinds))
    reached = dict.fromkeys(names)
    while names:
        module = sys.modules.get(names.pop())
        package = module.__name__.partition(".")[0] + "." if module else ""
        for name in _modules_used_by(module) if module else ():
            if name.startswith(package) and name not in reached and name not in without:
                reached[name] = None
                names.append(name)
    return list(reached)


def own_classes(kind: type) -> Iterator[type]:
    """Yield the classes of a class's MRO whose source is not the core's."""
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] not in (CORE, "builtins", "abc", "typing"):
            yield base


def path_of(kind: type) -> str:
    """Return the path of the file of a class; empty if it has none."""
    try:
        return inspect.getfile(kind)
    except (OSError, TypeError):  # made without a file
        return ""


def contract_of(kind: type) -> type | None:
    """Return the class of the core whose methods a class defines."""
    return next((part for part in CONTRACT if issubclass(kind, part)), None)


def class_nodes(source: Source, kinds: Sequence[type]) -> Iterator[tuple[ast.ClassDef, type]]:
    """Yield the classes of a file that are among `kinds`."""
    by_name = {kind.__qualname__: kind for kind in kinds if path_of(kind) == source.path}
    for node in source.nodes:
        if isinstance(node, ast.ClassDef) and node.name in by_name:
            yield node, by_name[node.name]


def functions_of(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """Yield the methods that a class defines in its own file."""
    for name, value in vars(kind).items():
        if isinstance(value, FunctionType) and value.__code__.co_filename == path_of(kind):
            yield name, value


def names_in(node: ast.AST) -> set[str]:
    """Return the names that a node uses."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without the functions and classes in it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
            yield node
            yield from own_nodes(node)


def _modules_used_by(module: ModuleType) -> Iterator[str]:
    for value in vars(module).values():
        if isinstance(value, ModuleType):
            yield value.__name__
        elif isinstance(value, type | FunctionType):
            yield value.__module__


def _read(path: str, module: ModuleType) -> Source | None:
    try:
        return _parsed(path, Path(path).read_text("utf-8"), module)
    except (OSError, SyntaxError, UnicodeDecodeError):  # a compiled module
        return None


@lru_cache(maxsize=KEPT_SOURCES)
def _parsed(path: str, text: str, module: ModuleType) -> Source:
    """Return a file with its syntax tree, which several checks of several games look at."""
    return Source(path, ast.parse(text), module)


def _states(function: ast.FunctionDef, kind: type | None, names: set[str]) -> frozenset[str]:
    """Return the parameters that are states, by their annotation or the contract."""
    positional = [*function.args.posonlyargs, *function.args.args]
    states = {
        argument.arg
        for argument in positional
        if argument.annotation and ast.unparse(argument.annotation).strip("'\"") in names
    }
    part = contract_of(kind) if kind else None
    declared = vars(part).get(function.name) if part else None
    if inspect.isfunction(declared):
        pairs = zip(positional, inspect.signature(declared).parameters.values(), strict=False)
        states |= {mine.arg for mine, its in pairs if _is_state(its)}
    assigned = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return frozenset(states - assigned)


def _is_state(parameter: inspect.Parameter) -> bool:
    # The type variable of states, or its name if annotations are texts.
    annotation = parameter.annotation
    return annotation == "S" or getattr(annotation, "__name__", "") == "S"
