"""Screens of `cardhub join` at tables of a real server."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.kit.table_server import LiveServer, live_server
from tests.kit.waiting import PATIENCE, until_holds
from textual.pilot import Pilot
from textual.widgets import Button

from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.remote.table_address import TableAddress, parse_address
from cardhub.online.remote.table_connection import Patience
from cardhub.tui import keys as key_repeat
from cardhub.tui.keys import KeyRepeat
from cardhub.tui.online.join_app import JoinApp
from cardhub.tui.online.online_screen import OnlineScreen
from cardhub.tui.results import screen as screen_of_result

QUICK = Patience(PATIENCE, PATIENCE, PATIENCE, shortest=0.05, longest=0.2, closing=0.2)


class Joined:
    """A terminal at a table of a server, with its keyboard."""

    def __init__(self, app: JoinApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def client(self) -> RemoteClient:
        """The client of the table."""
        return self.app.client

    @property
    def text(self) -> str:
        """The text of the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)

    @property
    def table(self) -> OnlineScreen:
        """The screen of the table."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, OnlineScreen))

    def sees_seated(self, name: str) -> bool:
        """Return whether a person sits at the table, as this terminal knows and shows it."""
        state = self.client.state
        return bool(state and any(seat.name == name for seat in state.seats) and name in self.text)

    async def press(self, *keys: str) -> None:
        """Press keys, none held down before."""
        self.app.key_repeat = KeyRepeat()
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        await until_holds(holds, lambda: self.text)
        await self.pilot.pause()

    async def until_shown(self, *texts: str) -> None:
        """Wait until all texts are on the screen."""
        await self.until(lambda: all(text in self.text for text in texts))

    async def until_asked(self, *texts: str) -> None:
        """Wait until a question with these texts hears keys: its text is drawn before."""
        await self.until_shown(*texts)
        await self.until(lambda: isinstance(self.app.focused, Button))


class Terminals:
    """Opens terminals, each with its home folder."""

    def __init__(self, homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._homes = homes
        self._monkeypatch = monkeypatch
        self._count = 0

    @asynccontextmanager
    async def join(
        self, address: TableAddress, name: str | None = None, size: tuple[int, int] = (80, 24)
    ) -> AsyncIterator[Joined]:
        """Join a table for a block."""
        self._count += 1
        self._monkeypatch.setenv("CARDHUB_HOME", str(self._homes / f"home {self._count}"))
        app = JoinApp(address, name, patience=QUICK)
        async with app.run_test(size=size) as pilot:
            yield Joined(app, pilot)

    @asynccontextmanager
    async def join_two(self, address: TableAddress) -> AsyncIterator[tuple[Joined, Joined]]:
        """Join a table during a block: its owner Olga, and Bert, who sits down."""
        async with (
            self.join(address) as olga,
            self.join(parse_address(address.page), "Bert") as bert,
        ):
            # A name is also shown while its person only watches.
            await olga.until(lambda: olga.sees_seated("Bert"))
            await bert.until(lambda: bert.sees_seated("Bert"))
            yield olga, bert


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Return a server that all tests of a module share."""
    with live_server(tmp_path_factory.mktemp("tables")) as server:
        yield server


@pytest.fixture
def terminals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminals:
    """Return terminals whose keys count however fast they come."""
    monkeypatch.setattr(key_repeat, "REPEAT_EVERY", 0.0)
    monkeypatch.setattr(screen_of_result, "GRACE", 0.0)
    return Terminals(tmp_path, monkeypatch)
