"""Masks: sets of faces as the bits of an int, and whether tokens with masks can all get a face."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.table.state import State

# The mask of a token that can have any face: all bits are set.
FREE = -1


def possible_faces(game: Game[Any]) -> Callable[[Any, int], int] | None:
    """Return the function that computes a token's mask in a state; None if all faces are allowed.

    That is `possible`, unless a class further down overrides `allows`.
    """
    for kind in type(game).__mro__:
        if kind is Game:
            return None
        if "possible" in vars(kind):
            return game.possible
        if "allows" in vars(kind):
            # The inherited `possible` may ignore this newer `allows`, so use the default one.
            return partial(Game.possible, game)
    return None


def name_of_masks(game: Game[Any]) -> str:
    """Return the name of the method that excludes faces in a game, for messages to its author."""
    return "allows()" if isinstance(possible_faces(game), partial) else "possible()"


def mask_of(game: Game[Any], state: State, token: int) -> int:
    """Return the mask of an unseen token, computed from public information only."""
    possible = possible_faces(game)
    return FREE if possible is None else possible(state, token)


def masks_of(game: Game[Any], state: State, tokens: Sequence[int]) -> list[int]:
    """Return the masks of several unseen tokens."""
    possible = possible_faces(game)
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
    """Yield the faces of a mask in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Violation(NamedTuple):
    """Slots, by index, whose masks together allow only the faces of `mask`: too few copies."""

    slots: list[int]
    mask: int


def find_violation(faces: Iterable[int], masks: Sequence[int]) -> Violation | None:
    """Return a violation of Hall's condition, or None if every slot can get a face of its mask.

    Uses bipartite matching by augmenting paths.
    """
    copies = Counter(faces)
    present = bits_of(copies)
    holders: dict[int, list[int]] = {face: [] for face in copies}

    def assign(slot: int, tried: set[int]) -> bool:
        for face in faces_of(masks[slot] & present):
            if face in tried:
                continue
            tried.add(face)
            held = holders[face]
            if len(held) < copies[face]:
                held.append(slot)
                return True
            for index, other in enumerate(held):
                if assign(other, tried):
                    held[index] = slot
                    return True
        return False

    # Slots with few choices first: they leave the others fewer paths to search.
    for slot in sorted(range(len(masks)), key=lambda slot: (masks[slot] & present).bit_count()):
        tried: set[int] = set()
        if not assign(slot, tried):
            # A failed search has tried only faces whose copies are all held, and has reached their
            # holders as well. With the slot it began with, these are one more than the copies.
            slots = sorted([slot, *(other for face in tried for other in holders[face])])
            return Violation(slots, bits_of(tried))
    return None
