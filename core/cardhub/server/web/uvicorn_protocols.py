"""Uvicorn's protocols, against clients that stall: they never end such connections themselves.

A transport is closed only when the client has taken what is written, so a client that reads nothing
would keep its connection and buffers for ever; here it is aborted.
"""

import asyncio
from asyncio.transports import BaseTransport
from typing import Any

from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

# Seconds between looks at an HTTP connection, and how many a request may take altogether.
LOOK_EVERY = 10.0
MOST_LOOKS = 6
# Frames of one message; browsers send one.
MOST_FRAMES = 64
# Bytes that may wait for a client in the transport: pongs are written without asking it.
MOST_UNSENT = 256 * 1024


class PatientHttp(H11Protocol):
    """HTTP/1.1; a request must come within 10 s, and be answered and taken within a minute."""

    _looks = 0
    _seen: object = None

    @override
    # Its base class narrows the parameter of asyncio's protocol in the same way.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(LOOK_EVERY, self._look)

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
            self.loop.call_later(LOOK_EVERY, self._look)


class AbortableWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket; the scope's state has `abort`, which ends the connection at once."""

    @override
    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": self.transport.abort}

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
