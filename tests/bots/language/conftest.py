"""A server of language models for each test."""

from collections.abc import Iterator

import pytest
from tests.kit.model_server import ModelServer, running_server


@pytest.fixture
def models() -> Iterator[ModelServer]:
    """Run a server whose model answers with the first legal action."""
    with running_server() as server:
        yield server
