"""The connection of a client with a table: it is made again until it is closed."""

import asyncio
import ssl
from contextlib import suppress
from itertools import count
from random import Random
from typing import NamedTuple, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    InvalidURI,
)

from cardhub.errors import RemoteError
from cardhub.remote.table_address import TableAddress
from cardhub.remote.untrusted_messages import MOST_BYTES, decode_untrusted
from cardhub.wire.client_messages import AnyClientMessage, Enter
from cardhub.wire.server_messages import AnyServerMessage, Closed
from cardhub.wire.wire_codec import WireError, encode_message


class Patience(NamedTuple):
    """Times of a connection in seconds.

    A connection is lost if a heartbeat, sent every `heartbeat`, is not answered within `answer`: a
    stalled network is noticed after the sum of both. A further attempt waits from `shortest`
    to `longest`, twice as long each time.
    """

    opening: float = 10
    heartbeat: float = 15
    answer: float = 20
    shortest: float = 0.5
    longest: float = 15
    closing: float = 2


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


class TableConnection:
    """Keeps a client connected with a table while `run` runs; `send` is safe from any thread.

    Messages that have not left when a connection is lost are dropped: the listener sends them
    again where they still make sense. `rng` spreads the attempts of many clients after a restart
    of their server.
    """

    def __init__(
        self,
        address: TableAddress,
        listener: ConnectionListener,
        rng: Random,
        patience: Patience | None = None,
    ) -> None:
        self._address = address
        self._listener = listener
        self._rng = rng
        self._patience = patience or Patience()
        self._outbox: dict[object, AnyClientMessage] = {}
        self._numbers = count()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._was_connected = False

    def send(self, message: AnyClientMessage, key: str = "") -> None:
        """Send a message soon, instead of an earlier one with the same key, if there is one."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has been closed meanwhile
                self._loop.call_soon_threadsafe(self._put, message, key)

    def close(self) -> None:
        """End the connection; safe from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._cancel)

    async def run(self) -> None:
        """Stay connected until the connection is closed by `close`, or by the server for good."""
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        try:
            await self._stay_connected()
        except asyncio.CancelledError:
            return
        except RemoteError as error:
            self._listener.ended(error)

    async def _stay_connected(self) -> None:
        wait = self._patience.shortest
        while True:
            try:
                await self._converse()
            except _LostError as error:
                self._outbox.clear()
                wait = self._patience.shortest if error.was_open else wait
                self._listener.lost(str(error))
            # Between half of the time and the whole of it.
            await asyncio.sleep(wait * (1 + self._rng.random()) / 2)
            wait = min(wait * 2, self._patience.longest)

    async def _converse(self) -> None:
        """Hold one connection until it is lost; raises RemoteError if there must be no other."""
        patience, is_open = self._patience, False
        try:
            async with connect(
                self._address.socket,
                open_timeout=patience.opening,
                ping_interval=patience.heartbeat,
                ping_timeout=patience.answer,
                close_timeout=patience.closing,
                max_size=MOST_BYTES,
            ) as socket:
                await socket.send(encode_message(self._listener.greeting()).decode())
                is_open = self._was_connected = True
                self._listener.connected()
                await self._exchange(socket)
        except RemoteError:
            raise
        except (ConnectionClosed, TimeoutError, EOFError) as error:
            raise self._failed("the connection ended", error, is_open) from error
        except InvalidStatus as error:
            raise self._refused(error.response.status_code) from error
        except ssl.SSLCertVerificationError as error:
            raise RemoteError(
                f"the certificate of {self._address.server} is not valid: {error.verify_message}. "
                "fix: tell its owner, or give the address that the certificate is for"
            ) from error
        except (InvalidHandshake, InvalidMessage, InvalidURI, ssl.SSLError) as error:
            raise self._failed("no cardhub server answers there", error, is_open) from error
        except OSError as error:
            raise self._failed(error.strerror or "no server answers", error, is_open) from error
        raise _LostError("the connection ended", was_open=is_open)

    async def _exchange(self, socket: ClientConnection) -> None:
        writer = asyncio.create_task(self._write(socket))
        try:
            async for data in socket:
                self._hear(data)
        finally:
            writer.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await writer

    def _hear(self, data: str | bytes) -> None:
        try:
            message = decode_untrusted(data)
            self._listener.hear(message)
        except WireError as error:
            raise RemoteError(
                f"{self._address.server} sent an invalid message: {error}. "
                "fix: install the same version of cardhub here and there"
            ) from error
        if isinstance(message, Closed):
            if message.is_final:
                raise RemoteError(message.why)
            raise _LostError(message.why, was_open=True)

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

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _failed(self, why: str, error: Exception, is_open: bool) -> Exception:
        """Return the end of an attempt: the first one must succeed, further ones are repeated."""
        if self._was_connected:
            return _LostError(why, was_open=is_open)
        return RemoteError(
            f"{self._address.server}: {why}. fix: check the address, and that `cardhub serve` "
            "runs there"
        )

    def _refused(self, status: int) -> Exception:
        """Return the end of an attempt that the server answered with an HTTP status."""
        if status == 404:
            page = self._address.page
            return RemoteError(f"there is no table {page}. fix: ask for a new link")
        if status in (429, 503) or (status >= 500 and self._was_connected):
            return self._failed("the server is busy", OSError(), False)
        return RemoteError(
            f"{self._address.server} refuses the connection (HTTP {status}). "
            "fix: check the address; a proxy before the server must pass WebSockets on"
        )


class _LostError(Exception):
    """The end of a connection that is to be made again."""

    def __init__(self, why: str, *, was_open: bool) -> None:
        super().__init__(why)
        self.was_open = was_open
