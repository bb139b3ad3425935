"""A WebSocket to a server that is opened again whenever it is lost."""

import asyncio
import ssl
from contextlib import suppress
from random import Random
from typing import NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    InvalidURI,
)

from cardhub.base.errors import RemoteError
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.untrusted_messages import MOST_BYTES

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
