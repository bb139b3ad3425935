"""Subclasses of two protocol classes of uvicorn, which save memory and abort stalled clients.

They depend on uvicorn's internals. `UVICORN_NAMES` lists the names that are overridden or used, and
a test compares them with the installed version; they were checked with uvicorn 0.54. What this
saves: a WebSocket takes 19 kB of memory instead of 31 kB (Inbox, no layers of Starlette, no headers
after the handshake), a message needs no system calls to pause reading, and several messages are one
write.

A transport closes only after the client has read all written data. Without an abort, a client that
never reads would keep its connection and buffers forever.

The server of the library websockets, whose API is public, needs as little memory if the headers are
cleared (for an application that does nothing 11.1 kB; with this module 11.5 kB, with plain uvicorn
22.8 kB). But it cannot read the body of a request, so pages would need another port and a proxy.
"""

import asyncio
import logging
import re
from asyncio.transports import BaseTransport
from collections import Counter
from collections.abc import Callable, Sequence
from ipaddress import ip_address, ip_network
from typing import Any

from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from cardhub.online.server.limits import address_key
from cardhub.online.server.repeated_log import RepeatedLog

LOG = logging.getLogger("cardhub.online.server")
UVICORN_VERSION = "0.54"
# The names of the two classes that this module overrides or uses; `conn`, `request` and `response`
# are objects of the library websockets.
UVICORN_NAMES: dict[type[asyncio.Protocol], tuple[str, ...]] = {
    H11Protocol: (
        *("connection_made", "connection_lost", "handle_websocket_upgrade"),
        *("loop", "transport", "cycle"),
    ),
    WebSocketsSansIOProtocol: (
        *("connection_made", "data_received", "receive", "send", "send_receive_event_to_app"),
        *("handle_cont", "handle_ping", "handle_connect", "keepalive_timeout"),
        *("handle_parser_exception", "curr_msg_data_type"),
        *("loop", "transport", "app_state", "queue", "read_paused", "frames", "conn"),
        *("writable", "disconnected", "handshake_complete"),
    ),
}


class Inbox:
    """A queue with one reader.

    asyncio's queue supports many readers and writers, which costs 3 kB for each connection.
    """

    __slots__ = ("_events", "_reader")

    def __init__(self) -> None:
        self._events: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        """Return the number of events."""
        return len(self._events)

    def empty(self) -> bool:
        """Return whether the queue is empty."""
        return not self._events

    def put_nowait(self, event: Any) -> None:
        """Add an event, and wake the reader."""
        self._events.append(event)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Remove and return the oldest event; wait for one if the queue is empty."""
        while not self._events:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._events.pop(0)


# Seconds between two checks of an HTTP connection, and the maximum number of checks a request.
CHECK_EVERY = 10.0
MOST_CHECKS = 6
# Frames of one message; browsers send one.
MOST_FRAMES = 64
# The code with which a WebSocket is closed after text that is not UTF-8.
INVALID_DATA = 1007
# The path of a WebSocket at a table, whose id clients choose.
_SOCKET_PATH = re.compile(r"/(?:ws|bot)/([a-z0-9-]{1,40})")
# Unsent bytes in a transport. Pongs are written without checking whether it has room.
MOST_UNSENT = 256 * 1024
# The length of a client's inbox at which reading pauses.
MOST_UNREAD = 8
# The longest pause of reading in seconds, because the client must be able to answer pings.
LONGEST_PAUSE = 15.0

# Counts received bytes of a client; returns the number of seconds to pause reading.
Meter = Callable[[int], float]


class PageConnections:
    """Counts the open connections of each address, except connections from `proxies`."""

    def __init__(self, most: int, proxies: Sequence[str] = ()) -> None:
        self._most = most
        self._proxies = [ip_network(proxy) for proxy in proxies]
        self._open: Counter[str] = Counter()

    def acquire(self, transport: BaseTransport) -> str | None:
        """Reserve a slot and return its key for `release`; return None if no slot is free."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        if self._is_proxy(address):
            return ""
        key = address_key(address)
        if self._open[key] >= self._most:
            return None
        self._open[key] += 1
        return key

    def release(self, key: str) -> None:
        """Release the connection's slot."""
        self._open[key] -= 1
        if self._open[key] <= 0:
            del self._open[key]

    def _is_proxy(self, address: str) -> bool:
        try:
            parsed = ip_address(address.partition("%")[0])
        except ValueError:
            return True  # a Unix socket of this machine
        return any(parsed in network for network in self._proxies)


class PatientHttp(H11Protocol):
    """HTTP/1.1 with timeouts: 10 s for a request, one minute for the response and its transfer.

    `counted` limits the number of connections of an address.
    """

    counted = PageConnections(1000)
    _checks = 0
    _seen: object = None
    _key: str | None = None
    _timer: asyncio.TimerHandle | None = None

    @override
    # The base class narrows the parameter of asyncio's protocol in the same way.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._key = self.counted.acquire(transport)
        if self._key is None:
            transport.abort()
        else:
            self._check_later()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    @override
    def handle_websocket_upgrade(self, event: Any) -> None:
        self._release()  # it is counted as a WebSocket instead
        super().handle_websocket_upgrade(event)

    def _release(self) -> None:
        if self._timer is not None:
            self._timer.cancel()  # the timer would keep this protocol in memory
        if self._key is not None:
            self.counted.release(self._key)
            self._key = None

    def _check_later(self) -> None:
        self._timer = self.loop.call_later(CHECK_EVERY, self._check)

    def _check(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # closed, or upgraded to a WebSocket
        cycle = self.cycle
        is_same = cycle is self._seen
        self._checks = self._checks + 1 if is_same else 0
        self._seen = cycle
        is_waiting = cycle is None or cycle.response_complete
        if (is_waiting and is_same) or self._checks >= MOST_CHECKS:
            self.transport.abort()
        else:
            self._check_later()


def limited_http(counted: PageConnections) -> type[PatientHttp]:
    """Return a PatientHttp class whose connections are limited by `counted`."""
    return type("LimitedHttp", (PatientHttp,), {"counted": counted})


class AbortableWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose `send_texts`, `count_by` and `abort` are in the state of the ASGI scope."""

    problems = RepeatedLog(LOG)
    _table = ""  # the id of the table after the handshake
    _meter: Meter | None = None
    _is_slowed = False

    @override
    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.queue: Any = Inbox()
        self.app_state = {
            **self.app_state,
            "abort": self.transport.abort,
            "send_texts": self.send_texts,
            "count_by": self.count_by,
        }

    def count_by(self, meter: Meter) -> None:
        """Pass the size of all further data to `meter`, including pings and message fragments."""
        self._meter = meter

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.parser_exc is not None:
            self._report_frame(str(self.conn.parser_exc))
        wait = self._meter(len(data)) if self._meter is not None else 0.0
        if wait and not self._is_slowed:
            self._is_slowed = True
            self.loop.call_later(min(wait, LONGEST_PAUSE), self._end_pause)
            self._pause_or_resume()

    def _end_pause(self) -> None:
        self._is_slowed = False
        self._pause_or_resume()

    def _report_frame(self, why: str) -> None:
        """Log an invalid frame with its table, but without the client's address."""
        text = f"a client of table {self._table or '?'} sent an invalid frame: {why}"
        self.problems.warn(("frame", self._table), text)

    @override
    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError as error:
                # Uvicorn would log each of them with a traceback.
                self._report_frame(str(error))
                self.frames = []
                self.conn.send_close(INVALID_DATA)
                self.handle_parser_exception()
                return
        # Uvicorn pauses reading after each message and resumes later, which takes two system calls.
        is_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = is_paused
        self._pause_or_resume()

    @override
    async def receive(self) -> Any:
        message = await self.queue.get()
        self._pause_or_resume()
        return message

    def _pause_or_resume(self) -> None:
        """Pause reading if the client is slowed down or its inbox is full, else resume."""
        must_pause = self._is_slowed or self.queue.qsize() >= MOST_UNREAD
        if must_pause != self.read_paused:
            self.read_paused = must_pause
            if must_pause:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    async def send_texts(self, texts: Sequence[bytes]) -> None:
        """Send messages in UTF-8 in one write; raises ClientDisconnected like `send`."""
        await self.writable.wait()
        # The state changes as soon as the client's close frame arrives.
        if self.disconnected or self.conn.state.name != "OPEN":
            raise ClientDisconnected
        for text in texts:
            self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))

    @override
    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept":
            self._forget_handshake()
        is_body = message["type"] == "websocket.http.response.body"
        if is_body and not message.get("more_body", False):
            # Otherwise uvicorn logs each refusal as a failure.
            self.handshake_complete = True

    def _forget_handshake(self) -> None:
        path = _SOCKET_PATH.fullmatch(self.scope["path"])
        self._table = path[1] if path else ""
        # Unused after the handshake; the headers are a sixth of a connection's memory.
        self.request.headers.clear()
        self.response.headers.clear()
        self.scope["headers"] = []

    @override
    def handle_cont(self, event: Any) -> None:
        if len(self.frames) >= MOST_FRAMES:
            self.transport.abort()
        else:
            super().handle_cont(event)

    @override
    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNSENT:
            self.transport.abort()

    @override
    def keepalive_timeout(self) -> None:
        self.transport.abort()
