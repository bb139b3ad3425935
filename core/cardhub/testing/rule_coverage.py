"""Coverage of the lines of a game's rules: which statements random games have not run yet."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from cardhub.model.game.game import Game, S
from cardhub.model.hidden.constraints.face_masks import mask_of
from cardhub.model.table.beats import apply_watched
from cardhub.model.table.state import CHANCE, OVER, State
from cardhub.testing.game_checks.slips.rule_nodes import (
    nodes_without_rules,
    rule_files,
    used_elsewhere,
)
from cardhub.testing.game_checks.slips.sources import Source
from cardhub.testing.random_play import Position, deal

# The methods of a game that the core calls for every position.
RULES = ("deal", "legal", "apply", "scores", "chance_weights", "allows", "possible", "plausible")
# Statements that end at the line of their last expression; headings of others always run first.
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Expr, ast.Delete)
# The most lines that a report names.
MOST_LINES = 12

# By path the lines of all statements, each with the first line of its statement.
Statements = dict[str, dict[int, int]]
_OF_KINDS: WeakKeyDictionary[type[Game[Any]], Statements] = WeakKeyDictionary()


class RuleCoverage:
    """The statements of a game's rules that have not run within `watching`.

    `has_news`: a statement has run for the first time since this was last set to False.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.has_news = False
        self._game = game
        self._waiting: Statements | None = None
        self._lines: dict[CodeType, frozenset[int]] = {}
        self._before: Any = None

    @property
    def is_complete(self) -> bool:
        """Whether all statements have run; the sources are read when this is first asked."""
        if self._waiting is None:
            statements = _statements_of(self._game)
            self._waiting = {path: dict(lines) for path, lines in statements.items()}
        return not self._waiting

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note the statements that run in a block; the tracer of a debugger comes back after it."""
        if self.is_complete:
            yield
            return
        before = sys.gettrace()
        sys.settrace(self._on_call)
        try:
            yield
        finally:
            sys.settrace(before)

    def close(self) -> None:
        """Note no more lines, and name none as missing."""
        self._waiting = {}

    def missing(self) -> str:
        """Return the lines of statements that have not run, or an empty text."""
        if self.is_complete or self._waiting == _statements_of(self._game):
            return ""  # without any line that has run, nothing was watched
        parts = []
        for path, lines in (self._waiting or {}).items():
            firsts = sorted(set(lines.values()))
            ranges = [_range(run) for run in _runs(firsts, lines)]
            more = len(ranges) - MOST_LINES
            named = ", ".join([*ranges[:MOST_LINES], *([f"{more} more"] if more > 0 else [])])
            parts.append(f"{'/'.join(Path(path).parts[-2:])}:{named}")
        return "; ".join(parts)

    def _on_call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        waiting = (self._waiting or {}).get(code.co_filename)
        if not waiting:
            return None
        lines = self._lines.get(code)
        if lines is None:
            numbers = (line for _, _, line in code.co_lines() if line is not None)
            lines = self._lines[code] = frozenset(numbers)
        return None if lines.isdisjoint(waiting) else self._on_line

    def _on_line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event != "line":
            return self._on_line
        path, waiting = frame.f_code.co_filename, self._waiting or {}
        first = waiting.get(path, {}).get(frame.f_lineno)
        if first is not None:
            self.has_news = True
            rest = {line: start for line, start in waiting[path].items() if start != first}
            if rest:
                waiting[path] = rest
            else:
                del waiting[path]
        return self._on_line


def watch_rules(game: Game[S], position: Position[S], rules: RuleCoverage) -> None:
    """Run the rules that led to a position, and that the core calls there."""
    if rules.is_complete:
        return
    state = position.state
    with rules.watching(), suppress(Exception):  # other checks report errors of the rules
        if position.before is None:
            deal(game, position.trial)
        else:
            action = position.steps[position.number - 1].action
            apply_watched(game, position.before.clone(), action)
        game.scores(state)
        if state.seat != OVER:
            game.legal(state)
        if state.seat == CHANCE:
            game.chance_weights(state)
        if state.back:
            mask_of(game, state, position.number % len(state.back))
        game.plausible(state.clone())


def _statements_of(game: Game[Any]) -> Statements:
    kind = type(game)
    if kind not in _OF_KINDS:
        _OF_KINDS[kind] = _find_statements(game)
    return _OF_KINDS[kind]


def _find_statements(game: Game[Any]) -> Statements:
    """Return the statements of the methods in RULES, and of all that these may call."""
    files, shown = rule_files(game)
    own = (*type(game).__mro__, *game.state_type.__mro__)
    without = {
        file.path: nodes_without_rules(file, shown, used_elsewhere(file, files)) for file in files
    }
    definitions = defaultdict[str, list[tuple[Source, ast.AST]]](list)
    for file in files:
        skipped = without[file.path] | _nodes_of_others(file, own)
        for name, node in _definitions_in(file, skipped):
            definitions[name].append((file, node))
    reached, waiting = {*RULES}, [*RULES]
    while waiting:
        nodes = [node for _, node in definitions[waiting.pop()]]
        more = {name for node in nodes for name in _names_in(node)} & definitions.keys() - reached
        reached |= more
        waiting += more
    statements: Statements = {}
    for name in reached:
        for file, node in definitions[name]:
            if isinstance(node, ast.FunctionDef):
                lines = statements.setdefault(file.path, {})
                for statement in _statements_in(node, without[file.path]):
                    last = statement.end_lineno or statement.lineno
                    lines |= dict.fromkeys(range(statement.lineno, last + 1), statement.lineno)
    return {path: lines for path, lines in sorted(statements.items()) if lines}


def _definitions_in(file: Source, without: set[int]) -> Iterator[tuple[str, ast.AST]]:
    """Yield the functions of a file, and the values of its module by name."""
    for node in file.nodes:
        # A cached function runs once in a process, so its lines do not depend on the game.
        if isinstance(node, ast.FunctionDef) and id(node) not in without and not _is_cached(node):
            yield node.name, node
    for node in file.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        yield from ((part.id, node) for part in targets if isinstance(part, ast.Name))


def _nodes_of_others(file: Source, lines: Sequence[type]) -> set[int]:
    """Return the ids of the nodes of other games, and of methods that a derived class replaces.

    `lines`: the classes of the game and of its state, with their bases.
    """
    others: list[ast.AST] = []
    for node in file.tree.body:
        kind = vars(file.module).get(node.name) if isinstance(node, ast.ClassDef) else None
        if isinstance(kind, type) and issubclass(kind, Game | State):
            methods = (part for part in ast.iter_child_nodes(node))
            others += (
                [node]
                if kind not in lines
                else [
                    method
                    for method in methods
                    if isinstance(method, ast.FunctionDef)
                    and _is_replaced(method.name, kind, lines)
                ]
            )
    return {id(part) for node in others for part in ast.walk(node)}


def _is_replaced(name: str, kind: type, lines: Sequence[type]) -> bool:
    """Return whether a derived class has a method of the same name that does not call `super`."""
    for other in lines:
        if other is kind:
            return False
        method = vars(other).get(name)
        if issubclass(other, kind) and isinstance(method, FunctionType):
            return "super" not in method.__code__.co_names
    return False


def _is_cached(function: ast.FunctionDef) -> bool:
    return any("cache" in ast.unparse(decorator) for decorator in function.decorator_list)


def _names_in(node: ast.AST) -> set[str]:
    """Return the names that a definition uses, without what runs while its module is imported."""
    parts = list(ast.walk(node))
    names = {part.attr for part in parts if isinstance(part, ast.Attribute)}
    names |= {part.id for part in parts if isinstance(part, ast.Name)}
    if isinstance(node, ast.FunctionDef):
        return names
    calls = (part.func for part in parts if isinstance(part, ast.Call))
    return names - {call.id for call in calls if isinstance(call, ast.Name)}


def _statements_in(function: ast.FunctionDef, without: set[int]) -> Iterator[ast.stmt]:
    for node in ast.walk(function):
        is_simple = isinstance(node, SIMPLE) and id(node) not in without
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_simple and not is_text and isinstance(node, ast.stmt):
            yield node


def _runs(firsts: list[int], lines: dict[int, int]) -> Iterator[list[int]]:
    """Yield runs of lines between which there is no line of a statement that has run."""
    every = sorted(lines)
    for _, run in groupby(enumerate(every), lambda pair: pair[1] - pair[0]):
        numbers = [line for _, line in run]
        if not set(numbers).isdisjoint(firsts):
            yield numbers


def _range(lines: list[int]) -> str:
    return str(lines[0]) if len(lines) == 1 else f"{lines[0]}–{lines[-1]}"
