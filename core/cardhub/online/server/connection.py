"""A connection: a client's WebSocket as a visitor of a table."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Protocol

import msgspec
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect
from typing_extensions import override

from cardhub.online.server.client import Visitor
from cardhub.online.server.handshake import Arrival
from cardhub.online.server.limits import MESSAGES, OutboxRoom, TokenBucket
from cardhub.online.server.table_interface import VisitedTable
from cardhub.online.wire.client_messages import WIRE_VERSION, AnyClientMessage, Enter, Ping
from cardhub.online.wire.server_messages import AnyServerMessage, Closed, Pong, Refused
from cardhub.online.wire.wire_codec import WireError, decode_client, encode_message


class _Version(msgspec.Struct):
    """The version in a first message; clients of other versions may send other keys."""

    version: int = 0


_VERSION = msgspec.json.Decoder(_Version)


def read_first(visitor: Visitor, text: str) -> Enter | None:
    """Return the first message of a client, or close it and return None."""
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        version = _VERSION.decode(text).version
        if version not in (0, WIRE_VERSION):
            which = "client" if version < WIRE_VERSION else "server"
            why = f"the client has version {version} of the protocol, the server {WIRE_VERSION}"
            visitor.close(f"{why}. fix: update the {which}, or reload the page")
            return None
    try:
        message: AnyClientMessage = decode_client(text)
    except WireError as error:
        visitor.close(str(error))
        return None
    if not isinstance(message, Enter):
        visitor.close("the first message is not `enter`. fix: send `enter` first")
        return None
    if message.version != WIRE_VERSION:
        visitor.close(f"version {message.version} is unknown. fix: send version {WIRE_VERSION}")
        return None
    return message


# A view has up to 10 kB, the log of a long game some 500 kB, and drawings of cards 200 kB: room for
# a client that connects again or pauses, not for one that does not read.
MOST_MESSAGES = 500
MOST_BYTES = 2 * 1024 * 1024


class Outbox:
    """Messages in order, of which a newer `table` message replaces the one that still waits.

    `room` is shared by all clients of an address.
    """

    def __init__(self, room: OutboxRoom | None = None) -> None:
        self._waiting: dict[int, bytes] = {}
        self._next = 0
        self._table: int | None = None
        self._bytes = 0
        self._room = room

    def __len__(self) -> int:
        """Return the number of messages."""
        return len(self._waiting)

    def put(self, data: bytes) -> bool:
        """Add a message; False if there is no room for it."""
        size = len(data)
        if len(self._waiting) >= MOST_MESSAGES or self._bytes + size > MOST_BYTES:
            return False
        if self._room is not None and not self._room.take(size):
            return False
        self._waiting[self._next] = data
        self._next += 1
        self._bytes += size
        return True

    def put_table(self, data: bytes) -> bool:
        """Add a `table` message and drop one that waits; False if there is no room for it."""
        # At the end, not in its place: it may need messages that came between, as a catalogue.
        if self._table is not None:
            self._free(len(self._waiting.pop(self._table, b"")))
        self._table = self._next
        return self.put(data)

    def take(self) -> bytes | None:
        """Remove and return the oldest message; None if there is none."""
        if not self._waiting:
            return None
        number = next(iter(self._waiting))
        data = self._waiting.pop(number)
        self._free(len(data))
        return data

    def take_several(self, size: int) -> list[bytes]:
        """Remove and return the oldest messages that begin within a number of bytes."""
        taken: list[bytes] = []
        while size > 0 and (data := self.take()) is not None:
            taken.append(data)
            size -= len(data)
        return taken

    def clear(self) -> None:
        """Drop all messages."""
        self._waiting.clear()
        self._free(self._bytes)

    def _free(self, size: int) -> None:
        self._bytes -= size
        if self._room is not None and size:
            self._room.give_back(size)


LOG = logging.getLogger("cardhub.online.server")
# Seconds for a client to take the last messages.
TAKE_LAST_WITHIN = 5.0
# Seconds that a client is made to wait at most after it has used up the processor.
LONGEST_WAIT = 5.0
# Bytes that are sent in one write: the lines of the log and the view after an action are.
AT_ONCE = 32 * 1024
# Codes with which WebSockets are closed: for good, and "try again later".
DONE, AGAIN = 1000, 1013
PONG = encode_message(Pong())
TOO_SLOW = "this client does not read its messages. fix: connect again"
FAILED = "the server failed at this message; the table goes on. fix: reload, or tell the host"


class Connection(Visitor):
    """Sends messages in a task of its own, and hands those of the client to a table.

    `abort` ends the network connection at once, also if the client does not read; `write` sends
    messages in UTF-8 once there is room for them, and raises an OSError if the client has gone.
    `room` is that for messages to the clients of its address.
    """

    def __init__(
        self,
        websocket: WebSocket,
        abort: Callable[[], None],
        write: Callable[[Sequence[bytes]], Awaitable[None]],
        room: OutboxRoom | None = None,
    ) -> None:
        self._websocket = websocket
        self._abort = abort
        self._write_texts = write
        self._outbox = Outbox(room)
        self._wake = asyncio.Event()
        self._code: int | None = None
        self._end: asyncio.TimerHandle | None = None
        self._rate = TokenBucket(MESSAGES, monotonic())

    @override
    def send(self, message: AnyServerMessage | bytes) -> None:
        data = message if isinstance(message, bytes) else encode_message(message)
        self._put(self._outbox.put, data)

    @override
    def show(self, table: bytes) -> None:
        self._put(self._outbox.put_table, table)

    @override
    def close(self, why: str, *, is_final: bool = True) -> None:
        if self._code is None:
            self.send(Closed(why=why, is_final=is_final))
            self._code = DONE if is_final else AGAIN
            self._wake.set()
            # A client that does not take the last message would keep its buffers.
            self._end = asyncio.get_running_loop().call_later(TAKE_LAST_WITHIN, self._abort)

    @property
    def is_closing(self) -> bool:
        """Whether the last message has been sent or is on its way."""
        return self._code is not None

    def _put(self, put: Callable[[bytes], bool], data: bytes) -> None:
        if self.is_closing:
            return
        if not put(data):
            # There is no room for the reason either.
            self._outbox.clear()
            self._outbox.put(encode_message(Closed(why=TOO_SLOW, is_final=False)))
            self._code = AGAIN
            self._abort()
        self._wake.set()

    async def run(self, visit: "Conversation") -> None:
        """Serve the client until its connection ends."""
        writer = asyncio.create_task(self._write())
        try:
            with suppress(WebSocketDisconnect):
                await visit.run(self)
        finally:
            await self._finish(writer)

    async def next_text(self) -> str | None:
        """Return the next message of the client; None if it is closed for what it sent.

        Raises WebSocketDisconnect at the end of the connection.
        """
        message = await self._receive()
        while self.is_closing:
            message = await self._receive()
        # A client that sends too much is read more slowly: the network makes it wait.
        if wait := self._rate.wait(monotonic()):
            await asyncio.sleep(wait)
        self._rate.take(monotonic())
        text = message.get("text")
        if text is None:
            self.close("a binary message. fix: send JSON as text messages")
        return text

    async def _receive(self) -> Message:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        return message

    async def _write(self) -> None:
        while (several := self._outbox.take_several(AT_ONCE)) or not self.is_closing:
            if not several:
                self._wake.clear()
                await self._wake.wait()
                continue
            try:
                await self._write_texts(several)
            except (OSError, RuntimeError, WebSocketDisconnect):
                return  # the client has gone; the reader is told as well
        with suppress(OSError, RuntimeError, WebSocketDisconnect):
            await self._websocket.close(self._code or DONE)

    async def _finish(self, writer: asyncio.Task[None]) -> None:
        if self.is_closing:
            await asyncio.wait({writer}, timeout=TAKE_LAST_WITHIN)
        if self._end is not None:
            self._end.cancel()
        writer.cancel()
        with suppress(asyncio.CancelledError):
            await writer
        # Nothing waits any more, and nothing will: the room is for other clients of the address.
        self._code = self._code or DONE
        self._outbox.clear()
        self._abort()


class Conversation(Protocol):
    """The messages of one connection, from the first to the last."""

    async def run(self, connection: Connection) -> None:
        """Serve the client; raises WebSocketDisconnect at the end."""
        ...


class Visit(Conversation):
    """The visit of a connection at a table: its first message, then all others."""

    def __init__(self, arrival: Arrival) -> None:
        self._arrival = arrival
        self._id, self._address = arrival.table_id, arrival.address
        self._work = arrival.limits.work

    @override
    async def run(self, connection: Connection) -> None:
        table = await self._enter(connection)
        try:
            while True:
                text = await connection.next_text()
                if table is not None and text is not None:
                    with self._counted():
                        self._take(connection, table, text)
                # A client whose messages cost too much is read more slowly, like one that sends
                # too many.
                if wait := self._work.wait(self._address):
                    await asyncio.sleep(min(wait, LONGEST_WAIT))
        finally:
            if table is not None:
                self._guard(connection, lambda: table.leave(connection))

    async def _enter(self, connection: Connection) -> VisitedTable | None:
        """Return the table once it has greeted the client; None if the client was closed."""
        text = await self._arrival.first_text(connection, "enter")
        message = None if text is None else read_first(connection, text)
        if message is None or not self._arrival.may_try(connection):
            return None
        with self._counted():
            return self._admit(connection, message)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count the seconds that the block takes for the client's address."""
        begun = monotonic()
        try:
            yield
        finally:
            self._work.spend(self._address, monotonic() - begun)

    def _admit(self, connection: Connection, message: Enter) -> VisitedTable | None:
        table = self._arrival.find(connection)
        if table is None:
            return None
        try:
            is_known = table.enter(connection, message)
        except Exception:
            LOG.exception("table %s failed at enter", self._id)
            connection.close("the server failed at this table. fix: tell its host")
            self._guard(connection, lambda: table.leave(connection))
            return None
        if not is_known:
            self._arrival.count_failure()
            return None
        return table

    def _take(self, connection: Connection, table: VisitedTable, text: str) -> None:
        try:
            message = decode_client(text)
        except WireError as error:
            connection.send(Refused(why=str(error)))
            return
        if isinstance(message, Ping):
            connection.send(PONG)
        elif isinstance(message, Enter):
            connection.close("`enter` came twice. fix: send it once, as the first message")
        else:
            self._guard(connection, lambda: table.receive(connection, message))

    def _guard(self, connection: Connection, call: Callable[[], object]) -> None:
        try:
            call()
        except Exception:
            # A fault of a game's code, or of the server: it must not reach other tables.
            LOG.exception("table %s failed at a message", self._id)
            connection.send(Refused(why=FAILED))
