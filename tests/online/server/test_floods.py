"""Clients that open many connections, reconnect in a loop, or send expensive requests."""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from os import urandom
from time import monotonic, sleep
from typing import Any
from urllib.request import Request, urlopen

import pytest
from starlette.websockets import WebSocket
from tests.kit.waiting import PATIENCE, wait_until
from tests.online.server.conftest import RunningServer, enter, heard, running, say
from typing_extensions import override
from websockets.exceptions import InvalidStatus

from cardhub.online.server import connection
from cardhub.online.server.limits import PUBLIC_LIMITS, LimitSet, RateLimit, WaitingBytes
from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.web import uvicorn_protocols
from cardhub.online.server.web.serving import with_mapped

LIMITS = PUBLIC_LIMITS._replace(
    page_connections=5,
    new_sockets=RateLimit(3, 0.01),
    work=RateLimit(0.1, 0.02),
    received=RateLimit(10_000, 5_000),
)


class Tight(ServerOptions):
    """Options with few connections for an address."""

    __slots__ = ()

    @property
    @override
    def limits(self) -> LimitSet:
        return LIMITS


@pytest.fixture
def tight() -> Iterator[RunningServer]:
    """Run a server that allows an address five connections for pages, and three visits."""
    with running(Tight(port=0)) as live:
        yield live


def is_open(client: socket.socket) -> bool:
    """Return whether the server keeps a connection."""
    client.settimeout(0.05)
    try:
        return client.recv(65536) != b""
    except TimeoutError:
        return True
    except ConnectionError:
        return False


def test_connections_without_a_request_are_limited_for_an_address(tight: RunningServer) -> None:
    host, _, port = tight.address.partition(":")
    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection((host, int(port)))) for _ in range(8)
        ]
        wait_until(lambda: [is_open(client) for client in clients] == [True] * 5 + [False] * 3)
        clients[0].close()

        def comes_in() -> bool:
            return is_open(stack.enter_context(socket.create_connection((host, int(port)))))

        wait_until(comes_in)  # as soon as the server has noticed


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /tables HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        b"Content-Type: application/json\r\nContent-Length: 900\r\n\r\n",
    ],
)
def test_a_request_that_comes_byte_by_byte_is_cut_off(
    live: RunningServer, monkeypatch: pytest.MonkeyPatch, begin: bytes
) -> None:
    """Its head has 10 seconds, all of it a minute; here a hundredth of that."""
    monkeypatch.setattr(uvicorn_protocols, "CHECK_EVERY", 0.1)
    host, _, port = live.address.partition(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(begin)

        def is_cut() -> bool:
            with suppress(OSError):
                client.sendall(b"a")
            return not is_open(client)

        wait_until(is_cut)


def test_a_head_without_an_end_is_cut_off(live: RunningServer) -> None:
    """What waits to be understood is bounded."""
    host, _, port = live.address.partition(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(b"GET / HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):
            client.sendall(b"X-A: a\r\n" * 2_000_000)


def test_a_client_that_comes_again_and_again_waits(
    tight: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Each new connection causes a broadcast; the status makes clients retry later."""
    for _ in range(3):
        with enter(tight) as client:
            heard(client)
    with pytest.raises(InvalidStatus) as refused, enter(tight):
        pass
    assert refused.value.response.status_code == 429
    assert not caplog.records


def test_a_visit_is_no_connection_for_pages(tight: RunningServer) -> None:
    with enter(tight), enter(tight), enter(tight):
        host, _, port = tight.address.partition(":")
        with ExitStack() as stack:
            address = host, int(port)
            clients = [stack.enter_context(socket.create_connection(address)) for _ in range(5)]
            assert all(map(is_open, clients))


def test_messages_that_cost_much_are_read_slowly(
    tight: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address gets a share of the processor, and the tables of others continue."""
    monkeypatch.setattr(type(tight.table), "receive", lambda *_: sleep(0.1))
    monkeypatch.setattr(connection, "LONGEST_WAIT", 1.2)
    with enter(tight) as client:
        heard(client)
        begun = monotonic()
        for kind in ("undo", "undo", "ping"):
            say(client, type=kind)
        assert heard(client) == {"type": "pong"}
        assert monotonic() - begun > 1


@pytest.mark.parametrize("is_message", [True, False])
def test_more_bytes_than_an_address_may_send_are_read_slowly(
    tight: RunningServer, is_message: bool
) -> None:
    with enter(tight) as client:
        heard(client)
        begun = monotonic()
        # Send each message after the previous answer, because a burst is read in one go.
        for _ in range(8 if is_message else 240):
            if is_message:
                client.send("x" * 4000)
                assert heard(client)["type"] == "refused"
            else:
                assert client.ping(urandom(120)).wait(PATIENCE)
        # 28 kB before the last one: a burst of ten, then five a second.
        assert monotonic() - begun > 3


async def test_clients_of_one_address_share_the_room_for_what_they_do_not_take() -> None:
    waiting, cut = WaitingBytes(1000), list[str]()

    def client(name: str, address: str) -> connection.Connection:
        async def never(*_: object) -> Any:
            raise AssertionError("this client does nothing")

        async def write(_: Sequence[bytes]) -> None:
            await never()

        room = waiting.room(address)
        websocket = WebSocket({"type": "websocket"}, never, never)
        return connection.Connection(websocket, lambda: cut.append(name), write, room)

    one, other = client("one", "2001:db8::1"), client("other", "2001:db8::2")
    stranger = client("stranger", "10.0.0.1")
    one.send(b"x" * 600)
    other.send(b"x" * 600)
    stranger.send(b"x" * 600)
    assert cut == ["other"]
    # A table that replaces another one takes no more room.
    for _ in range(5):
        one.show(b"x" * 200)
    assert cut == ["other"]


@pytest.mark.parametrize("peer", ["127.0.0.1", "::ffff:127.0.0.1"])
def test_a_proxy_is_known_by_both_of_its_names(peer: str) -> None:
    """A server on all interfaces gets IPv4 addresses as mapped IPv6 addresses."""
    from uvicorn.middleware.proxy_headers import _TrustedHosts

    assert peer in _TrustedHosts(with_mapped(["127.0.0.0/8"]))
    assert "10.0.0.1" not in _TrustedHosts(with_mapped(["127.0.0.0/8"]))


class Guarded(ServerOptions):
    """Options with twenty failures for an address, which it has again after hours."""

    __slots__ = ()

    @property
    @override
    def limits(self) -> LimitSet:
        return PUBLIC_LIMITS._replace(failed_tokens=RateLimit(20, 0.001))


@pytest.mark.parametrize(("proxies", "statuses"), [(("127.0.0.1",), [403, 403]), ((), [403, 429])])
def test_an_address_behind_a_proxy_counts_only_where_the_proxy_is_trusted(
    proxies: tuple[str, ...], statuses: list[int]
) -> None:
    """Anyone could send the header; the last address is that which the proxy has seen."""
    options = Guarded(port=0, origins=("http://localhost",), proxies=proxies, key="right")
    with running(options) as live:

        def guess(address: str) -> int:
            headers = {
                "Content-Type": "application/json",
                "Origin": "http://localhost",
                "X-Forwarded-For": f"1.1.1.1, {address}",
            }
            body = json.dumps({"game": "kuhn", "name": "Anna", "key": "wrong"}).encode()
            try:
                urlopen(Request(f"{live.origin}/tables", body, headers))
            except OSError as error:
                return int(getattr(error, "code", 0))
            return 0

        for _ in range(20):
            assert guess("8.8.8.8") == 403
        assert guess("8.8.8.8") == 429
        assert [403, guess("9.9.9.9")] == statuses
