"""Dealing card by card: which faces and backs are decided, and what the others can still be."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardhub.game.game import Game
from cardhub.game.initial_state import split_decks
from cardhub.table.faces import BLANK
from cardhub.table.settings import Settings

Odds = list[tuple[int, int]]
"""What a token can be, and how many cards speak for each."""


class Dealt(NamedTuple):
    """What is decided of every token, BLANK where nothing is yet.

    An undecided token is one of the cards left in its pool, each as likely: `left[pools[token]]`
    counts those by face. The opening pools are the decks; a shuffle makes a new one.
    """

    faces: tuple[int, ...]
    backs: tuple[int, ...]
    pools: tuple[int, ...]
    left: tuple[tuple[int, ...], ...]

    def undecided(self, pool: int) -> list[int]:
        """Return the tokens whose faces are still among the cards of a pool."""
        of_pool = zip(self.pools, self.faces, strict=True)
        return [t for t, (home, face) in enumerate(of_pool) if home == pool and face == BLANK]

    def with_back(self, token: int, back: int) -> "Dealt":
        """Return the same with the back of a token decided."""
        return self._replace(backs=_with(self.backs, token, back))

    def with_face(self, token: int, face: int) -> "Dealt":
        """Return the same with the face of a token decided."""
        pool = self.pools[token]
        counts = _with(self.left[pool], face, self.left[pool][face] - 1)
        left = (*self.left[:pool], counts, *self.left[pool + 1 :])
        return self._replace(faces=_with(self.faces, token, face), left=left)


def nothing_dealt(game: Game[Any], settings: Settings, seats: int) -> Dealt:
    """Return the opening: decks whose order nobody knows."""
    decks = split_decks(game, settings, seats)
    pools = tuple(pool for pool, deck in enumerate(decks) for _ in deck)
    blank = (BLANK,) * len(pools)
    left = tuple(_counts(deck, len(game.cards.faces)) for deck in decks)
    return Dealt(blank, blank, pools, left)


def back_odds(dealt: Dealt, token: int, back_of: Sequence[int]) -> Odds:
    """Return which backs an undecided token can have."""
    pool = dealt.pools[token]
    counts = dict.fromkeys(back_of, 0)
    for back, count in zip(back_of, dealt.left[pool], strict=True):
        counts[back] += count
    for other in dealt.undecided(pool):
        if dealt.backs[other] != BLANK:
            counts[dealt.backs[other]] -= 1
    return sorted((back, count) for back, count in counts.items() if count)


def face_odds(dealt: Dealt, token: int, back_of: Sequence[int]) -> Odds:
    """Return which faces an undecided token, whose back is decided, can have."""
    counts, back = dealt.left[dealt.pools[token]], dealt.backs[token]
    return [(face, n) for face, n in enumerate(counts) if n and back_of[face] == back]


def to_deal_first(dealt: Dealt, tokens: Sequence[int]) -> int | None:
    """Return a token to be decided before these are shuffled: one of cards that lie elsewhere, too.

    None if there is none.
    """
    for token in tokens:
        if dealt.faces[token] == BLANK and not set(dealt.undecided(dealt.pools[token])) <= {
            *tokens
        }:
            return token
    return None


def shuffled_together(dealt: Dealt, tokens: Sequence[int], *, keeps_backs: bool) -> Dealt:
    """Return the same with these tokens undecided, each one of their cards.

    Nothing of them is to be dealt first (`to_deal_first`).
    """
    counts = list(_counts((dealt.faces[t] for t in tokens), len(dealt.left[0])))
    emptied = {dealt.pools[token] for token in tokens if dealt.faces[token] == BLANK}
    left = list(dealt.left)
    for pool in emptied:
        counts = [here + more for here, more in zip(counts, left[pool], strict=True)]
        left[pool] = (0,) * len(counts)
    faces, backs, pools = list(dealt.faces), list(dealt.backs), list(dealt.pools)
    for token in tokens:
        faces[token], pools[token] = BLANK, len(left)
        if not keeps_backs:
            backs[token] = BLANK
    return Dealt(tuple(faces), tuple(backs), tuple(pools), (*left, tuple(counts)))


def _counts(faces: Any, size: int) -> tuple[int, ...]:
    counts = [0] * size
    for face in faces:
        if face != BLANK:
            counts[face] += 1
    return tuple(counts)


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])
