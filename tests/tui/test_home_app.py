"""From the home screen to a table and back, with real bots; and the command `cardhub` alone."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.kit.waiting import until_holds
from tests.tui.pseudo_terminal import Program
from textual.pilot import Pilot

from cardhub.play.host.lessons.lesson_table import LessonHost
from cardhub.play.host.opening import NewGame
from cardhub.play.host.saved.preferences import Preferences
from cardhub.play.host.saved.saved_list import SavedGame, list_saved
from cardhub.play.records.recording import record_to
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.discovery import declare_plugins, declared_in
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.home.home_screen import HomeScreen
from cardhub.tui.home_app import HomeApp
from cardhub.tui.replay.screen import ReplayScreen
from cardhub.tui.table.play_screen import TableScreen
from cardhub_gamon import Gamon

ALONE = (Player("Anna", "random"), Player("Bob", "random"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep settings and saved games in a folder of the test."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path))
    return tmp_path


def app() -> HomeApp:
    """Return the app with one installed game."""
    plugins = [plugin for plugin in declare_plugins(()) if plugin.name in ("gamon", "models")]
    return HomeApp(PluginRegistry(plugins), Preferences(pace=0))


def is_at_home(running: HomeApp) -> bool:
    """Return whether the home screen is in front, and its list is there."""
    return isinstance(running.screen, HomeScreen) and bool(running.screen.page.stops)


async def until(pilot: Pilot[Any], holds: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    await until_holds(holds)
    await pilot.pause()


async def test_a_game_begun_at_home_leads_back_there() -> None:
    running = app()
    async with running.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_at_home(running))
        await pilot.press("1", "enter")
        await until(pilot, lambda: isinstance(running.screen, TableScreen))
        assert running.host is not None
        await pilot.press("q")
        await until(pilot, lambda: isinstance(running.screen, HomeScreen))
        assert running.host is None
        [saved] = list_saved()
        assert isinstance(saved, SavedGame)
        await until(pilot, lambda: running.screen.page.stops[0].id == f"saved:{saved.path}")
        await pilot.press("c")
        await until(pilot, lambda: isinstance(running.screen, TableScreen))
        await pilot.press("q")
        await until(pilot, lambda: is_at_home(running))
        await pilot.press("q")
    assert running.return_code == 0
    assert len(list(list_saved())) == 1


async def test_a_lesson_and_a_replay_lead_back_as_well(home: Path) -> None:
    running = app()
    async with running.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_at_home(running))
        await pilot.press("l", "1")
        await until(pilot, lambda: isinstance(running.host, LessonHost))
        assert not list(list_saved())
        referee = set_up(Gamon(), ALONE, {}, 1)
        record_to(referee, home / "begun.jsonl")
        running.show_replay(home / "begun.jsonl")
        await until(pilot, lambda: isinstance(running.screen, ReplayScreen))
        await pilot.press("q")
        await until(pilot, lambda: not isinstance(running.screen, ReplayScreen))


async def test_a_game_that_is_open_elsewhere_is_refused_on_the_screen(home: Path) -> None:
    running = app()
    async with running.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_at_home(running))
        await pilot.press("1", "enter")
        await until(pilot, lambda: isinstance(running.screen, TableScreen))
        [saved] = list_saved()
        assert isinstance(saved, SavedGame)
        running.navigator.resume(saved.path)
        await pilot.pause()
        home_screen = next(s for s in running.screen_stack if isinstance(s, HomeScreen))
        assert isinstance(running.screen, TableScreen)
        await pilot.press("q")
        await until(pilot, lambda: running.screen is home_screen)


@pytest.mark.parametrize("keys", [(), ("colon", "p"), ("slash",), ("1",), ("t",), ("s",)])
async def test_ctrl_c_leaves_from_every_screen(keys: tuple[str, ...]) -> None:
    running = app()
    async with running.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_at_home(running))
        await pilot.press(*keys, "ctrl+c")
    assert running.return_code == 130


FAULTY = """
from kuhn import Kuhn
from kuhn.game import KuhnDisplay

class FaultyDisplay(KuhnDisplay):
    def scene(self, state, viewer):
        raise RuntimeError("no scene today")

class Faulty(Kuhn):
    "A game whose table cannot be drawn."
    name = "faulty"
    title = "Faulty"
    display_type = FaultyDisplay
"""
TIRED = """
from cardhub import hookimpl
from cardhub.bots import Bot, BotEntry

class Tired(Bot):
    def __init__(self, rng): pass
    def choose(self, observation, /):
        raise ValueError("tired")

@hookimpl
def register_bots():
    return [BotEntry("tired", "raises", Tired)]
"""


async def test_a_bot_that_fails_leads_home_with_its_message(tmp_path: Path) -> None:
    (tmp_path / "tired.py").write_text(TIRED)
    declared = [*declare_plugins(()), *declared_in(tmp_path)]
    plugins = PluginRegistry(
        [plugin for plugin in declared if plugin.name in ("gamon", "models", "tired")]
    )
    running = HomeApp(plugins, Preferences(pace=0))
    async with running.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(running.screen, HomeScreen))
        players = (Player("Anna", "tired"), Player("Bob", "random"))
        running.navigator.start(NewGame("gamon", players))
        await until(pilot, lambda: isinstance(running.screen, MessageDialog))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(running.screen, HomeScreen))
        assert isinstance(running.screen, HomeScreen)
        message = running.screen.state.message
        assert message.startswith("the bot Anna (tired) raised an exception\n")
        assert "cardhub bot repro" in message


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_game_that_fails_leads_home_and_a_signal_ends_the_program_with_its_code(
    tmp_path: Path,
) -> None:
    """At a terminal, `cardhub` alone opens the home screen."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "faulty.py").write_text(FAULTY)
    command = [sys.executable, "-m", "cardhub", "--plugins-dir", str(tmp_path / "plugins")]
    program = Program(command, {"CARDHUB_HOME": str(tmp_path), "LINES": "40"})
    try:
        program.until_shown(b"Watch bots play")
        program.press(b":faulty\r")
        program.until_shown(b"New game  Faulty")
        program.press(b"\r")
        program.until_shown(b"Faulty failed: RuntimeError: no scene today")
        program.send(signal.SIGTERM)
        assert program.wait() == 128 + signal.SIGTERM
    finally:
        program.close()
