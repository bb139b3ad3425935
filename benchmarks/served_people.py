"""People at tables of a server, as many as a benchmark needs, each with a small protocol.

The protocol implements the part of WebSockets that the server uses, which takes a fraction of a
library's time, because the server must limit the benchmark, not its clients.
"""

import asyncio
import base64
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any

import msgspec
from typing_extensions import override

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
TABLE, WELCOME, STATE = b'{"type":"table"', b'{"type":"welcome"', b'{"type":"state"'


class ChoiceNews(msgspec.Struct):
    """A legal action."""

    action: int


class ViewNews(msgspec.Struct):
    """What a player needs to act."""

    revision: int
    viewer: int
    to_act: int
    is_over: bool
    choices: list[ChoiceNews] = []


class TableNews(msgspec.Struct):
    """The message `table`, as far as a player needs it."""

    view: ViewNews
    summaries: list[msgspec.Raw] = []


NEWS = msgspec.json.Decoder(TableNews)


@dataclass
class Crowd:
    """All people of a benchmark: how long they think, and what they have noted.

    `think` is the mean number of seconds before an action. `latencies` are the seconds from an
    action to the view after it, of those since the last `start`.
    """

    rng: Random
    think: float = 0.0
    latencies: list[float] = field(default_factory=list)
    messages: int = 0
    received: int = 0
    refusals: list[str] = field(default_factory=list)
    lost: int = 0
    begun: float = 0.0

    def start(self) -> None:
        """Forget all figures."""
        self.latencies.clear()
        self.messages = self.received = 0
        self.begun = perf_counter()

    def pause(self) -> float:
        """Return for how many seconds a person thinks."""
        return self.rng.uniform(0.5, 1.5) * self.think


class Person(asyncio.Protocol):
    """A client with a seat: takes part, acts at random, and wishes for a rematch at the end.

    `takes` is called when its seat is taken; the owner of a table starts the game by `say`.
    """

    def __init__(
        self, crowd: Crowd, table: str, token: str, name: str, seated: Callable[[], None]
    ) -> None:
        self._crowd, self._table, self._token, self._name = crowd, table, token, name
        self._seated = seated
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._is_open = self._is_seated = self._is_done = False
        self._view: ViewNews | None = None
        self._acted, self._asked, self._seen = -1, 0.0, -1

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        host, port = transport.get_extra_info("peername")[:2]
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws/{self._table} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._crowd.lost += not self._is_done

    @override
    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101 "), head
            self._is_open, self._buffer = True, rest
            self.say(type="enter", version=2, token=self._token)
        self._read_frames()

    def say(self, **message: Any) -> None:
        """Send a message."""
        self._send(TEXT, json.dumps(message).encode())

    def leave(self) -> None:
        """Close the connection."""
        self._is_done = True
        if self._transport is not None:
            self._transport.abort()

    def _send(self, kind: int, payload: bytes) -> None:
        # Clients have to mask what they send; a mask of zeros leaves it as it is.
        size = len(payload)
        length = bytes([128 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(bytes([128 | kind]) + length + bytes(4) + payload)

    def _read_frames(self) -> None:
        """Read all frames that are whole; the server sends each message in one frame."""
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            size, first = buffer[at + 1], at + 2
            if size > 125:
                width = 2 if size == 126 else 8
                if len(buffer) < first + width:
                    break
                size = int.from_bytes(buffer[first : first + width], "big")
                first += width
            if len(buffer) < first + size:
                break
            kind, payload = buffer[at] & 15, bytes(buffer[first : first + size])
            at = first + size
            if kind == TEXT:
                self._hear(payload)
            elif kind == PING:
                self._send(PONG, payload)
        del buffer[:at]

    def _hear(self, message: bytes) -> None:
        self._crowd.messages += 1
        self._crowd.received += len(message)
        if message.startswith(TABLE):
            self._look(NEWS.decode(message))
        elif message.startswith(WELCOME):
            if self._token or self._is_seated:
                self._sit_down()
            else:
                self._is_seated = True
                self.say(type="sit", name=self._name)
        elif message.startswith((b'{"type":"refused"', b'{"type":"closed"')):
            self._crowd.refusals.append(message.decode())

    def _sit_down(self) -> None:
        seated, self._seated = self._seated, lambda: None
        seated()

    def _look(self, news: TableNews) -> None:
        self._view = view = news.view
        if 0 <= self._acted < view.revision:
            self._crowd.latencies.append(perf_counter() - self._asked)
            self._acted = -1
        # Once for each revision: the next message does not repeat its text.
        is_first, self._seen = self._seen != view.revision, view.revision
        if view.is_over and is_first:
            self.say(type="rematch")
        elif news.summaries and is_first:
            self.say(type="pace", command="read")
        if view.is_over:
            return
        if view.to_act == view.viewer and view.choices and self._acted < 0:
            self._think(view.revision)

    def _think(self, revision: int) -> None:
        if self._crowd.think:
            loop = asyncio.get_running_loop()
            loop.call_later(self._crowd.pause(), self._act, revision)
        else:
            self._act(revision)

    def _act(self, revision: int) -> None:
        view = self._view
        if view is None or view.revision != revision or self._acted >= 0:
            return
        self._acted, self._asked = revision, perf_counter()
        choice = self._crowd.rng.choice(view.choices)
        self.say(type="act", action=choice.action, rev=revision)
