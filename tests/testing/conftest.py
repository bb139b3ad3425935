"""The games that the suites run over."""

from typing import Any

import pytest
from tests.games.magpie import Magpie

from cardhub import Game
from cardhub.plugins.registry import find_plugins
from cardhub.testing.game_checks import game_report
from cardhub.testing.game_checks.determinization_bias import LEAST_GAMES


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game[Any]:
    """Return the game, installed or for tests alone, by whose name a test is parametrized."""
    name: str = request.param
    return Magpie() if name == Magpie.name else find_plugins().game(name)


@pytest.fixture
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one position of each random game checked thoroughly, as in later rounds of a suite.

    Determinizations are sampled in the least number of games that says something about them.
    """
    for first_round in ("MANY", "SOME"):
        monkeypatch.setattr(game_report, first_round, game_report.FEW)
    monkeypatch.setattr(game_report, "FEWER_GUESS_GAMES", LEAST_GAMES)


@pytest.fixture(scope="session")
def magpie() -> Magpie:
    """Return the game that is for tests alone."""
    return Magpie()
