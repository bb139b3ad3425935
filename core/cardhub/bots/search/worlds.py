"""The worlds a search plays in: what could be the case, as far as its seat knows."""

from random import Random
from typing import Generic

from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation

TRIES = 20
"""How many worlds are weighed until the last one is taken as it is."""


class Worlds(Generic[S]):
    """Draws worlds from one seat's observation.

    A world is as likely as the game finds it, judged by how people play. `as_rivals_see` gives
    worlds in which the seat's own hidden cards are drawn anew, too: what rivals must reckon with.
    """

    def __init__(self, observation: Observation[S], rng: Random) -> None:
        game, state = observation.game, observation.state
        self._game = game
        self._own = observation
        self._rivals: Observation[S] | None = None
        self._spectator = state.seats
        self._rng = rng
        self._weighs = type(game).likelihood is not Game.likelihood

    def as_seen(self) -> S:
        """Return a world that fits what the seat knows."""
        return self._drawn(self._own)

    def as_rivals_see(self) -> S:
        """Return a world that fits what everybody knows."""
        if self._rivals is None:
            self._rivals = Observation(self._game, self._own.state, self._spectator)
        return self._drawn(self._rivals)

    def _drawn(self, observation: Observation[S]) -> S:
        world = observation.determinize(self._rng)
        if self._weighs:
            for _ in range(TRIES):
                if self._rng.random() < self._game.likelihood(world):
                    break
                world = observation.determinize(self._rng)
        return world
