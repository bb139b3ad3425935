"""The connection of a client with a table: it is made again until it is closed."""

import asyncio
import re
import ssl
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any, NamedTuple, Protocol

import msgspec
from typing_extensions import override
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    InvalidURI,
)

from cardhub.base.errors import RemoteError
from cardhub.base.errors.quoting import printable
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.wire.client_messages import AnyClientMessage, Enter
from cardhub.online.wire.server_messages import AnyServerMessage, Closed
from cardhub.online.wire.wire_codec import WireError, decode_server, encode_message

# The most bytes of a message. The catalogue of a game with drawings is the largest one.
MOST_BYTES = 4 * 2**20
# Characters that a terminal could obey, raw or as an escape of JSON.
_SUSPICIOUS = re.compile(r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]|\\[bfnrtu]")
# Texts of several lines: rules, details of spots, reasons, and texts of cards.
_LINES = frozenset(("rules", "text", "why", "why_none"))


def decode_untrusted(data: bytes | str) -> AnyServerMessage:
    """Return a message whose texts have no control characters; raises WireError."""
    if len(data) > MOST_BYTES:
        raise WireError(f"a message of {len(data):,} bytes is too long")
    # First: bytes that are not UTF-8 are refused there.
    message = decode_server(data)
    text = data if isinstance(data, str) else data.decode("utf-8", "surrogatepass")
    # Messages of an honest server hardly ever have any, so most are decoded once only.
    if _SUSPICIOUS.search(text) is None:
        return message
    plain = _escaped(msgspec.to_builtins(message), lines=False)
    cleaned: AnyServerMessage = msgspec.convert(plain, type(message))
    return cleaned


def _escaped(value: Any, *, lines: bool) -> Any:
    if isinstance(value, str):
        return printable(value, lines=lines)
    if isinstance(value, dict):
        return {
            printable(str(key)): _escaped(each, lines=key in _LINES) for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_escaped(each, lines=lines) for each in value]
    return value


# The code with which a connection is closed that sent too long a message.
TOO_BIG = 1009


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


class LastingConnection:
    """Keeps a client connected with a server while `run` runs.

    The first attempt must succeed, further ones are repeated. `rng` spreads the attempts of many
    clients after a restart of their server.
    """

    def __init__(
        self, address: TableAddress, url: str, rng: Random, patience: Patience | None = None
    ) -> None:
        self._address = address
        self._url = url
        self._rng = rng
        self._patience = patience or Patience()
        self.loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._was_connected = False

    async def talk(self, socket: ClientConnection) -> None:
        """Send and receive messages until the connection ends.

        Raises LostError if it is to be opened again, RemoteError if there must be no other.
        """
        raise NotImplementedError

    def lost(self, why: str) -> None:
        """Note that the connection was lost; it is tried again."""
        raise NotImplementedError

    def ended(self, error: RemoteError) -> None:
        """Note that the connection has ended for good."""
        raise NotImplementedError

    def nonsense(self, why: object) -> RemoteError:
        """Return the error for a message that the server should not send."""
        return RemoteError(
            f"{self._address.server} sent an invalid message: {why}. "
            "fix: install the same version of cardhub here and there"
        )

    def close(self) -> None:
        """End the connection; safe from any thread."""
        if self.loop is not None:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._cancel)

    async def run(self) -> None:
        """Stay connected until the connection is closed by `close`, or by the server for good."""
        self.loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        try:
            await self._stay_connected()
        except asyncio.CancelledError:
            return
        except RemoteError as error:
            self.ended(error)

    async def _stay_connected(self) -> None:
        loop, patience = asyncio.get_running_loop(), self._patience
        wait = patience.shortest
        while True:
            began = loop.time()
            try:
                await self._converse()
            except LostError as error:
                self.lost(str(error))
            # Not after each one: a server may accept connections and end them at once.
            if loop.time() - began > patience.longest:
                wait = patience.shortest
            # Between half of the time and the whole of it.
            await asyncio.sleep(wait * (1 + self._rng.random()) / 2)
            wait = min(wait * 2, patience.longest)

    async def _converse(self) -> None:
        """Hold one connection until it is lost; raises RemoteError if there must be no other."""
        patience = self._patience
        try:
            async with connect(
                self._url,
                open_timeout=patience.opening,
                ping_interval=patience.heartbeat,
                ping_timeout=patience.answer,
                close_timeout=patience.closing,
                max_size=MOST_BYTES,
            ) as socket:
                self._was_connected = True
                await self.talk(socket)
        except RemoteError:
            raise
        except (ConnectionClosed, TimeoutError, EOFError) as error:
            if isinstance(error, ConnectionClosed) and error.sent and error.sent.code == TOO_BIG:
                raise self.nonsense(f"it has more than {MOST_BYTES:,} bytes") from error
            raise self._failed("the connection ended") from error
        except InvalidStatus as error:
            raise self._refused(error.response.status_code) from error
        except ssl.SSLCertVerificationError as error:
            raise RemoteError(
                f"the certificate of {self._address.server} is not valid: {error.verify_message}. "
                "fix: tell its owner, or give the address that the certificate is for"
            ) from error
        except (InvalidHandshake, InvalidMessage, InvalidURI, ssl.SSLError) as error:
            raise self._failed("no cardhub server answers there") from error
        except OSError as error:
            raise self._failed(error.strerror or "no server answers") from error
        raise LostError("the connection ended")

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _failed(self, why: str) -> Exception:
        """Return the end of an attempt: the first one must succeed, further ones are repeated."""
        if self._was_connected:
            return LostError(why)
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
            return self._failed("the server is busy")
        return RemoteError(
            f"{self._address.server} refuses the connection (HTTP {status}). "
            "fix: check the address; a proxy before the server must pass WebSockets on"
        )


class LostError(Exception):
    """The end of a connection that is to be made again."""


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
