"""Uvicorn's protocols, against clients that stall: they never end such connections themselves.

A transport is closed only when the client has taken what is written, so a client that reads nothing
would keep its connection and buffers for ever; here it is aborted.
"""

import asyncio
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


class Inbox:
    """A queue for one task that takes what is put in.

    asyncio's queue has room for many tasks on both sides: 3 kB for each connection, most of which
    are at rest.
    """

    __slots__ = ("_events", "_reader")

    def __init__(self) -> None:
        self._events: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        """Return the number of events."""
        return len(self._events)

    def empty(self) -> bool:
        """Return whether there is no event."""
        return not self._events

    def put_nowait(self, event: Any) -> None:
        """Add an event, and wake the reader."""
        self._events.append(event)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Remove and return the oldest event; waits until there is one."""
        while not self._events:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._events.pop(0)


# Seconds between looks at an HTTP connection, and how many a request may take altogether.
LOOK_EVERY = 10.0
MOST_LOOKS = 6
# Frames of one message; browsers send one.
MOST_FRAMES = 64
# Bytes that may wait for a client in the transport: pongs are written without asking it.
MOST_UNSENT = 256 * 1024
# Messages of a client that wait to be taken before no more are read.
MOST_UNTAKEN = 8
# Seconds for which no more is read at most; longer, and the client could not answer a ping.
LONGEST_HOLD = 15.0

# Counts bytes that a client has sent; returns the seconds for which no more is to be read.
Meter = Callable[[int], float]


class PageConnections:
    """Counts the open connections of each address, but for those of `proxies`."""

    def __init__(self, most: int, proxies: Sequence[str] = ()) -> None:
        self._most = most
        self._proxies = [ip_network(proxy) for proxy in proxies]
        self._open: Counter[str] = Counter()

    def take(self, transport: BaseTransport) -> str | None:
        """Count a connection; return what `give_back` takes, None if it is one too many."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        if self._is_proxy(address):
            return ""
        key = address_key(address)
        if self._open[key] >= self._most:
            return None
        self._open[key] += 1
        return key

    def give_back(self, key: str) -> None:
        """Count a connection no more."""
        self._open[key] -= 1
        if self._open[key] <= 0:
            del self._open[key]

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return True  # a socket of this machine
        return any(found in network for network in self._proxies)


class PatientHttp(H11Protocol):
    """HTTP/1.1; a request must come within 10 s, and be answered and taken within a minute.

    An address has so many connections at once as `counted` allows.
    """

    counted = PageConnections(1000)
    _looks = 0
    _seen: object = None
    _key: str | None = None
    _timer: asyncio.TimerHandle | None = None

    @override
    # Its base class narrows the parameter of asyncio's protocol in the same way.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._key = self.counted.take(transport)
        if self._key is None:
            transport.abort()
        else:
            self._look_later()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    @override
    def handle_websocket_upgrade(self, event: Any) -> None:
        self._release()  # it counts as a WebSocket from now on
        super().handle_websocket_upgrade(event)

    def _release(self) -> None:
        if self._timer is not None:
            self._timer.cancel()  # it would keep this protocol, of some kilobytes
        if self._key is not None:
            self.counted.give_back(self._key)
            self._key = None

    def _look_later(self) -> None:
        self._timer = self.loop.call_later(LOOK_EVERY, self._look)

    def _look(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # ended, or a WebSocket by now
        cycle = self.cycle
        is_same = cycle is self._seen
        self._looks = self._looks + 1 if is_same else 0
        self._seen = cycle
        is_waiting = cycle is None or cycle.response_complete
        if (is_waiting and is_same) or self._looks >= MOST_LOOKS:
            self.transport.abort()
        else:
            self._look_later()


def limited_http(counted: PageConnections) -> type[PatientHttp]:
    """Return the protocol of a server that counts its connections."""
    return type("LimitedHttp", (PatientHttp,), {"counted": counted})


class AbortableWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket; the scope's state has its methods `send_texts`, `count_by` and `abort`."""

    _meter: Meter | None = None
    _is_held = False

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
        """Count all bytes that come from now on, those of pings and parts of messages as well."""
        self._meter = meter

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        wait = self._meter(len(data)) if self._meter is not None else 0.0
        if wait and not self._is_held:
            self._is_held = True
            self.loop.call_later(min(wait, LONGEST_HOLD), self._release)
            self._stop_or_read()

    def _release(self) -> None:
        self._is_held = False
        self._stop_or_read()

    @override
    def send_receive_event_to_app(self) -> None:
        # Uvicorn stops reading at each message and reads again once it is taken: two system calls.
        is_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = is_paused
        self._stop_or_read()

    @override
    async def receive(self) -> Any:
        message = await self.queue.get()
        self._stop_or_read()
        return message

    def _stop_or_read(self) -> None:
        """Read no more while the client is held or many messages wait, else go on."""
        must_pause = self._is_held or self.queue.qsize() >= MOST_UNTAKEN
        if must_pause != self.read_paused:
            self.read_paused = must_pause
            if must_pause:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    async def send_texts(self, texts: Sequence[bytes]) -> None:
        """Send messages in UTF-8 in one write; raises ClientDisconnected, as `send` does."""
        await self.writable.wait()
        # Not open any more as soon as the client has said that it closes.
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
            # Uvicorn takes a refusal for a failure otherwise, and logs each.
            self.handshake_complete = True

    def _forget_handshake(self) -> None:
        # The headers are not read after the handshake: a sixth of the memory of a connection.
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
