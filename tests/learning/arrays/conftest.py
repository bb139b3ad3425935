"""Positions of random games, and how a test names its game."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from tests.games.lanterns import Lanterns
from tests.games.magpie import Magpie
from tests.kit.installed_games import names_for_arrays

from cardhub import Game
from cardhub.learning.arrays import Layout
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.plugins.registry import find_plugins
from cardhub.testing.random_play import Position, default_trial, play

# Games for tests alone: one with mixed hands, one with hands that only the others see.
OWN: dict[str, Game[Any]] = {game.name: game for game in (Magpie(), Lanterns())}
REGISTRY = find_plugins()
NAMES = [*names_for_arrays(), *OWN]
# Boards, hidden hands, dice, teams, simultaneous choices, and the games for tests alone: for what
# follows from the kinds of zones, actions and fields, and not from the rules.
FEW = ["garner", "gargon", "leduc", "pig", "spades", "goofspiel", *OWN]


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game[Any]:
    """Return the game, installed or for tests alone, by whose name a test is parametrized."""
    return game_named(request.param)


def game_named(name: str) -> Game[Any]:
    """Return the game, installed or for tests alone."""
    return OWN.get(name) or REGISTRY.game(name)


def layout_of(game: Game[Any], seats: int | None = None, **parameters: Any) -> Layout:
    """Return a layout of one of the games; its probe games are played once for all tests."""
    return _layout(game.name, seats or game.seats.default, tuple(parameters.items()))


@cache
def _layout(name: str, seats: int, parameters: tuple[tuple[str, Any], ...]) -> Layout:
    return Layout(game_named(name), seats, **dict(parameters))


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
