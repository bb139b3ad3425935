"""The games that the suites run over."""

from typing import Any

import pytest
from tests.games.magpie import Magpie

from cardhub import Game
from cardhub.plugins.find import find_plugins


@pytest.fixture(scope="session")
def installed_games() -> list[Game[Any]]:
    """Every installed game."""
    plugins = find_plugins()
    return [plugins.game(name) for name in plugins.game_names()]


@pytest.fixture(scope="session")
def magpie() -> Magpie:
    """Return the game that is for tests alone."""
    return Magpie()
