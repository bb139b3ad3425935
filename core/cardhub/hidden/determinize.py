"""Determinizations: complete states that agree with all one seat knows."""

from random import Random
from typing import Generic

from cardhub.errors import DeterminizationError
from cardhub.game.game import Game, S
from cardhub.hidden.matching import Rulings, match
from cardhub.hidden.missing import kinds, missing
from cardhub.hidden.trajectories import Trajectories
from cardhub.table.faces import blanked

TRIES = 1000
"""How often faces are redrawn until a game finds them plausible."""


class Unseen(Generic[S]):
    """The unseen tokens of one observation and the faces they must share out, by kind."""

    __slots__ = ("barred", "faces", "game", "pools", "state", "tokens", "trajectories")

    def __init__(self, game: Game[S], state: S) -> None:
        self.game = game
        self.state = state
        self.faces = blanked(state.face)
        self.pools = missing(game, state, self.faces)
        self.tokens: list[list[int]] = [[] for _ in self.pools]
        for token, kind in enumerate(kinds(game, state, state.back)):
            if self.faces[token] < 0:
                self.tokens[kind].append(token)
        rulings = Rulings(game, state)
        self.barred = [rulings.barred(tokens) for tokens in self.tokens]
        self.trajectories = Trajectories(game, state) if state.past else None

    def drawn(self, rng: Random) -> list[int]:
        """Return faces in token order: the unseen ones shared out at random."""
        faces = self.faces[:]
        random = rng.random
        for tokens, pool, barred in zip(self.tokens, self.pools, self.barred, strict=True):
            # Sorting by lot takes a third of the time of rng.shuffle.
            shared = match(self.game.name, barred, sorted(pool, key=lambda _: random()))
            for token, face in zip(tokens, shared, strict=True):
                faces[token] = face
        return faces


def determinize(unseen: Unseen[S], rng: Random) -> S:
    """Return a complete state; raises DeterminizationError if the game finds none plausible."""
    game = unseen.game
    tested = type(game).plausible is not Game.plausible
    for _ in range(TRIES):
        state = _drawn(unseen, rng)
        if state is not None and (not tested or game.plausible(state)):
            return state
    raise DeterminizationError(
        f"{game.name}: no plausible faces for the unseen cards in {TRIES} tries"
    )


def _drawn(unseen: Unseen[S], rng: Random) -> S | None:
    state = unseen.state.clone()
    if unseen.trajectories is None:
        state.face = unseen.drawn(rng)
        return state
    drawn = unseen.trajectories.draw(rng)
    if drawn is None:
        return None
    state.face, state.past = drawn
    return state
