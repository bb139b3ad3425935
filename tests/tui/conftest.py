"""Tables at a terminal that tests can read and type at."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from rich.style import Style
from textual.pilot import Pilot
from textual.strip import Strip

from cardhub import Game, Theme
from cardhub.bots import Bot, RandomBot
from cardhub.bots.asking import advise, choose
from cardhub.game.initial_state import Seed
from cardhub.play.bot_process.client import BotClient, ThreadBotClient
from cardhub.play.referee import Referee
from cardhub.play.seating import Player, seat_players
from cardhub.play.setup import set_up
from cardhub.table.settings import Value
from cardhub.tui.app import TableApp
from cardhub.tui.dialogs.summary_dialog import SummaryDialog
from cardhub.tui.table_screen.board import Board
from cardhub_gargon import Gargon

TRIES = 400


class Terminal:
    """A running table with its keyboard and mouse."""

    def __init__(self, app: TableApp, pilot: Pilot[Any], referee: Referee[Any]) -> None:
        self.app = app
        self.pilot = pilot
        self.referee = referee

    @property
    def text(self) -> str:
        """The text of the screen."""
        return "\n".join("".join(s.text for s in strip).rstrip() for strip in self._strips())

    @property
    def styles(self) -> list[Style]:
        """The styles of the text on the screen."""
        return [segment.style for strip in self._strips() for segment in strip if segment.style]

    @property
    def board(self) -> Board:
        """The board, wherever it is among the screens."""
        return self.app.screen_stack[1].query_one(Board)

    def _strips(self) -> list[Strip]:
        # The compositor is private, but Textual has no public way to read the screen.
        return self.app.screen._compositor.render_strips()

    async def press(self, *keys: str) -> None:
        """Press keys and let everything happen that follows at once."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        for _ in range(TRIES):
            if holds():
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"it never came to that; on the screen:\n{self.text}")

    async def until_shown(self, text: str) -> None:
        """Wait until a text is on the screen."""
        await self.until(lambda: text in self.text)

    async def my_turn(self, seat: int = 0) -> bool:
        """Wait until it is a seat's turn, or the game is over; return whether it is not over.

        Stops at the end of a round are closed.
        """
        while True:
            await self.until(lambda: self.is_at_summary or self.referee.seat in (seat, -1))
            await self.pilot.pause()
            if not self.is_at_summary:
                return not self.referee.is_over
            self.app.screen.dismiss("close")
            await self.pilot.pause()

    @property
    def is_at_summary(self) -> bool:
        """Whether the table has stopped at the end of a round."""
        return isinstance(self.app.screen, SummaryDialog)

    async def click_legal(self) -> None:
        """Click the first thing in sight that is legal."""
        board = self.board
        top = board.scroll_offset.y
        for stop in board.stops:
            line = stop.line - top
            if stop.is_legal and 0 <= line < board.size.height:
                await self.pilot.click(board, offset=(stop.start + 1, line))
                await self.pilot.pause()
                return
        raise AssertionError(f"nothing legal is in sight:\n{self.text}")


class Setting:
    """A game with bots and an adviser, set up for the screen."""

    def __init__(
        self,
        game: Game[Any] | None = None,
        *,
        humans: Iterable[str] = ("Anna",),
        seats: int = 3,
        seed: Seed = 1,
        bot: Bot | None = None,
        pace: float = 0,
        ascii_only: bool = False,
        adviser: Bot | None = None,
        kind: str = "random",
        thinkers: Callable[[Referee[Any]], tuple[BotClient, BotClient]] | None = None,
        theme: Theme | str | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> None:
        given = [Player(name, "human") for name in humans]
        rules: Game[Any] = game or Gargon()
        players = seat_players(given, seats, kind)[:seats] if given else _bots(seats)
        self.referee = set_up(rules, players, dict(options or {}), seed)
        self.referee.proceed()
        bots = [bot or RandomBot(Random(seat)) for seat in range(len(players))]
        helper = adviser or RandomBot(Random(1))
        in_threads = (
            ThreadBotClient(bots.__getitem__, choose),
            ThreadBotClient(lambda _: helper, advise),
        )
        self.app = TableApp(
            self.referee,
            *(thinkers(self.referee) if thinkers else in_threads),
            hint="helper",
            pace=pace,
            ascii_only=ascii_only,
            theme=theme,
        )

    @asynccontextmanager
    async def running(self, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Terminal]:
        """Yield the terminal of the running app."""
        async with self.app.run_test(size=size) as pilot:
            yield Terminal(self.app, pilot, self.referee)


def _bots(seats: int) -> list[Player]:
    return [Player(name, "random") for name in ("Anna", "Bob", "Chris", "David")[:seats]]


@pytest.fixture
def setting() -> type[Setting]:
    """Return the class that sets up a table."""
    return Setting
