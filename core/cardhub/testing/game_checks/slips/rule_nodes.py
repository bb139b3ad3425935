"""The nodes of a game's source that are rules: without displays, heuristics and texts."""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardhub.model.game.game import Display, Game, Heuristics
from cardhub.testing.game_checks.slips.sources import GameSource, Source, modules_in_use, names_in

# The methods of states, and the condition, that rules use for viewers only.
FOR_VIEWERS, WATCHED = ("pause", "log"), "WATCHED"


def rule_files(game: Game[Any]) -> tuple[list[Source], set[str]]:
    """Return the files of the rules by path, and the names of the classes to leave out."""
    source = GameSource(game)
    shown = [kind for kind in source.kinds if issubclass(kind, Display | Heuristics)]
    ruling = [kind for kind in source.kinds if issubclass(kind, Game)] + source.states
    # A module of the display has no rules, nor has one that only search reads.
    others = {kind.__module__ for kind in shown} - {kind.__module__ for kind in ruling}
    rules = modules_in_use(ruling, others)
    files = [file for file in source.sources if file.module.__name__ in rules]
    return sorted(files, key=lambda file: file.path), {kind.__name__ for kind in shown}


def used_elsewhere(file: Source, files: Sequence[Source]) -> frozenset[str]:
    """Return the names that the other files use."""
    return frozenset[str]().union(*(other.used for other in files if other is not file))


def nodes_without_rules(
    file: Source, shown: Collection[str], elsewhere: Collection[str]
) -> set[int]:
    """Return the ids of the nodes of a file that are not rules.

    These are the classes `shown`, the functions that only they use, annotations, and what viewers
    get. `elsewhere` are the names that other files of the rules use.
    """
    return set(_nodes_without_rules(file.nodes, _names_without_rules(file, shown, elsewhere)))


def _names_without_rules(
    file: Source, shown: Collection[str], elsewhere: Collection[str]
) -> set[str]:
    """Return the classes `shown`, and the functions of the file that only they use."""
    definitions = file.definitions
    uses = {name: used & definitions.keys() for name, used in file.names_in_definitions.items()}
    roots = file.names_outside | {*elsewhere}
    roots |= {name for name, node in definitions.items() if isinstance(node, ast.ClassDef)}
    ruling = _closure((roots & definitions.keys()) - {*shown}, uses, shown)
    return {*shown} | (_closure({*shown} & definitions.keys(), uses, ()) - ruling)


def _closure(names: set[str], uses: Mapping[str, set[str]], without: Collection[str]) -> set[str]:
    """Return names and all that they use, directly or not; those `without` are not looked at."""
    reached, waiting = {*names}, [*names]
    while waiting:
        more = uses[waiting.pop()] - reached - {*without}
        reached |= more
        waiting += more
    return reached


def _nodes_without_rules(nodes: Iterable[ast.AST], shown: Collection[str]) -> Iterator[int]:
    """Yield the nodes without rules: displays, heuristics, annotations and what viewers get."""
    for node in nodes:
        skipped: list[ast.AST] = []
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name in shown:
            skipped = [node]
        elif isinstance(node, ast.ClassDef):
            skipped = [*node.bases, *node.decorator_list]
        elif isinstance(node, ast.FunctionDef):
            skipped = [*node.decorator_list, *filter(None, [node.returns])]
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            skipped = [node.annotation]
        elif isinstance(node, ast.Assert | ast.Raise | ast.JoinedStr) or _is_for_viewers(node):
            skipped = [node]
        elif isinstance(node, ast.If) and WATCHED in names_in(node.test):
            yield id(node)
            skipped = [node.test, *node.body]
        yield from (id(part) for whole in skipped for part in ast.walk(whole))


def _is_for_viewers(node: ast.AST) -> bool:
    """Return whether a statement only shows something to viewers: `state.pause`, `state.log`."""
    call = node.value if isinstance(node, ast.Expr) else None
    is_method = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return is_method and call.func.attr in FOR_VIEWERS  # type: ignore[union-attr]  # a method
