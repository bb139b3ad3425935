"""Combinations of cards, and which of them a hand contains.

Cards are the bits of an int, by strength: the four suits of the threes are the lowest bits.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, product

from big_two.table import RANKS, SUITS
from cardhub import numbers

STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(1, 6)
NAMES = ("", "straight", "flush", "full house", "four of a kind", "straight flush")
SIZES = (1, 2, 3, 5)
RANK_BITS = (1 << len(SUITS)) - 1
SHIFTS = range(0, len(SUITS) * RANKS, len(SUITS))  # by rank, its lowest bit
SUIT = [sum(1 << shift + suit for shift in SHIFTS) for suit in range(len(SUITS))]
BY_BITS = range(RANK_BITS + 1)
# By size and then by the four bits of the cards of a rank, their subsets.
SETS = [
    [list(map(sum, combinations([1 << bit for bit in numbers(bits)], size))) for bits in BY_BITS]
    for size in range(5)
]
KIND = 64  # weight of the kind in a key, above all cards


def key(cards: int) -> int:
    """Return a number that is higher for a better combination of as many cards; 0 for none."""
    # Strength is the number of a bit, so the highest card is the length of the int.
    size, top = cards.bit_count(), cards.bit_length()
    counts = [(cards >> shift & RANK_BITS).bit_count() for shift in SHIFTS]
    ranks = [rank for rank, count in enumerate(counts) if count]
    if size != 5:
        return top if size in SIZES and len(ranks) == 1 else 0
    if len(ranks) == 2:
        # The rank of the four or three decides; two combinations never have the same rank.
        most = max(counts)
        return KIND * (FOUR if most == 4 else FULL_HOUSE) + counts.index(most)
    is_flush = any(cards & suit == cards for suit in SUIT)
    is_straight = len(ranks) == 5 and ranks[-1] - ranks[0] == 4
    kind = STRAIGHT_FLUSH if is_flush and is_straight else FLUSH if is_flush else STRAIGHT
    return KIND * kind + top if is_flush or is_straight else 0


def name(cards: int) -> str:
    """Return the name of a combination."""
    size = cards.bit_count()
    return NAMES[key(cards) // KIND] if size == 5 else ("single card", "pair", "three")[size - 1]


# Search looks at the same hands many times.
@lru_cache(maxsize=1 << 15)
def plays(cards: int, size: int) -> dict[int, int]:
    """Return the combinations of a size that these cards contain, with their keys."""
    if size == 5:
        combinations = chain(_straights(cards), _flushes(cards), _of_ranks(cards))
    else:
        combinations = chain.from_iterable(_same_rank(cards, size))
    return {play: key(play) for play in combinations}


def _same_rank(cards: int, size: int) -> list[list[int]]:
    """Return by rank the sets of `size` cards."""
    sets = SETS[size]
    return [[suits << shift for suits in sets[cards >> shift & RANK_BITS]] for shift in SHIFTS]


def _straights(cards: int) -> Iterator[int]:
    singles = _same_rank(cards, 1)
    for lowest in range(RANKS - 4):
        for cards_of_ranks in product(*singles[lowest : lowest + 5]):
            yield sum(cards_of_ranks)


def _flushes(cards: int) -> Iterator[int]:
    for suit in SUIT:
        yield from map(_union, combinations(numbers(cards & suit), 5))


def _of_ranks(cards: int) -> Iterator[int]:
    """Yield full houses and fours with a fifth card."""
    pairs, fours = _same_rank(cards, 2), _same_rank(cards, 4)
    for rank, threes in enumerate(_same_rank(cards, 3)):
        others = chain.from_iterable(pairs[:rank] + pairs[rank + 1 :])
        yield from (three | pair for three, pair in product(threes, others))
    for four in chain.from_iterable(fours):
        yield from (four | 1 << card for card in numbers(cards & ~four))


def _union(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)
