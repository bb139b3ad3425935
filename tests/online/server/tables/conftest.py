"""Tables with a clock that tests drive, and clients without a network."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.play.host.conftest import FakeScheduler
from typing_extensions import override

from cardhub.online.remote.remote_client import ChatLog
from cardhub.online.server.client import ClientChannel
from cardhub.online.server.tables.lobby import Lobby
from cardhub.online.server.tables.served_table import ServedTable
from cardhub.online.server.tables.storage.disk_syncs import DiskSyncs
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.online.wire.wire_codec import NewTable, decode_server, encode_message
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t
from cardhub.play.host.opening import Opener
from cardhub.play.host.saved.editions import Editions
from cardhub.plugins.registry import PluginRegistry, find_plugins

M = TypeVar("M", bound=t.ServerMessage)
REGISTRY = find_plugins()


class FakeClient(ClientChannel):
    """A client that keeps what it gets, encoded as it would be sent."""

    def __init__(self, server: "FakeServer", table: str, token: str = "") -> None:
        self.server, self.table, self.token = server, table, token
        self.messages: list[Any] = []
        self.log: list[Any] = []
        self._chat = ChatLog()
        self.closed = ""
        self.is_final = False

    @override
    def send(self, message: s.AnyServerMessage | bytes) -> None:
        data = message if isinstance(message, bytes) else encode_message(message)
        got = decode_server(data)
        self.messages.append(got)
        if isinstance(got, s.Welcome):
            self.token = got.token or self.token
        elif isinstance(got, t.LogMessage):
            self.log = [line for line in self.log if line.step < got.since] + [*got.lines]
        elif isinstance(got, s.ChatMessage):
            self._chat.add(got)

    @override
    def show(self, table: bytes) -> None:
        self.send(table)

    @override
    def close(self, why: str, *, is_final: bool = True) -> None:
        self.closed, self.is_final = why, is_final

    @property
    def served(self) -> ServedTable:
        """The current table in the lobby."""
        return self.server.lobby.find(self.table)

    def enter(self, **given: Any) -> "FakeClient":
        """Enter the table."""
        message = m.Enter(version=m.WIRE_VERSION, token=self.token, **given)
        self.served.enter(self, message)
        self.server.wait()
        return self

    def tell(self, message: m.AnyClientMessage) -> "FakeClient":
        """Send a message, and run the table until it has answered."""
        self.served.receive(self, message)
        self.server.wait()
        return self

    def leave(self) -> None:
        """End the connection."""
        self.served.leave(self)
        self.server.wait()

    def last(self, kind: type[M]) -> M:
        """Return the last message of a kind."""
        return next(message for message in reversed(self.messages) if isinstance(message, kind))

    def count(self, kind: type[M]) -> int:
        """Return the number of messages of a kind."""
        return sum(isinstance(message, kind) for message in self.messages)

    @property
    def chat(self) -> list[s.ChatLine]:
        """The lines of the chat, as a client shows them."""
        return self._chat.lines

    @property
    def state(self) -> s.TableState:
        """The last state of the table."""
        return self.last(s.TableState)

    @property
    def viewer(self) -> int:
        """The own seat, or the number of seats."""
        return self.last(s.Welcome).viewer

    @property
    def table_message(self) -> t.TableMessage:
        """The last view with all around it."""
        return self.last(t.TableMessage)

    @property
    def refusal(self) -> str:
        """Why the last message was refused."""
        return self.last(t.Refused).why

    def act(self, choice: int = 0) -> "FakeClient":
        """Take a choice of the last view."""
        view = self.table_message.view
        return self.tell(c.Act(action=view.choices[choice].action, rev=view.revision))


class FakeServer:
    """A lobby with a fake clock, whose bots answer without delay."""

    def __init__(
        self,
        folder: Path,
        limits: TableLimits | None = None,
        syncs: DiskSyncs | None = None,
        collected: Sequence[str] = (),
    ) -> None:
        self.folder, self.limits, self.syncs, self.collected = folder, limits, syncs, collected
        self.registry: PluginRegistry = REGISTRY
        self.editions = Editions()
        self.clock = FakeScheduler()
        # Seconds by which the system's time has been set.
        self.clock_offset = 0.0
        self.called: list[tuple[str, str, str, str]] = []
        self._servers: list[Lobby] = []
        self.start()

    def start(self) -> None:
        """Start a server on the folder as after a kill, with only the folder left."""
        self._kill()
        opener = Opener(self.registry, self.clock, pace=0, is_inline=True, editions=self.editions)
        self.lobby = Lobby(
            self.folder,
            opener,
            self.limits,
            time=lambda: 1e9 + self.clock.time + self.clock_offset,
            call_person=lambda *call: self.called.append(call[:4]),
            syncs=self.syncs,
            collected=self.collected,
        )
        self._servers = [self.lobby]
        self.lobby.begin()
        self.wait()

    def _kill(self) -> None:
        """Drop the server: the system releases its locks, and no callback of it runs again."""
        tables = [table for lobby in self._servers for table in lobby.loaded.values()]
        for host in [table.context.host for table in tables]:
            if host is not None:
                host.resources.close()
        now, self.clock = self.clock.time, FakeScheduler()
        self.clock.time = now

    def wait(self, seconds: float = 0) -> None:
        """Let time pass."""
        self.clock.wait(seconds)

    def create(self, game: str = "gamon", name: str = "Anna", **given: Any) -> FakeClient:
        """Make a table and return its owner, who has entered."""
        made = self.lobby.create(NewTable(game=game, name=name, **given))
        return FakeClient(self, made.table, made.token).enter()

    def visit(self, table: FakeClient, token: str = "") -> FakeClient:
        """Return a client who has entered the table of another one."""
        return FakeClient(self, table.table, token).enter()

    def seated(self, owner: FakeClient, name: str = "Bob") -> FakeClient:
        """Return a client who has sat down."""
        return self.visit(owner).tell(m.Sit(name=name))


@pytest.fixture
def server(tmp_path: Path) -> FakeServer:
    """Return a lobby in an empty folder."""
    return FakeServer(tmp_path / "tables")


def started(server: FakeServer, game: str = "gamon", **given: Any) -> tuple[FakeClient, FakeClient]:
    """Return two people at a game that has begun, the one to act first."""
    anna = server.create(game, **given)
    bob = server.seated(anna)
    anna.tell(m.Start())
    return (anna, bob) if anna.table_message.view.choices else (bob, anna)


def notes(server: FakeServer, client: FakeClient, number: int = 1) -> list[dict[str, Any]]:
    """Return the lines of the record that are neither actions nor the deal."""
    path = server.folder / client.table / f"game-{number}.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    return [line for line in lines if {"note", "player", "takeback"} & line.keys()]


def finish(*clients: FakeClient) -> None:
    """Take the first choice of each person until the game is over."""
    for _ in range(2000):
        if clients[0].state.stage == "over":
            return
        for client in clients:
            if client.table_message.summaries:
                client.tell(c.PaceCommand(command="read"))
            if client.table_message.view.choices:
                client.act()
    raise AssertionError("the game does not end")
