"""Deals card by card: decided faces and backs, and the odds of undecided ones."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import split_decks
from cardhub.model.table.faces import BLANK
from cardhub.model.table.settings import Settings

# The possible faces or backs of a token, each with its number of cards.
Odds = list[tuple[int, int]]


class PartialDeal(NamedTuple):
    """The face and back of every token; BLANK if undecided.

    An undecided token is each of the remaining cards of its pool with equal probability:
    `remaining[pools[token]]` counts them by face. At the start, pools are decks; a shuffle adds a
    pool.
    """

    faces: tuple[int, ...]
    backs: tuple[int, ...]
    pools: tuple[int, ...]
    remaining: tuple[tuple[int, ...], ...]

    def undecided(self, pool: int) -> list[int]:
        """Return the tokens of a pool with undecided faces."""
        of_pool = zip(self.pools, self.faces, strict=True)
        return [t for t, (home, face) in enumerate(of_pool) if home == pool and face == BLANK]

    def with_back(self, token: int, back: int) -> "PartialDeal":
        """Return a copy in which the back of a token is decided."""
        return self._replace(backs=_with(self.backs, token, back))

    def with_face(self, token: int, face: int) -> "PartialDeal":
        """Return a copy in which the face of a token is decided."""
        pool = self.pools[token]
        counts = _with(self.remaining[pool], face, self.remaining[pool][face] - 1)
        remaining = (*self.remaining[:pool], counts, *self.remaining[pool + 1 :])
        return self._replace(faces=_with(self.faces, token, face), remaining=remaining)


def nothing_dealt(game: Game[Any], settings: Settings, seats: int) -> PartialDeal:
    """Return shuffled decks in which all tokens are undecided."""
    decks = split_decks(game, settings, seats)
    pools = tuple(pool for pool, deck in enumerate(decks) for _ in deck)
    blank = (BLANK,) * len(pools)
    remaining = tuple(_counts(deck, len(game.cards.faces)) for deck in decks)
    return PartialDeal(blank, blank, pools, remaining)


def back_odds(dealt: PartialDeal, token: int, back_of: Sequence[int]) -> Odds:
    """Return the possible backs of an undecided token."""
    pool = dealt.pools[token]
    counts = dict.fromkeys(back_of, 0)
    for back, count in zip(back_of, dealt.remaining[pool], strict=True):
        counts[back] += count
    # Each token with a decided back and an undecided face uses up a card with that back.
    for other in dealt.undecided(pool):
        if dealt.backs[other] != BLANK:
            counts[dealt.backs[other]] -= 1
    return sorted((back, count) for back, count in counts.items() if count)


def face_odds(dealt: PartialDeal, token: int, back_of: Sequence[int]) -> Odds:
    """Return the possible faces of an undecided token with a decided back."""
    counts, back = dealt.remaining[dealt.pools[token]], dealt.backs[token]
    return [(face, n) for face, n in enumerate(counts) if n and back_of[face] == back]


def to_deal_first(dealt: PartialDeal, tokens: Sequence[int]) -> int | None:
    """Return an undecided token whose pool also has tokens outside of `tokens`, or None.

    It must be decided before `tokens` are shuffled, because the shuffle would mix its pool.
    """
    for token in tokens:
        if dealt.faces[token] == BLANK and not set(dealt.undecided(dealt.pools[token])) <= {
            *tokens
        }:
            return token
    return None


def shuffled_together(
    dealt: PartialDeal, tokens: Sequence[int], *, keeps_backs: bool
) -> PartialDeal:
    """Return a copy in which these tokens are undecided and form a new pool.

    `to_deal_first` must return None for them.
    """
    counts = list(_counts((dealt.faces[t] for t in tokens), len(dealt.remaining[0])))
    emptied = {dealt.pools[token] for token in tokens if dealt.faces[token] == BLANK}
    # `to_deal_first` guarantees that the pools of these tokens are used up completely.
    remaining = list(dealt.remaining)
    for pool in emptied:
        counts = [count + more for count, more in zip(counts, remaining[pool], strict=True)]
        remaining[pool] = (0,) * len(counts)
    faces, backs, pools = list(dealt.faces), list(dealt.backs), list(dealt.pools)
    for token in tokens:
        faces[token], pools[token] = BLANK, len(remaining)
        if not keeps_backs:
            backs[token] = BLANK
    return PartialDeal(tuple(faces), tuple(backs), tuple(pools), (*remaining, tuple(counts)))


def _counts(faces: Any, size: int) -> tuple[int, ...]:
    counts = [0] * size
    for face in faces:
        if face != BLANK:
            counts[face] += 1
    return tuple(counts)


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])
