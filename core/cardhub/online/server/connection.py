"""The WebSocket of a client: its first message, its queue, and the conversation with a table."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import msgspec
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect
from typing_extensions import override

from cardhub.online.server.client import ClientChannel
from cardhub.online.server.limits import (
    MESSAGES,
    OutboxRoom,
    ServerLimits,
    TokenBucket,
    network_key,
)
from cardhub.online.server.table_interface import (
    DiskError,
    LoadError,
    TableInterface,
    Tables,
    UnknownTableError,
)
from cardhub.online.wire.client_messages import WIRE_VERSION, AnyClientMessage, Enter, Ping, Say
from cardhub.online.wire.server_messages import AnyServerMessage, Closed, Pong
from cardhub.online.wire.wire_codec import WireError, decode_client, encode_message
from cardhub.play.table_messages import Refused

LOG = logging.getLogger("cardhub.online.server")
# Seconds for the first message.
ENTER_WITHIN = 10.0
CANNOT_LOAD = "the server cannot load this table. fix: tell its host"
TOO_MANY = "your address has sent too many unknown tokens. fix: wait a minute"


@dataclass(frozen=True, slots=True)
class Handshake:
    """The id of the requested table, and the limits of the client's address.

    A method that returns None or False has closed the connection.
    """

    tables: Tables
    table_id: str
    limits: ServerLimits
    address: str

    async def first_text(self, connection: "Connection", expected: str) -> str | None:
        """Return the first message, or None after a timeout; `expected` names its type."""
        try:
            return await asyncio.wait_for(connection.next_text(), ENTER_WITHIN)
        except TimeoutError:
            connection.close(f"no message came in time. fix: send `{expected}` first")
            return None

    def may_try(self, connection: "Connection") -> bool:
        """Return whether the address is within its limit of unknown tokens."""
        if self.limits.failed_tokens.has_room(self.address):
            return True
        connection.close(TOO_MANY, is_final=False)
        return False

    def count_failure(self) -> None:
        """Count an unknown token or an unknown table, because ids of unlisted tables are secret."""
        self.limits.failed_tokens.consume(self.address)

    def find(self, connection: "Connection") -> TableInterface | None:
        """Return the table, or None if it is unknown or cannot be loaded."""
        try:
            return self.tables.find(self.table_id)
        except (LoadError, UnknownTableError) as error:
            if isinstance(error, UnknownTableError):
                self.count_failure()
            connection.close(str(error), is_final=not isinstance(error, DiskError))
        except Exception:
            LOG.exception("table %s cannot be loaded", self.table_id)
            connection.close(CANNOT_LOAD)
        return None


class _Version(msgspec.Struct):
    """The version in a first message, whose other keys may differ between versions."""

    version: int = 0


_VERSION = msgspec.json.Decoder(_Version)


def read_first(channel: ClientChannel, text: str) -> Enter | None:
    """Return the first message of a client; close the client and return None if it is invalid."""
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        version = _VERSION.decode(text).version
        if version not in (0, WIRE_VERSION):
            which = "client" if version < WIRE_VERSION else "server"
            why = f"the client has protocol version {version}, the server has {WIRE_VERSION}"
            channel.close(f"{why}. fix: update the {which}, or reload the page")
            return None
    try:
        message: AnyClientMessage = decode_client(text)
    except WireError as error:
        channel.close(str(error))
        return None
    if not isinstance(message, Enter):
        channel.close("the first message is not `enter`. fix: send `enter` first")
        return None
    if message.version != WIRE_VERSION:
        channel.close(f"version {message.version} is unknown. fix: send version {WIRE_VERSION}")
        return None
    return message


# A view has up to 10 kB, the log of a long game about 500 kB, and drawings of cards 200 kB. This is
# enough for a client that reconnects or pauses, but not for a client that never reads.
MOST_MESSAGES = 500
MOST_BYTES = 2 * 1024 * 1024


class Outbox:
    """A queue of messages, in which a new `table` message replaces an unsent one.

    `room`: the budget that all clients of an address share, or None for no limit.
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
        """Add a message; return False if it exceeds a limit."""
        size = len(data)
        if len(self._waiting) >= MOST_MESSAGES or self._bytes + size > MOST_BYTES:
            return False
        if self._room is not None and not self._room.reserve(size):
            return False
        self._waiting[self._next] = data
        self._next += 1
        self._bytes += size
        return True

    def put_table(self, data: bytes) -> bool:
        """Replace an unsent `table` message by a new one; return False if it exceeds a limit."""
        # It goes to the end, because it may need messages that were added since (a catalogue).
        if self._table is not None:
            self._free(len(self._waiting.pop(self._table, b"")))
        self._table = self._next
        return self.put(data)

    def pop(self) -> bytes | None:
        """Remove and return the oldest message, or return None if the queue is empty."""
        if not self._waiting:
            return None
        number = next(iter(self._waiting))
        data = self._waiting.pop(number)
        self._free(len(data))
        return data

    def pop_several(self, size: int) -> list[bytes]:
        """Remove and return the oldest messages, the last of which starts within `size` bytes."""
        messages: list[bytes] = []
        while size > 0 and (data := self.pop()) is not None:
            messages.append(data)
            size -= len(data)
        return messages

    def clear(self) -> None:
        """Drop all messages."""
        self._waiting.clear()
        self._free(self._bytes)

    def _free(self, size: int) -> None:
        self._bytes -= size
        if self._room is not None and size:
            self._room.release(size)


# Seconds for a client to read the last messages.
TAKE_LAST_WITHIN = 5.0
# The maximum delay in seconds for a client that has used too much processor time.
LONGEST_WAIT = 5.0
# Bytes in one write, which is enough for the log lines and the view after an action.
BYTES_PER_WRITE = 32 * 1024
# Close codes of WebSockets: "do not reconnect", and "try again later".
DONE, AGAIN = 1000, 1013
PONG = encode_message(Pong())
TOO_SLOW = "this client does not read its messages in time. fix: connect again"
FAILED = "the server failed at this message; the table continues. fix: reload, or tell the host"


class Connection(ClientChannel):
    """Sends queued messages in a separate task, and reads the messages of the client.

    `abort` ends the network connection immediately, even if the client does not read. `write` sends
    messages in UTF-8 once the transport has room for them, and raises OSError if the client has
    disconnected. `room`: the budget of unsent bytes of the client's address.
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
        if not self.is_closing:
            self._check_room(self._outbox.put(data))

    @override
    def show(self, table: bytes) -> None:
        if not self.is_closing:
            self._check_room(self._outbox.put_table(table))

    @override
    def close(self, why: str, *, is_final: bool = True) -> None:
        if self._code is None:
            self.send(Closed(why=why, is_final=is_final))
            self._code = DONE if is_final else AGAIN
            self._wake.set()
            # A client that does not read the last message would keep its buffers.
            self._end = asyncio.get_running_loop().call_later(TAKE_LAST_WITHIN, self._abort)

    @property
    def is_closing(self) -> bool:
        """Whether the last message is sent or queued."""
        return self._code is not None

    def _check_room(self, has_room: bool) -> None:
        """Send what is in the queue, or close a client that reads too slowly."""
        if not has_room:
            # The queue is full, so make room for the reason.
            self._outbox.clear()
            self._outbox.put(encode_message(Closed(why=TOO_SLOW, is_final=False)))
            self._code = AGAIN
            self._abort()
        self._wake.set()

    async def run(self, conversation: "Conversation") -> None:
        """Serve the client until its connection ends."""
        writer = asyncio.create_task(self._write())
        try:
            with suppress(WebSocketDisconnect):
                await conversation.run(self)
        finally:
            await self._finish(writer)

    async def next_text(self) -> str | None:
        """Return the client's next message, or None if the client is closed because of it.

        Raises WebSocketDisconnect at the end of the connection.
        """
        message = await self._receive()
        while self.is_closing:
            message = await self._receive()
        # Read a client that sends too much more slowly: TCP makes it wait.
        if wait := self._rate.wait(monotonic()):
            await asyncio.sleep(wait)
        self._rate.consume(monotonic())
        text = message.get("text")
        if text is None:
            self.close("binary messages are not allowed. fix: send JSON as text messages")
        return text

    async def _receive(self) -> Message:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        return message

    async def _write(self) -> None:
        while (messages := self._outbox.pop_several(BYTES_PER_WRITE)) or not self.is_closing:
            if not messages:
                self._wake.clear()
                await self._wake.wait()
                continue
            try:
                await self._write_texts(messages)
            except (OSError, RuntimeError, WebSocketDisconnect):
                return  # the client has disconnected; the reader gets the same error
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
        # Release the budget for other clients of the address.
        self._code = self._code or DONE
        self._outbox.clear()
        self._abort()


MOST_CHAT = "your address has written too many lines. fix: wait a few seconds"


class Conversation(Protocol):
    """Handles the messages of one connection."""

    async def run(self, connection: Connection) -> None:
        """Serve the client; raises WebSocketDisconnect at the end."""
        ...


class ClientConversation(Conversation):
    """The conversation of a client with a table: the first message, then all others."""

    def __init__(self, handshake: Handshake) -> None:
        self._handshake = handshake
        self._id, self._address = handshake.table_id, handshake.address
        self._limits, self._work = handshake.limits, handshake.limits.work

    @override
    async def run(self, connection: Connection) -> None:
        table = await self._enter(connection)
        try:
            while True:
                text = await connection.next_text()
                if table is not None and text is not None:
                    with self._counted():
                        self._handle(connection, table, text)
                # Read a client whose messages cost too much time more slowly.
                if wait := self._work.wait(self._address):
                    await asyncio.sleep(min(wait, LONGEST_WAIT))
        finally:
            if table is not None:
                self._leave(connection, table)

    async def _enter(self, connection: Connection) -> TableInterface | None:
        """Return the table after it has greeted the client, or None if the client was closed."""
        text = await self._handshake.first_text(connection, "enter")
        message = None if text is None else read_first(connection, text)
        if message is None or not self._handshake.may_try(connection):
            return None
        connection.network = network_key(self._address)
        with self._counted():
            return self._admit(connection, message)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count the seconds of the block for the client's address."""
        begun = monotonic()
        try:
            yield
        finally:
            self._work.spend(self._address, monotonic() - begun)

    def _admit(self, connection: Connection, message: Enter) -> TableInterface | None:
        table = self._handshake.find(connection)
        if table is None:
            return None
        try:
            is_known = table.enter(connection, message)
        except Exception:
            LOG.exception("table %s failed at enter", self._id)
            connection.close("the server failed at this table. fix: tell its host")
            self._leave(connection, table)
            return None
        if not is_known:
            self._handshake.count_failure()
            return None
        return table

    def _handle(self, connection: Connection, table: TableInterface, text: str) -> None:
        try:
            message = decode_client(text)
        except WireError as error:
            connection.send(Refused(why=str(error)))
            return
        if isinstance(message, Ping):
            connection.send(PONG)
        elif isinstance(message, Enter):
            connection.close("`enter` came twice. fix: send it once, as the first message")
        elif isinstance(message, Say) and not self._limits.chat.consume(self._address):
            connection.send(Refused(why=MOST_CHAT))
        else:
            try:
                table.receive(connection, message)
            except Exception:  # noqa: BLE001  # logged there
                self._report_failure(connection)

    def _leave(self, connection: Connection, table: TableInterface) -> None:
        try:
            table.leave(connection)
        except Exception:  # noqa: BLE001  # logged there
            self._report_failure(connection)

    def _report_failure(self, connection: Connection) -> None:
        # A failure of a game's code or of the server must not affect other tables.
        LOG.exception("table %s failed at a message", self._id)
        connection.send(Refused(why=FAILED))
