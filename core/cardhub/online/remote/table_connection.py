"""The connection of a client with a table: it is made again until it is closed."""

import asyncio
from contextlib import suppress
from itertools import count
from random import Random
from typing import Protocol

from typing_extensions import override
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from cardhub.base.errors import RemoteError
from cardhub.online.remote.lasting_connection import LastingConnection, LostError, Patience
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.untrusted_messages import decode_untrusted
from cardhub.online.wire.client_messages import AnyClientMessage, Enter
from cardhub.online.wire.server_messages import AnyServerMessage, Closed
from cardhub.online.wire.wire_codec import WireError, encode_message

# A server takes 20 messages a second.
MESSAGES_A_SECOND, BURST = 15, 10


class ConnectionListener(Protocol):
    """The receiver of a connection; its methods are called in the connection's loop.

    `hear` raises WireError if there are more messages than the receiver takes.
    """

    def greeting(self) -> Enter:
        """Return the first message of a new connection."""
        ...

    def connected(self) -> None:
        """Note that the server has been reached; messages follow."""
        ...

    def hear(self, message: AnyServerMessage) -> None:
        """Take a message."""
        ...

    def lost(self, why: str) -> None:
        """Note that the connection was lost; it is tried again."""
        ...

    def ended(self, error: RemoteError) -> None:
        """Note that the connection has ended for good."""
        ...


class TableConnection(LastingConnection):
    """Keeps a client connected with a table while `run` runs; `send` is safe from any thread.

    Messages that have not left when a connection is lost are dropped: the listener sends them
    again where they still make sense.
    """

    def __init__(
        self,
        address: TableAddress,
        listener: ConnectionListener,
        rng: Random,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(address, address.socket, rng, patience)
        self._listener = listener
        self._outbox: dict[object, AnyClientMessage] = {}
        self._numbers = count()
        self._news = asyncio.Event()

    def send(self, message: AnyClientMessage, key: str = "") -> None:
        """Send a message soon, instead of an earlier one with the same key, if there is one."""
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop has been closed meanwhile
                self.loop.call_soon_threadsafe(self._put, message, key)

    @override
    async def talk(self, socket: ClientConnection) -> None:
        await socket.send(encode_message(self._listener.greeting()).decode())
        self._listener.connected()
        await self._exchange(socket)

    @override
    def lost(self, why: str) -> None:
        self._outbox.clear()
        self._listener.lost(why)

    @override
    def ended(self, error: RemoteError) -> None:
        self._listener.ended(error)

    async def _exchange(self, socket: ClientConnection) -> None:
        writer = asyncio.create_task(self._write(socket))
        try:
            async for data in socket:
                self._hear(data)
                # A socket with messages waits for none: all else of the loop must go on as well.
                await asyncio.sleep(0)
        finally:
            writer.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await writer

    def _hear(self, data: str | bytes) -> None:
        try:
            message = decode_untrusted(data)
            self._listener.hear(message)
        except WireError as error:
            raise self.nonsense(error) from error
        if isinstance(message, Closed):
            if message.is_final:
                raise RemoteError(message.why)
            raise LostError(message.why)

    async def _write(self, socket: ClientConnection) -> None:
        """Send the messages of the outbox, not faster than a server takes them."""
        loop = asyncio.get_running_loop()
        allowance, at = float(BURST), loop.time()
        while True:
            await self._news.wait()
            now = loop.time()
            allowance = min(allowance + (now - at) * MESSAGES_A_SECOND, BURST)
            at = now
            if allowance < 1:
                await asyncio.sleep((1 - allowance) / MESSAGES_A_SECOND)
                continue
            if self._outbox:
                allowance -= 1
                message = self._outbox.pop(next(iter(self._outbox)))
                await socket.send(encode_message(message).decode())
            if not self._outbox:
                self._news.clear()

    def _put(self, message: AnyClientMessage, key: str) -> None:
        self._outbox[key or next(self._numbers)] = message
        self._news.set()
