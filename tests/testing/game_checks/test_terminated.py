"""A program that gets SIGTERM during third-party code ends, and no fault is reported."""

import os
import signal
from collections.abc import Iterator

import pytest
from tests.games.magpie import Magpie

from cardhub.base.errors import PluginError
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.third_party import guarded
from cardhub.testing.game_checks.game_report import GameFindings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")


@pytest.fixture(params=["SIGTERM", "SIGHUP"])
def number(request: pytest.FixtureRequest) -> Iterator[int]:
    """Return a signal that raises SystemExit, as on the command line."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    sent = signal.Signals[request.param]
    before = signal.signal(sent, leave)
    yield sent
    signal.signal(sent, before)


def test_a_signal_during_a_check_is_not_a_fault_of_the_game(number: int) -> None:
    """The check is left; rules that raise SystemExit themselves are a finding."""

    def check_scores(game: Magpie, place: object) -> None:
        os.kill(os.getpid(), number)

    collected = GameFindings(Magpie())
    with pytest.raises(SystemExit):
        collected(check_scores, Magpie(), None)
    assert collected.root_causes() == ()


def test_a_signal_during_a_call_into_a_plugin_is_not_a_fault_of_it(number: int) -> None:
    """A plugin that raises SystemExit itself is at fault."""
    plugin = Declaration("odd", "cardhub.plugins", "odd", "odd", "1", object, lambda: None)
    with pytest.raises(SystemExit):
        guarded(plugin, "failed", lambda: os.kill(os.getpid(), number))

    def leave() -> None:
        raise SystemExit(128 + number)

    with pytest.raises(PluginError):
        guarded(plugin, "failed", leave)
