"""Fixtures: a server that the tests of a module share, and its visitors."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.online.browser.visitors import Place, Visitors, running_place

from cardhub.plugins.registry import find_plugins


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Return a running server."""
    with running_place(tmp_path_factory.mktemp("tables"), find_plugins()) as place:
        yield place


@pytest.fixture
def people(browser: Browser, place: Place) -> Iterator[Visitors]:
    """Return the visitors of the server; afterwards, check that no browser logged a message."""
    people = Visitors(browser, place.origin)
    yield people
    people.close()
    assert people.complaints == []
    assert all(url.startswith((place.origin, "data:")) for url in people.requests)
