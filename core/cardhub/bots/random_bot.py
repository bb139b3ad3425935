"""The bot that plays uniformly at random."""

from random import Random
from typing import Any

from cardhub.bots.bot import BotEntry
from cardhub.hidden.observation import Observation


class RandomBot:
    """Chooses among the legal actions, each equally likely."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Any], /) -> int:
        """See Bot."""
        return self._rng.choice(observation.legal())


RANDOM = BotEntry("random", "any legal action, each equally likely", RandomBot)
