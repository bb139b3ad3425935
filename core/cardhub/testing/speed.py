"""How fast a game is in random play."""

from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from cardhub.game.game import Game
from cardhub.hidden.chance import random_step
from cardhub.table.state import OVER
from cardhub.testing.playout import Trial, deal, default_trial

SLOW = 10_000
"""With fewer actions a second search bots see too few games to play well."""


class Speed(NamedTuple):
    """How many random games were played in a time, and how many actions they took."""

    games: int
    actions: int
    seconds: float

    def __str__(self) -> str:
        games, actions = self.games / self.seconds, self.actions / self.seconds
        return f"{games:,.0f} random games a second, {actions:,.0f} actions a second"

    @property
    def is_slow(self) -> bool:
        """Whether search bots will feel it."""
        return self.actions / self.seconds < SLOW


def measure(game: Game[Any], seed: int, seconds: float = 0.3) -> Speed:
    """Play random games with default options for so long, one at least."""
    trial, rng = default_trial(game, game.seats.default, seed), Random(f"{seed} speed")
    games = actions = 0
    began = perf_counter()
    while (taken := perf_counter() - began) < seconds or not games:
        actions += _play(game, trial, rng)
        games += 1
    return Speed(games, actions, taken)


def _play(game: Game[Any], trial: Trial, rng: Random) -> int:
    """Play a random game and return how many actions it took."""
    state, actions = deal(game, trial, rng), 0
    while state.seat != OVER:
        random_step(game, state, rng)
        actions += 1
    return actions
