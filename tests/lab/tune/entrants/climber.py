"""A bot that plays `rule` the more often, the nearer its options are to planted values."""

from collections.abc import Callable
from random import Random
from typing import Any

from cardhub import Bot, BotEntry, Number, Observation, OneOf, hookimpl
from cardhub.bots import AnyBot

BEST = {"boldness": 80, "memory": 30}


class Climber:
    """Plays like `rule` with a probability that the options decide, else anything."""

    def __init__(
        self, rng: Random, rule: Callable[[Random], Bot], boldness: int, memory: int, mood: str
    ) -> None:
        self._rng = rng
        self._rule = rule(rng)
        self._mood = mood
        far = abs(boldness - BEST["boldness"]) + abs(memory - BEST["memory"])
        self._sense = max(0.0, 1 - far / 60)

    def choose(self, observation: Observation[Any], /) -> int:
        """Return a legal action, or fail in a bad mood."""
        if self._mood == "bad":
            raise ValueError("a bad mood")
        if self._rng.random() < self._sense:
            return self._rule.choose(observation)
        return self._rng.choice(observation.legal())


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the bot."""
    numbers = {name: Number(50, "A number to tune.", 0, 100) for name in BEST}
    others = {
        "rule": AnyBot("rule", "The rule."),
        "mood": OneOf("good", "Its mood.", ("good", "bad")),
    }
    return [
        BotEntry("climber", "plays rule, now and then anything", Climber, options=others | numbers)
    ]
