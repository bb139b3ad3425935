"""The bot that plays uniformly at random."""

from collections.abc import Mapping
from random import Random
from typing import Any

from typing_extensions import override

from cardhub.bots.bot import Bot, BotEntry, MixedBot
from cardhub.model.hidden.observation import Observation


class RandomBot(Bot, MixedBot):
    """A bot that chooses a legal action uniformly at random."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        return self._rng.choice(observation.legal())

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        legal = observation.legal()
        return dict.fromkeys(legal, 1 / len(legal))


RANDOM = BotEntry("random", "any legal action, each equally likely", RandomBot)
