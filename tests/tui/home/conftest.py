"""The screens of menus without tables: games to start are recorded instead."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.waiting import until_holds
from textual.app import App
from textual.pilot import Pilot

from cardhub.bots.random_bot import RandomBot
from cardhub.model.game.game import Game
from cardhub.play.host.opening import NewGame
from cardhub.play.host.saved.preferences import Preferences
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.records.recording import record_to
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.discovery import declare_plugins, declared_in
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui.home.home_navigator import HomeNavigator
from cardhub.tui.palette import OWN_THEMES, as_textual
from cardhub.view.text.glyphs import UNICODE, Glyphs
from cardhub_gamon import Gamon

PLAYERS = (Player("Anna", "human"), Player("Bob", "rule"))


class RecordingNavigator(HomeNavigator):
    """A navigator that records the games to start and to resume."""

    started: list[NewGame | Path]
    lessons: list[str]

    def start(self, new: NewGame) -> None:
        """Record a new game."""
        self.started.append(new)

    def resume(self, path: Path) -> None:
        """Record a saved game."""
        self.started.append(path)

    def learn(self, game: Game[Any]) -> None:
        """Record a lesson; without one, show the rules."""
        if game.display.lesson() is None:
            super().learn(game)
        else:
            self.lessons.append(game.name)


class Stage(App[None]):
    """An app that has only the screens of menus."""

    def __init__(self, registry: PluginRegistry, *, glyphs: Glyphs) -> None:
        super().__init__()
        for theme in OWN_THEMES:
            self.register_theme(as_textual(theme))
        self.theme = "dark"
        self.replayed: list[Path] = []
        self.navigator = RecordingNavigator(
            self,
            registry,
            Preferences(),
            LoopScheduler(),
            glyphs,
            lambda host: None,
            self.replayed.append,
        )
        self.navigator.started = []
        self.navigator.lessons = []

    def on_mount(self) -> None:
        """Open the home screen."""
        self.navigator.open()


class Visitor:
    """A person who uses the screens of menus."""

    def __init__(self, app: Stage, pilot: Pilot[Any]) -> None:
        self.app = app
        self.navigator = app.navigator
        self.pilot = pilot

    @property
    def lines(self) -> list[str]:
        """The text of the screen, line by line."""
        # The compositor is private, but Textual has no public way to read the screen.
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    @property
    def text(self) -> str:
        """The text of the screen."""
        return "\n".join(self.lines)

    @property
    def here(self) -> str:
        """The line with the cursor."""
        return next((line for line in self.lines if line[3:4] in ("▸", ">")), "")

    async def press(self, *keys: str) -> None:
        """Press keys and wait for their effects."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Type a text and Enter."""
        await self.press(*("space" if c == " " else c for c in text), "enter")

    async def click(self, text: str) -> None:
        """Click a stop once, at a cell that no other card covers."""
        y = next(y for y, line in enumerate(self.lines) if text in line)
        x = self.lines[y].index(text)
        await self.pilot.click(offset=(x, y))
        await self.pilot.pause()

    async def until_shown(self, text: str) -> None:
        """Wait until a text is on the screen."""
        await until_holds(lambda: text in self.text, lambda: f"{text!r} is not shown:\n{self.text}")
        await self.pilot.pause()


Visit = Callable[..., AbstractAsyncContextManager[Visitor]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep settings and saved games in a folder of the test."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    return tmp_path


@pytest.fixture
def save(home: Path) -> Callable[..., Path]:
    """Return a function that saves a game of Gamon after a number of actions."""

    def save(name: str, actions: int = 10_000, seed: int = 1) -> Path:
        path = home / "games" / f"{name}.jsonl"
        referee = set_up(Gamon(), PLAYERS, {}, seed)
        record_to(referee, path)
        referee.proceed()
        bot = RandomBot(Random(seed))
        while not referee.is_over and (actions > 0 or referee.seat != 0):
            referee.apply(bot.choose(referee.observe(referee.seat)))
            actions -= 1
        return path

    return save


@pytest.fixture
def visit() -> Visit:
    """Return a function that opens the home screen with a few installed games."""

    @asynccontextmanager
    async def visit(
        width: int = 80,
        height: int = 24,
        games: tuple[str, ...] = ("gamon", "gargon", "search"),
        *,
        glyphs: Glyphs = UNICODE,
        folder: Path | None = None,
    ) -> AsyncIterator[Visitor]:
        names = {*games, "models"}  # the level expert of Gamon is a network
        plugins = [plugin for plugin in declare_plugins(()) if plugin.name in names]
        plugins += declared_in(folder) if folder else []
        app = Stage(PluginRegistry(plugins), glyphs=glyphs)
        async with app.run_test(size=(width, height)) as pilot:
            visitor = Visitor(app, pilot)
            await visitor.until_shown("cardhub")
            yield visitor

    return visit
