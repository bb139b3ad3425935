"""A client's connection: greeting, messages both ways, and clients that attack."""

import socket
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import urandom
from struct import pack
from time import monotonic

import pytest
from tests.kit.waiting import wait_until
from tests.online.server.conftest import TOKEN, RunningServer, enter, heard, running, say
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from cardhub.online.server import connection
from cardhub.online.server.limits import PUBLIC_LIMITS, RateLimit
from cardhub.online.server.repeated_log import RepeatedLog
from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.web.uvicorn_protocols import LOG, AbortableWebSocket


def test_a_client_that_enters_is_greeted_and_hears_what_the_table_says(live: RunningServer) -> None:
    left = live.table.left
    with enter(live, token=TOKEN) as client:
        assert heard(client)["type"] == "welcome"
        say(client, type="say", text="hello")
        assert heard(client)["lines"][0]["text"] == "hello"
        say(client, type="ping")
        assert heard(client) == {"type": "pong"}
    wait_until(lambda: live.table.left == left + 1)


@pytest.mark.parametrize("table", ["xyz", "%00", "..", "a" * 2000])
def test_an_unknown_table_is_closed_with_the_reason(live: RunningServer, table: str) -> None:
    """`is_final` is true by default."""
    with enter(live, table) as client:
        assert heard(client) == {
            "type": "closed",
            "why": "there is no such table. fix: ask for its link again",
        }
        with pytest.raises(ConnectionClosed, match="1000"):
            heard(client)


def test_a_client_of_another_version_is_told_what_to_do(live: RunningServer) -> None:
    with connect(f"ws://{live.address}/ws/abc") as client:
        say(client, type="enter", version=3, new_key=True)
        why = heard(client)["why"]
    assert why == (
        "the client has protocol version 3, the server has 2. "
        "fix: update the server, or reload the page"
    )


@pytest.mark.parametrize(
    ("first", "why"),
    [
        ({"type": "ping"}, "the first message is not `enter`"),
        ({"type": "act", "action": 0, "rev": 0}, "the first message is not `enter`"),
        ({"type": "enter"}, "version"),
        ({"type": "enter", "version": 0}, "version 0 is unknown"),
        ({"type": "enter", "version": 2, "token": "x" * 65}, "token"),
        ({"type": "enter", "version": 2, "seat": 0}, "seat"),
    ],
)
def test_nothing_but_enter_opens_a_table(
    live: RunningServer, first: dict[str, object], why: str
) -> None:
    """The table hears of none of them."""
    before = len(live.table.channels), len(live.table.received)
    with connect(f"ws://{live.address}/ws/abc") as client:
        say(client, **first)
        closed = heard(client)
    assert closed["type"] == "closed"
    assert why in closed["why"]
    assert (len(live.table.channels), len(live.table.received)) == before


def test_a_client_that_says_nothing_is_closed(
    live: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would keep its connection for ever."""
    monkeypatch.setattr(connection, "ENTER_WITHIN", 0.1)
    with connect(f"ws://{live.address}/ws/abc") as client:
        assert heard(client)["why"] == "no message came in time. fix: send `enter` first"


def test_enter_comes_once(live: RunningServer) -> None:
    """A second one could pretend to be another person."""
    with enter(live) as client:
        heard(client)
        say(client, type="enter", version=2, token=TOKEN)
        assert "`enter` came twice" in heard(client)["why"]


def test_binary_messages_are_refused(live: RunningServer) -> None:
    with enter(live) as client:
        heard(client)
        client.send(b'{"type":"ping"}')
        assert (
            heard(client)["why"]
            == "binary messages are not allowed. fix: send JSON as text messages"
        )


def test_a_message_that_is_not_understood_is_refused_and_the_table_goes_on(
    live: RunningServer,
) -> None:
    received = len(live.table.received)
    with enter(live) as client:
        heard(client)
        for text in ('{"type":"say","text":1}', "[" * 3000, '{"type":"act","action":NaN}', "{}"):
            client.send(text)
            assert heard(client)["type"] == "refused"
        client.send('{"type":"say","text":"' + "x" * 5000 + '"}')
        assert "fix: send at most 4096" in heard(client)["why"]
        say(client, type="ping")
        assert heard(client) == {"type": "pong"}
    assert len(live.table.received) == received


def test_a_huge_message_ends_the_connection(live: RunningServer) -> None:
    """It is not read to its end."""
    with enter(live) as client:
        heard(client)
        client.send("x" * 20_000)
        with pytest.raises(ConnectionClosed, match="1009"):
            heard(client)


def test_a_fault_of_one_table_is_told_to_one_client(
    live: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The server logs its traceback, and goes on."""
    with enter(live, token=TOKEN) as client:
        heard(client)
        say(client, type="say", text="fail")
        assert heard(client) == {"type": "refused", "why": connection.FAILED}
        say(client, type="say", text="on")
        assert heard(client)["type"] == "chat"
    assert "RuntimeError: planted" in caplog.text
    assert TOKEN not in caplog.text


@pytest.mark.parametrize("frame", [b"\x81\x81\0\0\0\0\xff", b"\x83\x80\0\0\0\0", b"\x81\x02hi"])
def test_invalid_frames_are_logged_once_with_their_table(
    live: RunningServer,
    frame: bytes,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The end of the connection has no traceback, and the client's address is not logged."""
    monkeypatch.setattr(AbortableWebSocket, "problems", RepeatedLog(LOG, lambda *_: None))
    for _ in range(5):
        with enter(live) as client:
            heard(client)
            client.socket.sendall(frame)
            with pytest.raises(ConnectionClosed, match=r"1007|1002"):
                heard(client)
    [record] = caplog.records
    assert record.getMessage().startswith("a client of table abc sent an invalid frame: ")
    assert record.exc_info is None
    assert "127.0.0.1" not in record.getMessage()


def test_an_address_has_a_rate_of_chat_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """For all its devices and tables together."""
    limits = PUBLIC_LIMITS._replace(chat=RateLimit(3, 0.001))
    monkeypatch.setattr("cardhub.online.server.server_options.LOCAL_LIMITS", limits)
    with running(ServerOptions(port=0)) as live, enter(live) as first, enter(live) as second:
        for client in (first, second):
            heard(client)
        for _ in range(3):
            say(first, type="say", text="hello")
            assert heard(first)["type"] == heard(second)["type"] == "chat"
        for client in (first, second):
            say(client, type="say", text="hello")
            assert heard(client)["why"].startswith("your address has written too many lines. fix")


def test_a_flood_is_read_slowly_and_others_do_not_notice(live: RunningServer) -> None:
    """A burst of forty messages, then twenty a second."""
    with enter(live) as flood, enter(live) as other:
        heard(flood)
        heard(other)
        begin, pongs = monotonic(), 0
        for _ in range(300):  # enough for a quarter of a minute
            say(flood, type="ping")
        say(other, type="ping")
        assert heard(other) == {"type": "pong"}
        with suppress(TimeoutError):
            while flood.recv(timeout=0):
                pongs += 1
        assert pongs < 290
        for _ in range(100 - pongs):  # none if others were late
            assert heard(flood) == {"type": "pong"}
        assert monotonic() - begin > 2.7


@contextmanager
def deaf(live: RunningServer) -> Iterator[socket.socket]:
    """Connect a client that enters and then never reads."""
    host, port = live.address.split(":")
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect((host, int(port)))
        key = b64encode(urandom(16)).decode()
        raw.sendall(
            f"GET /ws/abc HTTP/1.1\r\nHost: {live.address}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b"101" in raw.recv(4096).split(b"\r\n")[0]
        raw.sendall(frame(0x81, b'{"type":"enter","version":2,"token":"right"}'))
        yield raw


def frame(head: int, data: bytes) -> bytes:
    """Return a masked frame of a WebSocket; the mask is zero."""
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + pack("!H", len(data))
    return bytes([head]) + length + bytes(4) + data


def test_a_client_that_does_not_read_is_closed_and_others_get_all(live: RunningServer) -> None:
    """What waits for it is bounded; 20 MB would be the rest."""
    table = live.table
    wait_until(lambda: not table.channels)  # those of an earlier test may still be leaving
    left = table.left
    with enter(live) as other, deaf(live):
        heard(other)
        wait_until(lambda: len(table.channels) == 2)
        line = b'{"type":"log","since":0,"lines":[]}'.ljust(100_000)

        def tell() -> None:
            for channel in tuple(table.channels):
                channel.send(line)

        for _ in range(200):
            live.in_loop(tell)
            assert heard(other)["type"] == "log"
        wait_until(lambda: table.left == left + 1)


def test_a_client_that_floods_with_frames_and_reads_nothing_is_closed(live: RunningServer) -> None:
    """Pongs would fill the memory, and so would parts of a message that never ends."""
    left = live.table.left
    pings = frame(0x89, b"x" * 125) * 1000
    for first, more in ((b"", pings), (frame(0x01, b""), frame(0x00, b"") * 1000)):
        with deaf(live) as raw:
            raw.sendall(first)
            with pytest.raises(ConnectionError):
                send_for_ever(raw, more)
    wait_until(lambda: live.table.left == left + 2)


def send_for_ever(raw: socket.socket, data: bytes) -> None:
    """Send the same bytes until the server closes the connection."""
    while True:
        raw.sendall(data)


def test_a_newer_view_replaces_one_that_waits(live: RunningServer) -> None:
    """A client that pauses is not shown what is past, and gets every line of the log."""
    with enter(live) as client:
        heard(client)
        channel = live.table.channels[-1]

        def tell() -> None:
            for number in range(100):
                channel.show(b'{"type":"table","view":%d}' % number)
                channel.send(b'{"type":"log","since":%d}' % number)

        live.in_loop(tell)
        messages = [heard(client) for _ in range(101)]
    assert [m["since"] for m in messages if m["type"] == "log"] == list(range(100))
    assert [m["view"] for m in messages if m["type"] == "table"] == [99]


def test_a_client_that_does_not_answer_pings_is_closed(
    live: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stalled network is noticed within 40 s; here within some tenths of a second."""
    monkeypatch.setattr(live.server.config, "ws_ping_interval", 0.1)
    monkeypatch.setattr(live.server.config, "ws_ping_timeout", 0.1)
    left = live.table.left
    with deaf(live):
        wait_until(lambda: live.table.left == left + 1)


def test_pings_are_answered_within_forty_seconds(live: RunningServer) -> None:
    """The settings that the test above shortens."""
    config = live.server.config
    assert (config.ws_ping_interval or 0) + (config.ws_ping_timeout or 0) == 40
