"""Positions of random games, and how a test names its game."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.games.lanterns import Lanterns
from tests.games.magpie import Magpie

from cardhub import Game
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import Position, default_trial, play

# Games for tests alone: one with mixed hands, one with hands that only the others see.
OWN: dict[str, Game[Any]] = {game.name: game for game in (Magpie(), Lanterns())}
NAMES = [*find_plugins().game_names(), *OWN]


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game[Any]:
    """Return the game, installed or for tests alone, by whose name a test is parametrized."""
    name: str = request.param
    return OWN.get(name) or find_plugins().game(name)


def positions(game: Game[Any], seats: int, games: int = 1, every: int = 1) -> list[Position[Any]]:
    """Return every `every`th position of random games, and the ends of these games."""
    sample = []
    for seed in range(games):
        course = list(play(game, default_trial(game, seats, seed)))
        sample += [*course[:-1:every], course[-1]]
    return sample


def observations(game: Game[Any], position: Position[Any]) -> Iterator[Observation[Any]]:
    """Yield the observations of all seats, a spectator and EVERYTHING."""
    for viewer in range(EVERYTHING, position.state.seats + 1):
        yield Observation(game, position.state, viewer, position.history)
