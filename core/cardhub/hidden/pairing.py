"""Pairing things with what fits them, at random."""

from collections.abc import Mapping, Sequence
from random import Random


def pair(choices: Mapping[int, Sequence[int]], rng: Random) -> dict[int, int] | None:
    """Return one of its choices for every key, no two the same; None if there is no such way."""
    shuffled = {key: rng.sample(fits, len(fits)) for key, fits in choices.items()}
    holder: dict[int, int] = {}

    def place(key: int, tried: set[int]) -> bool:
        """Give `key` a choice, moving other keys where that makes room."""
        for choice in shuffled[key]:
            if choice not in tried:
                tried.add(choice)
                if choice not in holder or place(holder[choice], tried):
                    holder[choice] = key
                    return True
        return False

    for key in rng.sample(list(shuffled), len(shuffled)):
        if not place(key, set()):
            return None
    return {key: choice for choice, key in holder.items()}
