"""Which faces are in play but not seen."""

from typing import Any

from cardhub.game.game import Game
from cardhub.table.faces import BLANK
from cardhub.table.state import State


def missing(game: Game[Any], state: State, known: list[int]) -> list[list[int]]:
    """Return, by back, the faces in play that are not among the known ones."""
    left = [0] * len(game.cards.faces)
    for face in game.pack(state.settings, state.seats):
        left[face] += 1
    for face in known:
        if face != BLANK:
            left[face] -= 1
    pools: list[list[int]] = [[] for _ in game.cards.backs]
    for face, count in enumerate(left):
        pools[game.cards.back_of[face]] += [face] * count
    return pools
