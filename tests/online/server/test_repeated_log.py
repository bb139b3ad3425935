"""A problem that repeats takes one line a minute."""

import logging
from collections.abc import Callable

import pytest

from cardhub.online.server.repeated_log import MOST_PROBLEMS, RepeatedLog

LOG = logging.getLogger("cardhub.tests.repeated")


class Later:
    """Keeps the callback that a log has asked for, until a test calls it."""

    def __init__(self) -> None:
        self.callbacks: list[Callable[[], None]] = []

    def __call__(self, seconds: float, callback: Callable[[], None]) -> None:
        """Keep a callback."""
        assert seconds == 60
        self.callbacks.append(callback)

    def pass_minute(self) -> None:
        """Call the callback whose time has come."""
        self.callbacks.pop()()


@pytest.fixture
def later() -> Later:
    """Return a clock that tests move by minutes."""
    return Later()


def test_a_repeated_problem_is_logged_at_once_and_then_counted(
    later: Later, caplog: pytest.LogCaptureFixture
) -> None:
    log = RepeatedLog(LOG, later)
    for number in range(500):
        log.warn(("a",), f"a failed: {number}")
    log.warn(("b",), "b failed")
    assert caplog.messages == ["a failed: 0", "b failed"]
    later.pass_minute()
    assert caplog.messages[2:] == ["a failed: 499 (499 more in a minute)"]
    log.warn(("a",), "a failed again")
    log.warn(("b",), "b failed again")
    assert caplog.messages[3:] == ["b failed again"]
    later.pass_minute()
    assert caplog.messages[4:] == ["a failed again (1 more in a minute)"]


def test_a_problem_that_ends_is_forgotten(later: Later, caplog: pytest.LogCaptureFixture) -> None:
    log = RepeatedLog(LOG, later)
    log.warn(("a",), "a failed")
    later.pass_minute()
    assert later.callbacks == []
    log.warn(("a",), "a failed")
    assert caplog.messages == ["a failed"] * 2


def test_many_different_problems_share_a_line(
    later: Later, caplog: pytest.LogCaptureFixture
) -> None:
    """Clients choose the names of tables in a request."""
    log = RepeatedLog(LOG, later)
    for number in range(10_000):
        log.warn((str(number),), f"{number} failed")
    assert len(caplog.messages) == MOST_PROBLEMS + 1
    later.pass_minute()
    assert caplog.messages[-1] == "9999 failed (9899 more in a minute)"
