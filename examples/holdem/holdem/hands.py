"""The strength of hands: the best five of up to seven cards."""

from collections import Counter
from collections.abc import Mapping, Sequence

from holdem.table import CARDS

RANK, SUIT = CARDS.ints("rank"), CARDS.texts("suit")
ACE, LOW_ACE = 14, 1
LETTERS = {11: "J", 12: "Q", 13: "K", 14: "A"}
# By kind; `{ranks}` are those of most cards, `{others}` those of the second group.
TEXTS = (
    "{rank} high",
    "a pair of {ranks}",
    "two pair, {ranks} and {others}",
    "three {ranks}",
    "a straight to the {rank}",
    "a flush, {rank} high",
    "a full house, {ranks} full of {others}",
    "four {ranks}",
    "a straight flush to the {rank}",
)
NAMES = (
    *("", "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
PLURALS = tuple(f"{name}es" if name == "six" else f"{name}s" for name in NAMES)
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


def text_of(strength: Strength) -> str:
    """Return a hand in words: `a pair of kings`."""
    kind, rank, *others = strength
    second = PLURALS[others[0]] if others else ""
    return TEXTS[kind].format(rank=NAMES[rank], ranks=PLURALS[rank], others=second)


def compared_texts(strengths: Mapping[int, Strength]) -> dict[int, str]:
    """Return the hand of each seat in words, with the ranks that decide between alike hands."""
    texts = {seat: text_of(strength) for seat, strength in strengths.items()}
    alike = {text: {strengths[s] for s in texts if texts[s] == text} for text in texts.values()}
    return {
        seat: text if len(alike[text]) == 1 else f"{text}, with {_kickers(strengths[seat])}"
        for seat, text in texts.items()
    }


def _kickers(strength: Strength) -> str:
    kind, *ranks = strength
    unnamed = ranks[2:] if kind == TWO_PAIRS else ranks[1:]
    return " ".join(LETTERS.get(rank, str(rank)) for rank in unnamed)


def _others(ranks: Sequence[int], used: tuple[int, ...], number: int) -> list[int]:
    return [rank for rank in ranks if rank not in used][:number]
