"""Masks: the faces a token can bear, as the bits of an int."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from cardhub.game.game import Game
from cardhub.table.state import State

FREE = -1
"""The mask of a token that can bear any face: all bits are set."""


def hook(game: Game[Any]) -> Callable[[Any, int], int] | None:
    """Return what gives the mask of a token in a state; None if the game rules nothing out.

    That is `possible`, unless a class derived later overrides `allows`.
    """
    for kind in type(game).__mro__:
        if kind is Game:
            return None
        if "possible" in vars(kind):
            return game.possible
        if "allows" in vars(kind):
            return partial(Game.possible, game)
    return None


def mask_of(game: Game[Any], state: State, token: int) -> int:
    """Return the faces that an unseen token could bear, as far as the game rules any out."""
    possible = hook(game)
    return FREE if possible is None else possible(state, token)


def masks_of(game: Game[Any], state: State, tokens: Sequence[int]) -> list[int]:
    """Return the mask of each token in a state; only what is public may decide it."""
    possible = hook(game)
    if possible is None:
        return [FREE] * len(tokens)
    return [possible(state, token) for token in tokens]


def bits_of(faces: Iterable[int]) -> int:
    """Return a set of faces as a mask."""
    mask = 0
    for face in faces:
        mask |= 1 << face
    return mask


def faces_of(mask: int) -> Iterator[int]:
    """Yield the faces of a mask, in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
