"""Dealing card by card: the decided faces and backs, and the odds of the undecided ones."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import split_decks
from cardhub.model.table.faces import BLANK
from cardhub.model.table.settings import Settings

# Possible faces or backs of a token, each with its number of cards.
Odds = list[tuple[int, int]]


class PartialDeal(NamedTuple):
    """Face and back of every token, BLANK where undecided.

    An undecided token is one of the cards left in its pool with equal probability:
    `left[pools[token]]` counts them by face. At first, pools are decks; a shuffle adds a pool.
    """

    faces: tuple[int, ...]
    backs: tuple[int, ...]
    pools: tuple[int, ...]
    left: tuple[tuple[int, ...], ...]

    def undecided(self, pool: int) -> list[int]:
        """Return the tokens of a pool with undecided faces."""
        of_pool = zip(self.pools, self.faces, strict=True)
        return [t for t, (home, face) in enumerate(of_pool) if home == pool and face == BLANK]

    def with_back(self, token: int, back: int) -> "PartialDeal":
        """Return a copy with the back of a token decided."""
        return self._replace(backs=_with(self.backs, token, back))

    def with_face(self, token: int, face: int) -> "PartialDeal":
        """Return a copy with the face of a token decided."""
        pool = self.pools[token]
        counts = _with(self.left[pool], face, self.left[pool][face] - 1)
        left = (*self.left[:pool], counts, *self.left[pool + 1 :])
        return self._replace(faces=_with(self.faces, token, face), left=left)


def nothing_dealt(game: Game[Any], settings: Settings, seats: int) -> PartialDeal:
    """Return shuffled decks without any decided token."""
    decks = split_decks(game, settings, seats)
    pools = tuple(pool for pool, deck in enumerate(decks) for _ in deck)
    blank = (BLANK,) * len(pools)
    left = tuple(_counts(deck, len(game.cards.faces)) for deck in decks)
    return PartialDeal(blank, blank, pools, left)


def back_odds(dealt: PartialDeal, token: int, back_of: Sequence[int]) -> Odds:
    """Return the possible backs of an undecided token."""
    pool = dealt.pools[token]
    counts = dict.fromkeys(back_of, 0)
    for back, count in zip(back_of, dealt.left[pool], strict=True):
        counts[back] += count
    # Tokens with a decided back but an undecided face already use up a card of that back.
    for other in dealt.undecided(pool):
        if dealt.backs[other] != BLANK:
            counts[dealt.backs[other]] -= 1
    return sorted((back, count) for back, count in counts.items() if count)


def face_odds(dealt: PartialDeal, token: int, back_of: Sequence[int]) -> Odds:
    """Return the possible faces of an undecided token with a decided back."""
    counts, back = dealt.left[dealt.pools[token]], dealt.backs[token]
    return [(face, n) for face, n in enumerate(counts) if n and back_of[face] == back]


def to_deal_first(dealt: PartialDeal, tokens: Sequence[int]) -> int | None:
    """Return an undecided token whose pool also has tokens outside of `tokens`, if any.

    It has to be decided before `tokens` are shuffled: afterwards its pool would be mixed.
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
    """Return a copy in which these tokens are undecided and form a pool of their own.

    `to_deal_first` must be None for them.
    """
    counts = list(_counts((dealt.faces[t] for t in tokens), len(dealt.left[0])))
    emptied = {dealt.pools[token] for token in tokens if dealt.faces[token] == BLANK}
    # The pools of these tokens are used up completely: `to_deal_first` has seen to it.
    left = list(dealt.left)
    for pool in emptied:
        counts = [here + more for here, more in zip(counts, left[pool], strict=True)]
        left[pool] = (0,) * len(counts)
    faces, backs, pools = list(dealt.faces), list(dealt.backs), list(dealt.pools)
    for token in tokens:
        faces[token], pools[token] = BLANK, len(left)
        if not keeps_backs:
            backs[token] = BLANK
    return PartialDeal(tuple(faces), tuple(backs), tuple(pools), (*left, tuple(counts)))


def _counts(faces: Any, size: int) -> tuple[int, ...]:
    counts = [0] * size
    for face in faces:
        if face != BLANK:
            counts[face] += 1
    return tuple(counts)


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])
