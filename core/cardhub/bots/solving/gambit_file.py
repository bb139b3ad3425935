"""A game's complete tree in Gambit's extensive-form format, which pygambit and OpenSpiel read.

Chances are fractions, because decimal ones would not sum to 1.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Any

from cardhub.bots.solving.game_tree import MOST_NODES, NodeCounter, Tree, TreeNode
from cardhub.model.hidden.information_text import public_names
from cardhub.model.hidden.observation import Observation

# Payoffs that are not whole are means over a few seats, so small denominators are exact.
MOST_DENOMINATOR = 1_000


def gambit_lines(
    tree: Tree[Any],
    utilities: Callable[[list[int]], Sequence[float]],
    most_nodes: int = MOST_NODES,
    *,
    trims_names: bool = True,
) -> Iterator[str]:
    """Yield the lines of the file: each node before its children, which are in the order of steps.

    `utilities` returns the seats' payoffs for scores. Information sets are named by their
    information states, without spaces at the ends if `trims_names`, because Gambit refuses those.
    Actions with cards are named by tokens, as all players see them. Raises SolvingError if the tree
    has more than `most_nodes` nodes.
    """
    players = " ".join(_quoted(f"Seat {seat}") for seat in range(tree.seats))
    yield f"EFG 2 R {_quoted(tree.game.title)} {{ {players} }}"
    numbers: list[dict[str, int]] = [{} for _ in range(tree.seats)]
    names, counter = public_names(tree.game).actions, NodeCounter(tree, most_nodes)
    outcomes, chances = count(1), count(1)
    nodes: list[TreeNode[Any]] = [tree.root]
    while nodes:
        node = nodes.pop()
        if node.due.kind == "over":
            values = [Fraction(value) for value in utilities(node.scores)]
            payoffs = " ".join(str(v.limit_denominator(MOST_DENOMINATOR)) for v in values)
            yield f't "" {next(outcomes)} "" {{ {payoffs} }}'
        elif node.due.kind == "turn":
            seat = node.state.seat
            text = Observation(tree.game, node.state, seat, node.history).information_text()
            number = numbers[seat].setdefault(text, len(numbers[seat]) + 1)
            label = _quoted(text.strip() if trims_names else text)
            actions = " ".join(_quoted(names[action]) for action, _ in node.odds)
            yield f'p "" {seat + 1} {number} {label} {{ {actions} }} 0'
        else:
            odds = " ".join(f"{_quoted(_outcome(node, s))} {p}" for s, p in node.exact_odds())
            yield f'c "" {next(chances)} "" {{ {odds} }} 0'
        counter.add(len(node.odds))
        nodes += [node.child(step) for step, _ in reversed(node.odds)]


def _outcome(node: TreeNode[Any], step: int) -> str:
    """Return the name of an outcome of chance."""
    names, due = public_names(node.tree.game), node.due
    if due.kind == "face":
        return f"#{due.token} {names.faces[step]}"
    if due.kind == "back":
        return f"#{due.token} {names.unseen[step]}"
    return names.actions[step]


def _quoted(label: str) -> str:
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
