"""Sharing out faces among tokens where a game rules some of them out."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cardhub.errors import DeterminizationError
from cardhub.game.game import Game
from cardhub.hidden.pairing import assign
from cardhub.table.state import State


def rules_out(game: Game[Any]) -> bool:
    """Return whether the game rules faces out at all."""
    return type(game).allows is not Game.allows


Barred = frozenset[int]
"""The faces that a game rules out for a token."""


class Rulings:
    """What a game rules out for the unseen tokens of one observation; asked once for each token.

    `allows` judges by what is public, so its answers hold for all determinizations.
    """

    __slots__ = ("_barred", "_game", "_state")

    def __init__(self, game: Game[Any], state: State) -> None:
        self._game = game
        self._state = state
        self._barred: dict[int, Barred] = {}

    def barred(self, tokens: Iterable[int]) -> list[Barred]:
        """Return the faces of its back ruled out for each token; an empty list if none is."""
        if not rules_out(self._game):
            return []
        barred = [self._of(token) for token in tokens]
        return barred if any(barred) else []

    def _of(self, token: int) -> Barred:
        barred = self._barred.get(token)
        if barred is None:
            game, state = self._game, self._state
            alike = (f for f, back in enumerate(game.cards.back_of) if back == state.back[token])
            barred = frozenset(face for face in alike if not game.allows(state, token, face))
            self._barred[token] = barred
        return barred


def match(name: str, barred: Sequence[Barred], pool: list[int]) -> list[int]:
    """Return the faces of a shuffled pool, none in a place for which it is barred.

    `barred` goes by place, or is empty if nothing is. Faces stay where they fell unless they are
    ruled out. Raises DeterminizationError, naming the game, if no way of sharing them out is left.
    """
    if not any(face in faces for face, faces in zip(pool, barred, strict=False)):
        return pool

    def cards_for(place: int) -> Iterator[int]:
        return (card for card, face in enumerate(pool) if face not in barred[place])

    places = range(len(pool))
    fallen = [place for place in places if pool[place] not in barred[place]]
    holder = {place: place for place in fallen}
    stuck = assign(sorted(set(places) - set(fallen)), cards_for, holder)
    if stuck is not None:
        raise DeterminizationError(f"{name}: a hidden card cannot be any of those missing")
    faces = pool[:]
    for card, place in holder.items():
        faces[place] = pool[card]
    return faces
