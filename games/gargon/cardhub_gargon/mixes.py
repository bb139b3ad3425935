"""Mixes: how many colours, and whether one of them twice.

Colours are bits of a mask. What a player has is told by two masks: the colours held at least once
and those held at least twice.
"""

from collections.abc import Iterable, Sequence
from functools import cache


def count_colours(tokens: Iterable[int], back: Sequence[int]) -> tuple[int, int]:
    """Return the masks of the colours that occur at all and at least twice."""
    once = twice = 0
    for token in tokens:
        colour = 1 << back[token]
        twice |= once & colour
        once |= colour
    return once, twice


@cache
def colours_to_lay(colours: int, pair: bool, laid: tuple[int, int], held: tuple[int, int]) -> int:
    """Return the mask of the colours whose laying still lets the mix be finished.

    The mix has `colours` colours, one of them twice if `pair`; `laid` and `held` are masks as from
    `count_colours`.
    """
    mask = 0
    for colour in range(held[0].bit_length()):
        bit = 1 << colour
        if held[0] & bit and _leads_to(colours, pair, laid, held, bit):
            mask |= bit
    return mask


def _leads_to(
    colours: int, pair: bool, laid: tuple[int, int], held: tuple[int, int], bit: int
) -> bool:
    needs_pair = pair and not laid[1]
    missing = colours - laid[0].bit_count()
    if laid[0] & bit:
        return needs_pair and (held[0] & ~laid[0]).bit_count() >= missing
    others = held[0] & ~laid[0] & ~bit
    if missing < 1 or others.bit_count() < missing - 1:
        return False
    return not needs_pair or bool(
        held[0] & laid[0] or held[1] & bit or (missing > 1 and held[1] & others)
    )
