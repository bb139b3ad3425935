"""Suites of checks of OpenSpiel's games: short ones, at their full length in `make soak`."""

import pytest
from tests.kit.short_suites import shorten_suites
from tests.kit.soaking import FACTOR


@pytest.fixture(autouse=True)
def short_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the suite of checks."""
    if FACTOR == 1:
        shorten_suites(monkeypatch)
