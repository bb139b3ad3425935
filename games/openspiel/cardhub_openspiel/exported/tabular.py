"""A game's complete tree as an extensive-form game of OpenSpiel."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from cardhub.bots.solving.game_tree import MOST_NODES, NodeCounter, TreeNode
from cardhub_openspiel.exported.pyspiel_game import CardhubGame
from cardhub_openspiel.exported.views import information_state, public_label
from cardhub_openspiel.library import pyspiel


def tabular(game: CardhubGame, most_nodes: int = MOST_NODES) -> Any:
    """Return the same game with its tree expanded: slow to create, then many times faster.

    Chance, returns and information sets are the same as in `game`. Names of information sets end
    with the game's information state strings. Action ids differ. Raises SolvingError if the tree
    has more than `most_nodes` nodes.
    """
    return pyspiel.load_efg_game("\n".join(_lines(game, most_nodes)))


def _lines(game: CardhubGame, most_nodes: int) -> Iterator[str]:
    """Yield the nodes in Gambit's extensive-form format, each before its children."""
    players = " ".join(f'"{seat}"' for seat in range(game.tree.seats))
    yield f'EFG 2 R "{game}" {{ {players} }}'
    numbers: list[dict[str, int]] = [{} for _ in range(game.tree.seats)]
    unique, counter = count(1), NodeCounter(game.tree, most_nodes)
    nodes: list[TreeNode[Any]] = [game.tree.root]
    while nodes:
        node = nodes.pop()
        if node.due.kind == "over":
            payoffs = " ".join(str(value) for value in game.utilities(node.scores))
            yield f't "" {next(unique)} "" {{ {payoffs} }}'
        elif node.due.kind == "turn":
            yield _turn(node, numbers[node.state.seat])
        else:
            odds = " ".join(f'"{outcome}" {chance!r}' for outcome, chance in node.odds)
            yield f'c "" {next(unique)} "" {{ {odds} }} 0'
        counter.add(len(node.odds))
        # Reversed, because the last node is expanded next: children keep the order of their steps.
        nodes += [node.child(step) for step, _ in reversed(node.odds)]


def _turn(node: TreeNode[Any], numbers: dict[str, int]) -> str:
    seat = node.state.seat
    text = information_state(node, seat)
    number = numbers.setdefault(text, len(numbers) + 1)
    actions = " ".join(f'"{public_label(node, action)}"' for action, _ in node.odds)
    return f'p "" {seat + 1} {number} "{text}" {{ {actions} }} 0'
