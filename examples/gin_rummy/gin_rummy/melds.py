"""Melds and deadwood; a set of cards is an int with a bit for each face."""

from functools import lru_cache
from itertools import chain

from cardhub import numbers
from gin_rummy.cards import CARDS, RANKS, SUITS, VALUE

SUIT_STARTS = [RANKS * suit for suit in range(len(SUITS))]
SUIT_BITS = (1 << RANKS) - 1
RUN_LENGTHS = (3, 4, 5)  # a longer run is laid as two


def _sets(rank: int) -> list[int]:
    # The four sets of three in the order of the suit that they lack, then the set of four.
    every = [1 << start + rank for start in SUIT_STARTS]
    return [sum(every) - card for card in every] + [sum(every)]


def _runs(length: int) -> list[int]:
    # Of one suit.
    return [((1 << length) - 1) << lowest for lowest in range(RANKS - length + 1)]


SETS = [_sets(rank) for rank in range(RANKS)]
RUNS = [run << start for length in RUN_LENGTHS for start in SUIT_STARTS for run in _runs(length)]
MELDS = [*chain.from_iterable(SETS), *RUNS]
# By the 13 bits of the cards of a suit: their runs, and their points as deadwood.
ANY_RUNS = [run for length in RUN_LENGTHS for run in _runs(length)]
SUIT_RUNS = [[run for run in ANY_RUNS if run & bits == run] for bits in range(1 << RANKS)]
SUIT_VALUE = [sum(VALUE[rank] for rank in numbers(bits)) for bits in range(1 << RANKS)]


def meld_name(meld: int) -> str:
    """Return a meld in the notation of records: 5H-7H, 8SCD."""
    return _joined(meld, [CARDS.faces[face].name for face in numbers(meld)])


def meld_label(meld: int) -> str:
    """Return a meld as people see it: 5♥-7♥, 8♠♣♦."""
    return _joined(meld, [CARDS.faces[face].label for face in numbers(meld)])


def _joined(meld: int, cards: list[str]) -> str:
    first, *others = cards
    return f"{first}-{others[-1]}" if is_run(meld) else first + "".join(o[-1] for o in others)


def is_run(meld: int) -> bool:
    """Return whether a meld is a run, not a set."""
    return meld & meld >> 1 != 0


def value(cards: int) -> int:
    """Return the points of cards as deadwood."""
    return sum([SUIT_VALUE[cards >> start & SUIT_BITS] for start in SUIT_STARTS])


def melds_in(cards: int) -> list[int]:
    """Return all melds that these cards contain."""
    a, b, c, d = suits = [cards >> start & SUIT_BITS for start in SUIT_STARTS]
    melds = []
    for start, suit in zip(SUIT_STARTS, suits, strict=True):
        melds += [run << start for run in SUIT_RUNS[suit]]
    # Most hands contain no set; these bits show it: the ranks of three suits at least.
    for rank in numbers(a & b & (c | d) | c & d & (a | b)):
        melds += [meld for meld in SETS[rank] if meld & cards == meld]
    return melds


# Search looks at the same hands many times.
@lru_cache(maxsize=1 << 17)
def melded(cards: int) -> int:
    """Return the highest value of disjoint melds that these cards contain."""
    return max((value(meld) + melded(cards ^ meld) for meld in melds_in(cards)), default=0)


def deadwood(cards: int) -> int:
    """Return the least deadwood of these cards."""
    return value(cards) - melded(cards)


@lru_cache(maxsize=1 << 17)
def deadwood_without(cards: int) -> dict[int, int]:
    """Return by face, for each of these cards, the least deadwood of the others."""
    in_melds, left = 0, deadwood(cards)
    for meld in melds_in(cards):
        in_melds |= meld
    return {
        # Without a card outside all melds, the melds stay the same.
        face: deadwood(cards ^ 1 << face) if in_melds >> face & 1 else left - VALUE[face]
        for face in numbers(cards)
    }


def extensions(meld: int) -> int:
    """Return the faces that can be laid off on a meld, as bits."""
    lowest, highest = (meld & -meld).bit_length() - 1, meld.bit_length() - 1
    if not is_run(meld):
        return sum(1 << start + lowest % RANKS for start in SUIT_STARTS) ^ meld
    before = meld >> 1 if lowest % RANKS else 0
    after = meld << 1 if highest % RANKS < RANKS - 1 else 0
    return (before | after) & ~meld
