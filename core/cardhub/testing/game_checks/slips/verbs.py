"""Slips in the verbs of actions, apart from others because they need the game's `Actions`.

Cases that no action has, and indexes taken for amounts.
"""

import ast
from collections.abc import Iterator

from cardhub.base.errors.quoting import did_you_mean
from cardhub.model.table.actions import Actions, Amount
from cardhub.testing.game_checks.slips.sources import GameSource, Slip, Source

# The lists of `Actions` from which rules read the verb of an action.
BY_INDEX, BY_VALUE = "verb_and_index", "verb_and_value"


def verb_slips(source: GameSource, actions: Actions) -> Iterator[Slip]:
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


def _unknown_verbs(file: Source, node: ast.Match, verbs: set[str]) -> Iterator[Slip]:
    for verb, line in _cases(node):
        hint = did_you_mean(verb, sorted(verbs))
        # Other actions of a package may have further verbs, but hardly ones that are nearly equal.
        if verb not in verbs and hint:
            yield Slip(file.path, line, f"no action has the verb {verb!r}.{hint}")


def _indexed_amounts(file: Source, node: ast.Match, amounts: set[str]) -> Iterator[Slip]:
    for verb, line in _cases(node):
        if verb in amounts:
            problem = f"verb_and_index counts the amounts of {verb!r} from 0. Read verb_and_value"
            yield Slip(file.path, line, problem)
