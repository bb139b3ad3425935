"""Shuffling a list with a generator, in less time than `Random.shuffle`."""

from random import Random
from typing import Any


def shuffle(items: list[Any], rng: Random) -> None:
    """Shuffle a list in place; the result is that of `rng.shuffle`."""
    if type(rng) is not Random:
        rng.shuffle(items)  # it may have other ways to draw
        return
    # The algorithm of `Random.shuffle`, without a call of `_randbelow` for each item: Fisher and
    # Yates from the end, and numbers with enough bits are drawn until one is in range.
    bits = rng.getrandbits
    for last in range(len(items) - 1, 0, -1):
        width = (last + 1).bit_length()
        other = bits(width)
        while other > last:
            other = bits(width)
        items[last], items[other] = items[other], items[last]
