"""Fixtures and settings of all tests."""

import os
import signal
from collections.abc import Iterator

import pytest


def pytest_xdist_auto_num_workers() -> int:
    """Run three tests on two cores: those of processes and screens wait a third of their time."""
    return (3 * (os.cpu_count() or 1) + 1) // 2


@pytest.fixture(autouse=True, scope="session")
def ctrl_c() -> Iterator[None]:
    """Handle SIGINT in programs that tests start, also if the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
