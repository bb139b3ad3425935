"""How this repository runs the tests of its examples."""

from collections.abc import Iterator

import pytest
from tests.kit.short_suites import shorten_suites


@pytest.fixture(autouse=True, scope="module")
def short_suites() -> Iterator[None]:
    """Shorten the suites of checks, because `make soak` checks each of these games at length."""
    with pytest.MonkeyPatch.context() as patch:
        shorten_suites(patch)
        yield
