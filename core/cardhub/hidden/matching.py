"""Sharing out faces among tokens where a game rules some of them out."""

from typing import Any

from cardhub.errors import DeterminizationError
from cardhub.game.game import Game
from cardhub.table.state import State


def match(game: Game[Any], state: State, tokens: list[int], pool: list[int]) -> list[int]:
    """Return the faces of a shuffled pool in the order of the tokens, each allowed for its token.

    Faces stay where they fell unless they are ruled out. Raises DeterminizationError if no way of
    sharing them out is allowed.
    """

    def is_allowed(place: int, card: int) -> bool:
        return game.allows(state, tokens[place], pool[card])

    def find(place: int, tried: set[int]) -> bool:
        """Give `place` a card, moving other places to other cards where that makes room."""
        for card in range(len(pool)):
            if card not in tried and is_allowed(place, card):
                tried.add(card)
                if card not in holder or find(holder[card], tried):
                    holder[card] = place
                    return True
        return False

    fallen = [place for place in range(len(tokens)) if is_allowed(place, place)]
    holder = {place: place for place in fallen}
    for place in sorted(set(range(len(tokens))) - set(fallen)):
        if not find(place, set()):
            raise DeterminizationError(f"{game.name}: no face is allowed for token {tokens[place]}")
    faces = pool[:]
    for card, place in holder.items():
        faces[place] = pool[card]
    return faces
