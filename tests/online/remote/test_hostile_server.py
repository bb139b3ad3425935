"""Hostile servers: the client ends with one sentence, or retries; it never crashes."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic, process_time

import pytest
from tests.kit.waiting import PATIENCE, until_holds
from tests.online.remote.conftest import Mirror
from tests.play.host.conftest import Table
from websockets.asyncio.server import ServerConnection, serve

from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.remote.table_address import parse_address
from cardhub.online.remote.table_client import open_table
from cardhub.online.remote.table_connection import BURST, MESSAGES_A_SECOND, MOST_BYTES, Patience
from cardhub.online.wire.client_messages import Ping
from cardhub.online.wire.server_messages import Closed, Pong, Welcome
from cardhub.online.wire.wire_codec import encode_message
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.plugins.registry import find_plugins

Handler = Callable[[ServerConnection], Awaitable[None]]
QUICK = Patience(PATIENCE, PATIENCE, PATIENCE, shortest=0.01, longest=0.05, closing=0.1)
# A self-signed certificate for cards.example.org.
CERTIFICATE = Path(__file__).parent / "self_signed.pem"
HELLO = encode_message(Welcome(table="abc", viewer=0, is_owner=False)).decode()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep seats for this test alone."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path))


@asynccontextmanager
async def joined(
    handler: Handler, tls: ssl.SSLContext | None = None
) -> AsyncIterator[RemoteClient]:
    """Connect a client with a server that handles its connection for a block."""
    async with serve(handler, "127.0.0.1", 0, max_size=None, ssl=tls) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        address = parse_address(f"http{'s' if tls else ''}://127.0.0.1:{port}/t/abc")
        client = open_table(address, LoopScheduler(), patience=QUICK)
        assert client.connection is not None
        task = asyncio.create_task(client.connection.run())
        try:
            yield client
        finally:
            client.leave()
            await task


def says(*messages: str | bytes) -> Handler:
    """Return a handler that sends messages and then waits for the client to leave."""

    async def handle(socket: ServerConnection) -> None:
        for message in messages:
            await socket.send(message)
        await socket.wait_closed()

    return handle


def game_of(name: str) -> tuple[str, str]:
    """Return the messages of a game and its first view."""
    mirror = Mirror(Table(find_plugins().game(name), people=(0, 1), seats=2).begin(), 0)
    game, table = mirror._game(), mirror.table_message()
    return encode_message(game).decode(), encode_message(table).decode()


@pytest.mark.parametrize(
    "message",
    ["no json", '{"type": "table"}', b"\xff", "[" * 100_000, '{"type": "welcome", "version": 99}'],
    ids=["text", "incomplete", "bytes", "deep", "types"],
)
async def test_nonsense_ends_the_client(message: str | bytes) -> None:
    async with joined(says(message)) as client:
        await until_holds(lambda: client.failure)
        assert "invalid message" in str(client.failure)


async def test_another_version_ends_the_client() -> None:
    hello = encode_message(Welcome(version=99, table="abc", viewer=0, is_owner=False))
    async with joined(says(hello.decode())) as client:
        await until_holds(lambda: client.failure)
        assert "version 99" in str(client.failure)


async def test_a_huge_message_is_not_read() -> None:
    """The connection is given up before it is in memory as a whole."""
    async with joined(says(HELLO, "x" * (MOST_BYTES + 1))) as client:
        await until_holds(lambda: client.failure)
        assert "4,194,304 bytes" in str(client.failure)


async def test_a_view_that_cannot_be_drawn_ends_the_client() -> None:
    game, table = game_of("gamon")
    broken = table.replace('"to_act":0', '"to_act":50').replace('"to_act":1', '"to_act":50')
    async with joined(says(HELLO, game, broken)) as client:
        await until_holds(lambda: client.failure)
        assert "invalid view" in str(client.failure)
        assert client.model is None


async def test_a_view_before_its_game_ends_the_client() -> None:
    _, table = game_of("gamon")
    async with joined(says(HELLO, table)) as client:
        await until_holds(lambda: client.failure)
        assert "before its game" in str(client.failure)


async def test_endless_views_do_not_stop_the_front_end() -> None:
    """Its loop goes on, and the client can be left."""
    game, table = game_of("gamon")

    async def flood(socket: ServerConnection) -> None:
        await socket.send(HELLO)
        await socket.send(game)
        while True:
            await socket.send(table)
            await asyncio.sleep(0)

    async with joined(flood) as client:
        await until_holds(lambda: client.model)
        turns, used = 0, process_time()
        while process_time() - used < 0.5:
            await asyncio.sleep(0)
            turns += 1
        assert turns > 10


async def test_a_game_that_is_not_installed_here_is_shown() -> None:
    """Views, cards and rules come from the server: no plugin is needed."""
    game, table = (text.replace("gamon", "nowhere") for text in game_of("gamon"))
    async with joined(says(HELLO, game, table)) as client:
        await until_holds(lambda: client.model)
        assert client.model is not None
        assert client.model.view().game == "nowhere"
        assert "nowhere" not in find_plugins().game_names()


async def test_a_server_that_ends_the_connection_for_good_is_not_asked_again() -> None:
    why = encode_message(Closed(why="this link has ended. fix: ask for a new one")).decode()
    async with joined(says(HELLO, why)) as client:
        await until_holds(lambda: client.failure)
        assert str(client.failure) == "this link has ended. fix: ask for a new one"


async def test_a_wrong_certificate_ends_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is self-signed, or for another name; the client sends no token to this server."""
    visits: list[ServerConnection] = []

    async def handle(socket: ServerConnection) -> None:
        visits.append(socket)

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE)
    for trusted, why in (("", "self-signed"), (str(CERTIFICATE), "not valid for '127.0.0.1'")):
        if trusted:
            monkeypatch.setenv("SSL_CERT_FILE", trusted)
        async with joined(handle, tls) as client:
            await until_holds(lambda rejected=client: rejected.failure)  # type: ignore[misc]  # by default
            assert "the certificate of https://127.0.0.1" in str(client.failure)
            assert why in str(client.failure)
            assert "fix: " in str(client.failure)
    assert visits == []


async def test_a_restart_is_no_end() -> None:
    """After `closed` that is not final, the client reconnects."""
    visits: list[str] = []

    async def handle(socket: ServerConnection) -> None:
        visits.append(str(await socket.recv()))
        await socket.send(HELLO)
        if len(visits) == 1:
            await socket.send(encode_message(Closed(why="restart", is_final=False)).decode())
        await socket.wait_closed()

    async with joined(handle) as client:
        await until_holds(lambda: len(visits) == 2 and client.is_connected)
        assert client.failure is None


async def test_a_stalled_network_is_noticed() -> None:
    """A proxy keeps the connection but forwards no bytes, so heartbeats get no answer."""
    ends: list[asyncio.StreamWriter] = []
    is_stalled = asyncio.Event()

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if is_stalled.is_set():
                continue
            writer.write(data)

    async with serve(says(HELLO), "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]

        async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            ends.extend((writer, far_writer))
            await asyncio.gather(pipe(reader, far_writer), pipe(far_reader, writer))

        proxy = await asyncio.start_server(pass_on, "127.0.0.1", 0)
        address = parse_address(f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}/t/abc")
        # A handshake that begins during the stall is lost: then another one has to begin.
        alert = QUICK._replace(heartbeat=0.1, answer=2.0, opening=2.0)
        client = open_table(address, LoopScheduler(), patience=alert)
        assert client.connection is not None
        task = asyncio.create_task(client.connection.run())
        await until_holds(lambda: client.is_connected and client.welcome)
        is_stalled.set()
        at = monotonic()
        await until_holds(lambda: client.banner)
        assert monotonic() - at < PATIENCE / 2
        is_stalled.clear()
        await until_holds(lambda: not client.banner)
        client.leave()
        await task
        for end in ends:
            end.close()
        proxy.close()


async def test_messages_are_sent_no_faster_than_a_server_takes_them() -> None:
    got: list[str] = []

    async def handle(socket: ServerConnection) -> None:
        await socket.send(HELLO)
        async for message in socket:
            got.append(str(message))
            if "ping" in str(message):
                await socket.send(encode_message(Pong()).decode())

    async with joined(handle) as client:
        await until_holds(lambda: client.is_connected)
        begun = monotonic()
        for number in range(40):
            client.send(Ping(), "same" if number % 2 else "")
        await until_holds(lambda: len(got) == 22)  # the greeting, and 21 of them
        assert monotonic() - begun >= (21 - BURST) / MESSAGES_A_SECOND
        await asyncio.sleep(0.2)
        assert len(got) == 22
