"""The worlds a search plays in: what could be the case, as far as its seat knows."""

from random import Random
from typing import Generic

from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation

TRIES = 20
"""How many worlds are weighed until the last one is taken as it is."""


class Worlds(Generic[S]):
    """Draws worlds from one seat's observation, each as likely as the game finds it.

    That is judged by how people play: what they did may tell of what they hold.
    """

    def __init__(self, observation: Observation[S], rng: Random) -> None:
        self._observation = observation
        self._rng = rng
        self._weighs = type(observation.game).likelihood is not Game.likelihood

    def draw(self) -> S:
        """Return a world that fits what the seat knows."""
        world = self._observation.determinize(self._rng)
        if self._weighs:
            for _ in range(TRIES):
                if self._rng.random() < self._observation.game.likelihood(world):
                    break
                world = self._observation.determinize(self._rng)
        return world
