"""Fixtures and settings of all tests."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture
def trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file whose existence makes the bots called `failing` fail."""
    path = tmp_path / "trouble"
    path.touch()
    monkeypatch.setenv("CARDHUB_TEST_FAIL", str(path))
    return path
