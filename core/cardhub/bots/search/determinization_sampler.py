"""Sample determinizations for a search, weighted by the likelihood of the actions in them."""

from random import Random
from typing import Generic

from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation

FIRST = 50
"""Number of determinizations that estimate the largest likelihood before the first is used."""
TRIES = 1000
"""Maximum number of rejections; then the last determinization is used."""


class DeterminizationSampler(Generic[S]):
    """Draws determinizations of one seat's observation, in proportion to the game's likelihood.

    Each is accepted with its likelihood divided by the largest one seen for this observation.
    """

    def __init__(self, observation: Observation[S], rng: Random) -> None:
        self._observation = observation
        self._rng = rng
        self._weighs = type(observation.game).likelihood is not Game.likelihood
        self._top = 0.0

    def draw(self) -> S:
        """Return a determinization of the observation."""
        if not self._weighs:
            return self._observation.determinize(self._rng)
        if not self._top:
            for _ in range(FIRST):
                self._weighed()
        for _ in range(TRIES):
            state, likelihood = self._weighed()
            if self._rng.random() * self._top <= likelihood:
                break
        return state

    def _weighed(self) -> tuple[S, float]:
        state = self._observation.determinize(self._rng)
        likelihood = self._observation.game.likelihood(state)
        self._top = max(self._top, likelihood)
        return state, likelihood
