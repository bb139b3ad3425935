"""A game's whole tree as a table that OpenSpiel keeps and runs by itself."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from cardhub.adapters.openspiel.games import CardhubGame
from cardhub.adapters.openspiel.positions import Position
from cardhub.adapters.openspiel.views import in_any_words, information_state
from cardhub.adapters.openspiel_library import pyspiel


def tabular(game: CardhubGame) -> Any:
    """Return the same game with its tree written out: slow to make, then many times faster.

    For games as small as Leduc poker. Chance, returns and information sets are those of `game`, and
    the names of information sets end with what it calls them; actions have other numbers.
    """
    return pyspiel.load_efg_game("\n".join(_lines(game)))


def _lines(game: CardhubGame) -> Iterator[str]:
    """Yield the tree as the extensive-form format of Gambit writes it, each node before its own."""
    players = " ".join(f'"{seat}"' for seat in range(game.tree.seats))
    yield f'EFG 2 R "{game}" {{ {players} }}'
    numbers: list[dict[str, int]] = [{} for _ in range(game.tree.seats)]
    unique = count(1)
    nodes: list[Position[Any]] = [game.tree.root]
    while nodes:
        node = nodes.pop()
        if node.due.kind == "over":
            worth = " ".join(str(value) for value in game.worth(node.scores))
            yield f't "" {next(unique)} "" {{ {worth} }}'
        elif node.due.kind == "turn":
            yield _turn(node, numbers[node.state.seat])
        else:
            odds = " ".join(f'"{outcome}" {chance!r}' for outcome, chance in node.odds)
            yield f'c "" {next(unique)} "" {{ {odds} }} 0'
        nodes += [node.child(step) for step, _ in reversed(node.odds)]


def _turn(node: Position[Any], numbers: dict[str, int]) -> str:
    seat = node.state.seat
    known = information_state(node, seat)
    number = numbers.setdefault(known, len(numbers) + 1)
    actions = " ".join(f'"{in_any_words(node, action)}"' for action, _ in node.odds)
    return f'p "" {seat + 1} {number} "{known}" {{ {actions} }} 0'
