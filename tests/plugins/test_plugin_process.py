"""Third-party plugins whose bots are described by a process of their own."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from cardhub.base.errors import OptionError, PluginError
from cardhub.plugins import plugin_process, third_party
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.registry import PluginRegistry, find_plugins, for_referee

Install = Callable[..., Path]
Referee = Callable[[], PluginRegistry]
# An option of a class that cardhub does not have.
OWN_OPTION = """
from dataclasses import dataclass
from cardhub import BotEntry, Option, hookimpl
from cardhub.bots import RandomBot

@dataclass(frozen=True)
class Even(Option):
    default: int
    help: str
    def describe(self, seats):
        return f"an even number, with {seats} seats"
    def read(self, value, seats):
        text = str(value)
        return int(text) if text.isdecimal() and int(text) % 2 == 0 else None

@hookimpl
def register_bots():
    return [BotEntry("even", "counts in twos", RandomBot, None, {"step": Even(4, "the step")})]
"""
HANGING = """
import time
from cardhub import hookimpl
time.sleep(600)
@hookimpl
def register_bots(): return []
"""


@pytest.fixture
def referee(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Referee]:
    """Return a function that makes the registry of a referee's process."""
    # The processes of plugins find the installed packages as well.
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYTHONPATH", path)
    with ExitStack() as stack:
        yield lambda: for_referee(stack.enter_context(closing(find_plugins())))


def test_an_option_of_a_plugins_own_class_is_read_by_its_process(
    install: Install, referee: Referee
) -> None:
    install("even", {PLUGINS: {"even": "even_plugin"}}, even_plugin=OWN_OPTION)
    registry = referee()
    option = registry.bot("even", "kuhn").options["step"]
    assert (option.default, option.help) == (4, "the step")
    assert option.describe(3) == "an even number, with 3 seats"
    assert dict(registry.settings_of("even:step=6", "kuhn")) == {"step": 6}
    with pytest.raises(OptionError, match=r"option step cannot be '5': .*an even number"):
        registry.settings_of("even:step=5", "kuhn")
    assert "even_plugin" not in sys.modules


def test_a_plugin_that_hangs_in_its_process_is_an_error(
    install: Install, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("stuck", {PLUGINS: {"stuck": "stuck_plugin"}}, stuck_plugin=HANGING)
    monkeypatch.setattr(plugin_process, "IMPORT_SECONDS", 0.01)
    registry = referee()
    assert "random" in registry.bots_for("kuhn")
    reason = "plugin 'stuck' of stuck 1.0 cannot be imported: no answer within 0.01 seconds"
    assert reason in registry.warnings()


@pytest.mark.skipif(os.name != "posix", reason="the import is ended by a signal")
def test_an_import_that_hangs_is_ended_and_an_error(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = {GAMES: {"higher": "stuck_game"}}
    install("stuck", groups, stuck_game="import time\ntime.sleep(600)")
    monkeypatch.setattr(third_party, "LIMIT", 0.01)
    registry = find_plugins()
    with pytest.raises(PluginError) as error:
        registry.game("higher")
    assert str(error.value) == (
        "plugin 'higher' of stuck 1.0 cannot be used: its import did not end within 0.01 seconds. "
        "fix: leave it out with --no-plugin higher"
    )
    assert "stuck_game" not in sys.modules
