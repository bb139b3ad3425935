"""A server with tables that only note what they get, run by uvicorn in a thread."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from tests.kit.waiting import PATIENCE, wait_until
from typing_extensions import override
from websockets.sync.client import ClientConnection, connect

from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.online.server.client import ClientChannel
from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.table_interface import (
    FinishedGame,
    LobbyError,
    TableInterface,
    Tables,
    UnknownTableError,
)
from cardhub.online.server.web.serving import TableServer, listen, table_server
from cardhub.online.wire.client_messages import AnyClientMessage, Enter, Say
from cardhub.online.wire.server_messages import ChatLine, ChatMessage, Welcome
from cardhub.online.wire.wire_codec import (
    CreatedTable,
    LobbyState,
    NewTable,
    OwnGames,
    OwnResults,
    TableOffer,
)
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.table_messages import GameOutcome

TOKEN = "right"
BOT_TOKEN = "right for a bot"


class EchoTable(TableInterface):
    """Accepts clients with the right token or none, and sends every chat line to all of them."""

    def __init__(self) -> None:
        self.channels: list[ClientChannel] = []
        self.left = 0
        self.received: list[AnyClientMessage] = []
        self.scheduler = LoopScheduler()
        self.bot: NetworkBot | None = None

    @override
    def network_bot(self, token: str) -> NetworkBot | None:
        # Made here, in the loop of the server, which its scheduler thus finds.
        self.scheduler.call_soon(lambda: None)
        self.bot = self.bot or NetworkBot(self.scheduler)
        return self.bot if token == BOT_TOKEN else None

    @override
    def enter(self, channel: ClientChannel, message: Enter) -> bool:
        if message.token not in ("", TOKEN):
            channel.close("unknown token. fix: ask for a new link")
            return False
        self.channels.append(channel)
        channel.send(Welcome(table="abc", viewer=0, is_owner=True))
        return True

    @override
    def receive(self, channel: ClientChannel, message: AnyClientMessage) -> None:
        self.received.append(message)
        if isinstance(message, Say) and message.text == "fail":
            raise RuntimeError("planted")
        if isinstance(message, Say):
            line = ChatLine(seat=0, name="Anna", text=message.text)
            for other in self.channels:
                other.send(ChatMessage(since=0, lines=(line,)))

    @override
    def leave(self, channel: ClientChannel) -> None:
        if channel in self.channels:
            self.channels.remove(channel)
            self.left += 1


class EchoTables(Tables):
    """One table, `abc`."""

    def __init__(self) -> None:
        self.table = EchoTable()
        self.created: list[NewTable] = []
        self.addresses: list[str] = []
        self.loop: asyncio.AbstractEventLoop | None = None

    @override
    def begin(self) -> None:
        self.loop = asyncio.get_running_loop()

    @override
    def find(self, table: str) -> TableInterface:
        if table != "abc":
            raise UnknownTableError("there is no such table. fix: ask for its link again")
        return self.table

    @override
    def create(self, request: NewTable, address: str = "") -> CreatedTable:
        if request.game == "none":
            raise LobbyError("there is no game 'none'. fix: choose another one")
        self.created.append(request)
        self.addresses.append(address)
        return CreatedTable(table="abc", token=TOKEN)

    @override
    def listed(self) -> LobbyState:
        return LobbyState(games=(), tables=())

    @override
    def own_offer(self, table: str, token: str) -> TableOffer | None:
        if table != "abc":
            raise UnknownTableError("there is no such table. fix: ask for its link again")
        offer = TableOffer(table="abc", game="gamon", title="Gamon", stage="open", names=(), free=2)
        return offer if token == TOKEN else None

    @override
    def own_games(self, table: str, token: str) -> OwnGames | None:
        return OwnGames(games=()) if token == TOKEN else None

    @override
    def own_results(self, outcomes: Sequence[GameOutcome]) -> OwnResults:
        return OwnResults(heads=(), rows=())

    @override
    def replay(self, table: str, number: int) -> FinishedGame | None:
        return None

    @override
    def close(self) -> None:
        for channel in tuple(self.table.channels):
            channel.close("the server ends", is_final=False)


class RunningServer:
    """A server in a separate thread; `address` is `127.0.0.1:PORT`."""

    def __init__(self, tables: EchoTables, server: TableServer, port: int) -> None:
        self.tables = tables
        self.table = tables.table
        self.server = server
        self.address = f"127.0.0.1:{port}"

    def in_loop(self, call: Callable[[], object]) -> None:
        """Call a function in the thread of the server."""
        assert self.tables.loop is not None
        self.tables.loop.call_soon_threadsafe(call)

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return f"http://{self.address}"


@contextmanager
def enter(live: RunningServer, table: str = "abc", **values: Any) -> Iterator[ClientConnection]:
    """Connect and send the first message."""
    with connect(f"ws://{live.address}/ws/{table}", max_size=None) as client:
        say(client, type="enter", version=2, **values)
        yield client


def say(client: ClientConnection, **message: Any) -> None:
    """Send a message."""
    client.send(json.dumps(message))


def heard(client: ClientConnection) -> dict[str, Any]:
    """Return the next message."""
    message = json.loads(client.recv(timeout=PATIENCE))
    assert isinstance(message, dict)
    return message


@contextmanager
def running(options: ServerOptions, tables: EchoTables | None = None) -> Iterator[RunningServer]:
    """Run a server during a block."""
    tables = tables or EchoTables()
    with listen(options) as listening:
        server = table_server(tables, options, listening)
        thread = Thread(target=server.run)
        thread.start()
        try:
            wait_until(lambda: server.started)
            yield RunningServer(tables, server, listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive()


@pytest.fixture(scope="module")
def live() -> Iterator[RunningServer]:
    """Return a server that all tests of a module share."""
    with running(ServerOptions(port=0)) as server:
        yield server
