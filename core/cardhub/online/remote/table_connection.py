"""The connection of a client to a table, which reconnects until it is closed."""

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
from cardhub.base.writing import clipped
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.wire.client_messages import AnyClientMessage, Enter
from cardhub.online.wire.server_messages import AnyServerMessage, Closed
from cardhub.online.wire.wire_codec import WireError, decode_server, encode_message
from cardhub.play.table_messages import HintMessage, Refused

# The maximum size of a message in bytes. The largest message is the catalogue of a game with
# drawings.
MOST_BYTES = 4 * 2**20
# Characters that a terminal could interpret, raw or as a JSON escape.
_SUSPICIOUS = re.compile(r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]|\\[bfnrtu]")
# The maximum length of a reason in characters; the reasons of an honest server are shorter.
LONGEST_WHY = 1000
# Keys whose texts have several lines: rules, details of spots, reasons, and texts of cards.
_LINES = frozenset(("rules", "text", "why", "why_none"))


def decode_untrusted(data: bytes | str) -> AnyServerMessage:
    """Decode a message, escape control characters in its texts, and clip reasons.

    Raises WireError.
    """
    if len(data) > MOST_BYTES:
        raise WireError(f"a message of {len(data):,} bytes is too long")
    # First, because `decode_server` refuses bytes that are not UTF-8.
    message = decode_server(data)
    text = data if isinstance(data, str) else data.decode("utf-8", "surrogatepass")
    # Messages of an honest server rarely contain such characters, so most are decoded only once.
    if _SUSPICIOUS.search(text) is not None:
        plain = _escaped(msgspec.to_builtins(message), lines=False)
        message = msgspec.convert(plain, type(message))
    # Front ends show reasons in a line or a dialog.
    if isinstance(message, Closed | Refused | HintMessage):
        message = msgspec.structs.replace(message, why=clipped(message.why, LONGEST_WHY))
    return message


def _escaped(value: Any, *, lines: bool) -> Any:
    if isinstance(value, str):
        return printable(value, lines=lines)
    if isinstance(value, dict):
        return {
            printable(str(key)): _escaped(item, lines=key in _LINES) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_escaped(item, lines=lines) for item in value]
    return value


# The close code that follows an oversized message.
TOO_BIG = 1009


class Patience(NamedTuple):
    """Timeouts and delays of a connection in seconds.

    The client sends a heartbeat every `heartbeat` seconds and treats the connection as lost if the
    answer takes longer than `answer`, so a stalled network is noticed after the sum of both.
    Reconnects back off exponentially from `shortest` to `longest`.
    """

    opening: float = 10
    heartbeat: float = 15
    answer: float = 20
    shortest: float = 0.5
    longest: float = 15
    closing: float = 2


class PersistentConnection:
    """A client's connection to a server, which reconnects while `run` runs.

    The first attempt must succeed; later attempts are retried. `rng` adds jitter, because all
    clients reconnect after a restart of the server.
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
        """Exchange messages until the connection ends.

        Raises LostError to request a reconnect, or RemoteError to prevent one.
        """
        raise NotImplementedError

    def on_lost(self, why: str) -> None:
        """Handle a lost connection; a reconnect follows."""
        raise NotImplementedError

    def on_ended(self, error: RemoteError) -> None:
        """Handle the permanent end of the connection."""
        raise NotImplementedError

    def invalid_message_error(self, why: object) -> RemoteError:
        """Return the error for an invalid message of the server."""
        return RemoteError(
            f"{self._address.server} sent an invalid message: {why}. "
            "fix: install the same version of cardhub on both machines"
        )

    def close(self) -> None:
        """End the connection. Thread-safe."""
        if self.loop is not None:
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._cancel)

    async def run(self) -> None:
        """Stay connected until `close` is called or the server ends the connection permanently."""
        self.loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        try:
            await self._stay_connected()
        except asyncio.CancelledError:
            return
        except RemoteError as error:
            self.on_ended(error)

    async def _stay_connected(self) -> None:
        loop, patience = asyncio.get_running_loop(), self._patience
        wait = patience.shortest
        while True:
            began = loop.time()
            try:
                await self._hold_connection()
            except LostError as error:
                self.on_lost(str(error))
            # A short connection does not reset the backoff: a server may accept connections and
            # close them immediately.
            if loop.time() - began > patience.longest:
                wait = patience.shortest
            # Jitter: wait between half of the delay and all of it.
            await asyncio.sleep(wait * (1 + self._rng.random()) / 2)
            wait = min(wait * 2, patience.longest)

    async def _hold_connection(self) -> None:
        """Hold one connection until it is lost. Raises RemoteError to prevent a reconnect."""
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
                raise self.invalid_message_error(
                    f"it has more than {MOST_BYTES:,} bytes"
                ) from error
            raise self._attempt_error("the connection ended") from error
        except InvalidStatus as error:
            raise self._status_error(error.response.status_code) from error
        except ssl.SSLCertVerificationError as error:
            raise RemoteError(
                f"the certificate of {self._address.server} is not valid: {error.verify_message}. "
                "fix: ask its owner to renew it, or use the address that the certificate is for"
            ) from error
        except (InvalidHandshake, InvalidMessage, InvalidURI, ssl.SSLError) as error:
            raise self._attempt_error("no cardhub server answers there") from error
        except OSError as error:
            raise self._attempt_error(error.strerror or "no server answers") from error
        raise LostError("the connection ended")

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _attempt_error(self, why: str) -> Exception:
        """Return the error of a failed attempt: fatal for the first attempt, else worth a retry."""
        if self._was_connected:
            return LostError(why)
        return RemoteError(
            f"{self._address.server}: {why}. fix: check the address, and that `cardhub serve` "
            "runs there"
        )

    def _status_error(self, status: int) -> Exception:
        """Return the error of an attempt that the server answered with an HTTP status."""
        if status == 404:
            page = self._address.page
            return RemoteError(f"there is no table {page}. fix: ask for a new link")
        if status in (429, 503) or (status >= 500 and self._was_connected):
            return self._attempt_error("the server is busy")
        return RemoteError(
            f"{self._address.server} refuses the connection (HTTP {status}). "
            "fix: check the address. A proxy in front of the server must forward WebSockets"
        )


class LostError(Exception):
    """The end of a connection that must be opened again."""


# Below the server's limit of 20 messages per second.
MESSAGES_A_SECOND, BURST = 15, 10


class ConnectionListener(Protocol):
    """The receiver of a connection's messages. All methods are called in the connection's loop."""

    def greeting(self) -> Enter:
        """Return the first message of a new connection."""
        ...

    def on_connected(self) -> None:
        """Handle a successful connection; messages follow."""
        ...

    def on_message(self, message: AnyServerMessage) -> None:
        """Handle a message. Raises WireError if too many messages are waiting."""
        ...

    def on_lost(self, why: str) -> None:
        """Handle a lost connection; a reconnect follows."""
        ...

    def on_ended(self, error: RemoteError) -> None:
        """Handle the permanent end of the connection."""
        ...


class TableConnection(PersistentConnection):
    """A client's connection to a table.

    `send` is thread-safe. If the connection is lost, unsent messages are dropped; the listener
    repeats the messages that still make sense.
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
        self._has_messages = asyncio.Event()

    def send(self, message: AnyClientMessage, key: str = "") -> None:
        """Queue a message, which replaces an unsent message with the same key."""
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop was closed in the meantime
                self.loop.call_soon_threadsafe(self._put, message, key)

    @override
    async def talk(self, socket: ClientConnection) -> None:
        await socket.send(encode_message(self._listener.greeting()).decode())
        self._listener.on_connected()
        await self._exchange(socket)

    @override
    def on_lost(self, why: str) -> None:
        self._outbox.clear()
        self._listener.on_lost(why)

    @override
    def on_ended(self, error: RemoteError) -> None:
        self._listener.on_ended(error)

    async def _exchange(self, socket: ClientConnection) -> None:
        writer = asyncio.create_task(self._write(socket))
        try:
            async for data in socket:
                self._receive(data)
                # A socket with waiting messages never suspends this task, so yield to other tasks
                # of the loop.
                await asyncio.sleep(0)
        finally:
            writer.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await writer

    def _receive(self, data: str | bytes) -> None:
        try:
            message = decode_untrusted(data)
            self._listener.on_message(message)
        except WireError as error:
            raise self.invalid_message_error(error) from error
        if isinstance(message, Closed):
            if message.is_final:
                raise RemoteError(message.why)
            raise LostError(message.why)

    async def _write(self, socket: ClientConnection) -> None:
        """Send the messages of the outbox within the server's rate limit."""
        loop = asyncio.get_running_loop()
        allowance, at = float(BURST), loop.time()
        while True:
            await self._has_messages.wait()
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
                self._has_messages.clear()

    def _put(self, message: AnyClientMessage, key: str) -> None:
        self._outbox[key or next(self._numbers)] = message
        self._has_messages.set()
