"""The games that the suites run over."""

from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.kit.short_suites import shorten_suites

from cardhub import Game
from cardhub.plugins.registry import find_plugins
from cardhub.testing.game_checks import playout_checks


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game[Any]:
    """Return the game, installed or for tests alone, by whose name a test is parametrized."""
    name: str = request.param
    return Magpie() if name == Magpie.name else find_plugins().game(name)


@pytest.fixture
def short_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the suite of checks for a test."""
    shorten_suites(monkeypatch)


@pytest.fixture
def without_taint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the check that follows hidden cards, for tests of those that sample positions."""
    monkeypatch.setattr(playout_checks, "find_reading_lines", lambda *_: {})


@pytest.fixture(scope="session")
def magpie() -> Magpie:
    """Return the game that is for tests alone."""
    return Magpie()
