"""Determinizing what shuffles have mixed up: every card's way through the tokens it has been."""

from random import Random
from typing import Any

from cardhub.errors import DeterminizationError
from cardhub.game.game import Game
from cardhub.hidden.epochs import epoch_backs, epochs
from cardhub.hidden.missing import missing
from cardhub.table.faces import BLANK, Shuffle
from cardhub.table.state import State


def trace(game: Game[Any], state: State, rng: Random) -> tuple[list[int], tuple[Shuffle, ...]]:
    """Draw the faces and the past of a complete state from an observation with shuffles behind it.

    A card is followed from token to token. Where the seat saw a face after a shuffle, a card known
    to bear it goes there, else an unknown one, which is thereby known; the rest goes anywhere.
    """
    known, backs = epochs(state), epoch_backs(state)
    bears, back_of = known[0][:], backs[0]
    ways = [list(range(len(back_of)))]
    for shuffle, seen, after in zip(state.past, known[1:], backs[1:], strict=True):
        cards = _Cards([ways[-1][token] for token in shuffle.tokens], bears, back_of, rng)
        way = ways[-1][:]
        for token in sorted(shuffle.tokens, key=lambda token: seen[token] == BLANK):
            way[token] = cards.take(seen[token], after[token])
        ways.append(way)
    _fill(bears, back_of, missing(game, state, bears), rng)
    drawn = [[bears[card] for card in way] for way in ways]
    return drawn[-1], tuple(map(_with_faces, state.past, drawn))


class _Cards:
    """The cards that go through one shuffle, given out one by one."""

    def __init__(self, cards: list[int], bears: list[int], backs: list[int], rng: Random) -> None:
        self._left, self._bears, self._backs = cards, bears, backs
        rng.shuffle(self._left)

    def take(self, face: int, back: int) -> int:
        """Take out a card of this back that bears `face`, or may; any of them for BLANK."""
        alike = [card for card in self._left if self._backs[card] == back]
        if face != BLANK:
            alike = sorted(
                (card for card in alike if self._bears[card] in (face, BLANK)),
                key=lambda card: self._bears[card] == BLANK,
            )
        if not alike:
            raise DeterminizationError("what was seen after a shuffle does not fit what was before")
        self._left.remove(alike[0])
        if face != BLANK:
            self._bears[alike[0]] = face
        return alike[0]


def _fill(bears: list[int], backs: list[int], pools: list[list[int]], rng: Random) -> None:
    """Share out the missing faces among the cards still unknown."""
    for pool in pools:
        rng.shuffle(pool)
    for card, face in enumerate(bears):
        if face == BLANK:
            bears[card] = pools[backs[card]].pop()


def _with_faces(shuffle: Shuffle, before: list[int]) -> Shuffle:
    return shuffle._replace(faces=tuple(before[token] for token in shuffle.tokens))
