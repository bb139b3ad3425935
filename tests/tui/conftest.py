"""Tables on a terminal, for tests that read the screen and type."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from rich.style import Style
from tests.kit.quick_screens import quick_screens
from tests.kit.thread_bot_client import ThreadBotClient
from tests.kit.waiting import until_holds
from textual.driver import Driver
from textual.events import Key
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Button

from cardhub import Game, Theme
from cardhub.bots import Bot, RandomBot
from cardhub.bots.asking import advise, choose
from cardhub.model.game.initial_state import Seed
from cardhub.model.table.settings import Value
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.referee import Referee
from cardhub.play.seating import Player, seat_players
from cardhub.play.setup import let_bot_act, set_up
from cardhub.play.workers.client import BotClient
from cardhub.tui import keys as key_repeat
from cardhub.tui.app import TableApp
from cardhub.tui.dialogs.action_box import ActionBox
from cardhub.tui.dialogs.dialog import ConfirmDialog, SummaryDialog
from cardhub.tui.keys import KeyRepeat
from cardhub.tui.table.play_screen import TableScreen
from cardhub.tui.table.table_widget import TableWidget
from cardhub.tui.table.watch_screen import WatchScreen
from cardhub.view.layout.canvas import Stop
from cardhub.view.text.glyphs import GlyphChoice
from cardhub.view.view import Spot
from cardhub_gargon import Gargon


class Terminal:
    """A running table with its keyboard and mouse."""

    def __init__(self, app: TableApp, pilot: Pilot[Any], host: Host) -> None:
        self.app = app
        self.pilot = pilot
        self.host = host
        self.referee = host._referee  # front ends have no access to the true state

    @property
    def text(self) -> str:
        """The text of the screen."""
        return "\n".join("".join(s.text for s in strip).rstrip() for strip in self._strips())

    @property
    def styles(self) -> list[Style]:
        """The styles of the text on the screen."""
        return [segment.style for strip in self._strips() for segment in strip if segment.style]

    @property
    def screen(self) -> TableScreen:
        """The screen of a table with people, also if another screen is in front."""
        return next(s for s in self.app.screen_stack if isinstance(s, TableScreen))

    @property
    def watch(self) -> WatchScreen:
        """The screen of a table without people."""
        return next(s for s in self.app.screen_stack if isinstance(s, WatchScreen))

    @property
    def is_open(self) -> bool:
        """Whether a screen of the table is there, and something is drawn."""
        kinds = (TableScreen, WatchScreen)
        return any(isinstance(s, kinds) for s in self.app.screen_stack) and bool(self.text.strip())

    @property
    def board(self) -> TableWidget:
        """The widget of the table."""
        return self.screen.table

    @property
    def detail(self) -> str:
        """The whole detail below or beside the table, which may be clipped on the screen."""
        texts = self.board.texts
        return f"{texts.title} {texts.detail}".strip()

    def _strips(self) -> list[Strip]:
        # The compositor is private, but Textual has no public way to read the screen.
        return self.app.screen._compositor.render_strips()

    async def press(self, *keys: str) -> None:
        """Press keys, none of them held down, and wait for their effects."""
        self.app.key_repeat = KeyRepeat()
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        await until_holds(holds, lambda: self.text)
        # A screen that has just been opened is laid out first.
        await self.pilot.pause(0)

    async def until_shown(self, text: str) -> None:
        """Wait until a text is on the screen."""
        await self.until(lambda: text in self.text)

    async def my_turn(self, seat: int = 0) -> bool:
        """Wait for a seat's turn, and close stops at the end of rounds; False: the game is over."""
        while True:
            await self.until(lambda: self.is_at_summary or self._is_drawn_for(seat))
            if not self.is_at_summary:
                return not self.referee.is_over
            self.app.screen.dismiss("close")
            await self.until(lambda: not self.is_at_summary)

    def _is_drawn_for(self, seat: int) -> bool:
        is_due = self.referee.seat in (seat, -1)
        return is_due and self.screen.drawn_revision == self.host.revision

    @property
    def is_at_summary(self) -> bool:
        """Whether the table has stopped at the end of a round."""
        return isinstance(self.app.screen, SummaryDialog)

    def stop(self, spot: Spot) -> Stop:
        """Return the stop of a visible spot."""
        return next(stop for stop in self.board.frame.stops if stop.spot == spot)

    def legal_stops(self) -> list[Stop]:
        """Return the stops at which an action is legal."""
        legal = self.screen.session.view().legal_spots()
        return [stop for stop in self.board.frame.stops if stop.spot in legal and stop.box.height]

    async def click(self, stop: Stop) -> None:
        """Click a stop once, at a cell that no other card covers."""
        await self.pilot.click(self.board, offset=(stop.box.x, stop.box.y))
        await self.pilot.pause()

    async def click_legal(self) -> None:
        """Act at the first visible legal stop, with two clicks."""
        stop = self.legal_stops()[0]
        # One click points, unless the cursor is there already; the next one acts.
        if stop.spot != self.board.cursor:
            await self.click(stop)
        await self.click(self.stop(stop.spot))

    async def act(self) -> None:
        """Act at the next legal spot, with its first action if it has several."""
        view, revision = self.screen.session.view(), self.host.revision
        if self.board.cursor not in view.legal_spots():
            self.type("n")
            await self.until(lambda: self.board.cursor in view.legal_spots())
        self.type("enter")
        await self.until(lambda: self.is_at_box or self.is_asked or self.host.revision != revision)
        if self.is_at_box:
            await self._take_marked()
        elif self.is_asked:
            await self._confirm()

    async def act_typed(self) -> None:
        """Act through the box for typing, with the action that it marks."""
        self.type("colon")
        await self.until(lambda: self.is_at_box and self.app.focused is not None)
        await self._take_marked()

    async def _take_marked(self) -> None:
        revision = self.host.revision
        self.type("enter")
        await self.until(lambda: self.is_asked or self.host.revision != revision)
        if self.is_asked:
            await self._confirm()

    async def _confirm(self) -> None:
        revision = self.host.revision
        await self.until(lambda: isinstance(self.app.focused, Button))
        self.type("enter")
        await self.until(lambda: self.host.revision != revision)

    @property
    def is_asked(self) -> bool:
        """Whether the table asks to confirm an action."""
        return isinstance(self.app.screen, ConfirmDialog)

    def type(self, key: str) -> None:
        """Press a key without waiting for its effect, as `press` does for at least 0.06 s."""
        driver = self.app._driver
        assert driver is not None
        event = Key(key, key if len(key) == 1 else None)
        event.set_sender(self.app)
        driver.send_message(event)

    @property
    def is_at_box(self) -> bool:
        """Whether the table asks for one of several actions."""
        return isinstance(self.app.screen, ActionBox)


class Setting:
    """A game with bots and an adviser, set up for the screen.

    `left`: how many actions are left when the table opens, also counting chance's; None: all.
    """

    def __init__(
        self,
        game: Game[Any] | None = None,
        *,
        humans: Iterable[str] = ("Anna",),
        seats: int = 3,
        seed: Seed = 1,
        bot: Bot | None = None,
        pace: float = 0,
        glyphs: GlyphChoice = "auto",
        adviser: Bot | None = None,
        kind: str = "random",
        thinkers: Callable[[Referee[Any]], tuple[BotClient, BotClient]] | None = None,
        theme: Theme | str | None = None,
        options: Mapping[str, Value] | None = None,
        preferences: Preferences = DEFAULTS,
        left: int | None = None,
    ) -> None:
        given = [Player(name, "human") for name in humans]
        rules: Game[Any] = game or Gargon()
        players = seat_players(given, seats, kind)[:seats] if given else _bots(seats)
        self.referee = set_up(rules, players, dict(options or {}), seed)
        self.referee.proceed()
        if left is not None:
            play_until(self.referee, left)
        bots = [bot or RandomBot(Random(seat)) for seat in range(len(players))]
        helper = adviser or RandomBot(Random(1))
        in_threads = (
            ThreadBotClient(bots.__getitem__, choose),
            ThreadBotClient(lambda _: helper, advise),
        )
        clients = thinkers(self.referee) if thinkers else in_threads
        self.host = Host(self.referee, *clients, LoopScheduler(), hint="helper", pace=pace)
        self.app = TableApp(self.host, glyphs=glyphs, theme=theme, preferences=preferences)

    @asynccontextmanager
    async def running(
        self, size: tuple[int, int] = (80, 24), driver: type[Driver] | None = None
    ) -> AsyncIterator[Terminal]:
        """Yield the terminal of the running app; `driver`: the app's link to a terminal."""
        self.app.driver_class = driver or self.app.driver_class
        async with self.app.run_test(headless=driver is None, size=size) as pilot:
            terminal = Terminal(self.app, pilot, self.host)
            await terminal.until(lambda: terminal.is_open)
            yield terminal


def play_until(referee: Referee[Any], left: int) -> None:
    """Play at random until `left` actions are left."""
    whole = referee.restarted()
    whole.proceed()
    for game in (whole, referee):
        bots = [RandomBot(Random(seat)) for seat in range(len(game.players))]
        while not game.is_over and (game is whole or game.action_count < whole.action_count - left):
            let_bot_act(game, bots[game.seat])


def _bots(seats: int) -> list[Player]:
    return [Player(name, "random") for name in ("Anna", "Bob", "Chris", "David")[:seats]]


@pytest.fixture(autouse=True, scope="session")
def quickness() -> Iterator[None]:
    """Share between apps what they parse, and draw only what tests read."""
    with quick_screens():
        yield


@pytest.fixture(autouse=True)
def quick_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let keys act as soon as a decision is shown: tests read it at once."""
    monkeypatch.setattr(key_repeat, "REACTION", float("-inf"))


@pytest.fixture
def setting(monkeypatch: pytest.MonkeyPatch) -> type[Setting]:
    """Return the class that sets up a table; its keys never count as held down."""
    monkeypatch.setattr(key_repeat, "REPEAT_EVERY", 0.0)
    return Setting
