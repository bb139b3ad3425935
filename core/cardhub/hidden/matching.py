"""Sharing out faces among tokens where a game rules some of them out."""

from collections.abc import Iterator
from typing import Any

from cardhub.errors import DeterminizationError
from cardhub.game.game import Game
from cardhub.hidden.pairing import assign
from cardhub.table.state import State


def rules_out(game: Game[Any]) -> bool:
    """Return whether the game rules faces out at all."""
    return type(game).allows is not Game.allows


def match(game: Game[Any], state: State, tokens: list[int], pool: list[int]) -> list[int]:
    """Return the faces of a shuffled pool in the order of the tokens, each allowed for its token.

    Faces stay where they fell unless they are ruled out. Raises DeterminizationError if no way of
    sharing them out is allowed.
    """
    allows = game.allows
    if not rules_out(game) or all(
        allows(state, token, face) for token, face in zip(tokens, pool, strict=True)
    ):
        return pool

    def is_allowed(place: int, card: int) -> bool:
        return game.allows(state, tokens[place], pool[card])

    def cards_for(place: int) -> Iterator[int]:
        return (card for card in range(len(pool)) if is_allowed(place, card))

    places = range(len(tokens))
    fallen = [place for place in places if is_allowed(place, place)]
    holder = {place: place for place in fallen}
    stuck = assign(sorted(set(places) - set(fallen)), cards_for, holder)
    if stuck is not None:
        raise DeterminizationError(f"{game.name}: no face is allowed for token {tokens[stuck]}")
    faces = pool[:]
    for card, place in holder.items():
        faces[place] = pool[card]
    return faces
