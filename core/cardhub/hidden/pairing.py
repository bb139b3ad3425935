"""Pairing things with what fits them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random


def assign(
    keys: Iterable[int], choices: Callable[[int], Iterable[int]], holder: dict[int, int]
) -> int | None:
    """Give every key one of its choices, no two the same, by filling `holder` (choice to key).

    Keys that hold something may be moved to another of their choices where that makes room. Returns
    the first key for which there is no way, None if all are served.
    """

    def place(key: int, tried: set[int]) -> bool:
        for choice in choices(key):
            if choice not in tried:
                tried.add(choice)
                if choice not in holder or place(holder[choice], tried):
                    holder[choice] = key
                    return True
        return False

    return next((key for key in keys if not place(key, set())), None)


def pair(choices: Mapping[int, Sequence[int]], rng: Random) -> dict[int, int] | None:
    """Return one of its choices for every key, no two the same, at random; None if impossible."""
    shuffled = {key: rng.sample(fits, len(fits)) for key, fits in choices.items()}
    holder: dict[int, int] = {}
    keys = rng.sample(list(shuffled), len(shuffled))
    if assign(keys, shuffled.__getitem__, holder) is not None:
        return None
    return {key: choice for choice, key in holder.items()}
