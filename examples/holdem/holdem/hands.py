"""The strength of hands: the best five of up to seven cards."""

from collections import Counter
from collections.abc import Sequence

from holdem.table import CARDS

RANK, SUIT = CARDS.ints("rank"), CARDS.texts("suit")
ACE, LOW_ACE = 14, 1
NAMES = (
    *("high card", "pair", "two pairs", "three of a kind", "straight"),
    *("flush", "full house", "four of a kind", "straight flush"),
)
HIGH, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)

# A kind of hand, and the ranks that decide between hands of this kind.
Strength = tuple[int, ...]


def strength(faces: Sequence[int]) -> Strength:
    """Return the strength of the best five cards; a greater one wins."""
    ranks = sorted((RANK[face] for face in faces), reverse=True)
    suit, number = Counter(SUIT[face] for face in faces).most_common(1)[0]
    if number >= 5:
        flush = sorted((RANK[face] for face in faces if SUIT[face] == suit), reverse=True)
        top = straight(flush)
        if top:
            return (STRAIGHT_FLUSH, top)
    # The ranks that occur most often come first, then the higher ones.
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    (most, first), (second_most, second) = groups[0], groups[1] if groups[1:] else (0, 0)
    if most == 4:
        return (FOUR, first, max(rank for rank in ranks if rank != first))
    if most == 3 and second_most >= 2:
        # Of two threes of a kind, the lower one is a pair.
        return (FULL_HOUSE, first, second)
    if number >= 5:
        return (FLUSH, *flush[:5])
    if top := straight(ranks):
        return (STRAIGHT, top)
    if most == 3:
        return (THREE, first, *_others(ranks, (first,), 2))
    if most == 2 and second_most == 2:
        return (TWO_PAIRS, first, second, *_others(ranks, (first, second), 1))
    return (PAIR, first, *_others(ranks, (first,), 3)) if most == 2 else (HIGH, *ranks[:5])


def straight(ranks: Sequence[int]) -> int:
    """Return the highest rank of the best straight, or 0; an ace is also low."""
    present = {*ranks, LOW_ACE} if ACE in ranks else set(ranks)
    tops = range(ACE, 4, -1)
    return next((top for top in tops if present.issuperset(range(top - 4, top + 1))), 0)


def _others(ranks: Sequence[int], used: tuple[int, ...], number: int) -> list[int]:
    return [rank for rank in ranks if rank not in used][:number]
