"""The application: its routes, and the limits in front of them."""

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from cardhub.online.server.bots.bot_visit import BotVisit
from cardhub.online.server.connection import Connection, Visit
from cardhub.online.server.handshake import Arrival
from cardhub.online.server.limits import ServerLimits
from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.table_interface import Tables
from cardhub.online.server.web.origin import OriginCheck, SafeHeaders, has_origin
from cardhub.online.server.web.pages import Pages, refuse

# A client's WebSocket of a table, and that of a program which plays there.
_SOCKET = re.compile(r"/(?P<kind>ws|bot)/(?P<table>[^/]+)")
TOO_MANY = "too many requests came from your address. fix: wait some seconds"


def build_app(tables: Tables, options: ServerOptions) -> ASGIApp:
    """Return the ASGI application of a server; uvicorn serves it, and tests ask it directly."""
    check = OriginCheck(options)
    limits = ServerLimits(options.limits)
    pages = Pages(tables, options, limits, check)
    app = Starlette(
        routes=[
            Route("/", pages.page),
            Route("/t/{table}", pages.page),
            Route("/t/{table}/qr.svg", pages.table_qr),
            Route("/t/{table}/replay/{number}.html", pages.replay),
            Route("/assets/{path:path}", pages.asset),
            Route("/lobby", pages.lobby),
            Route("/tables", pages.create, methods=["POST"]),
            Route("/qr.svg", pages.link_qr, methods=["POST"]),
            Route("/healthz", pages.health),
        ],
        exception_handlers={HTTPException: _refuse_http, Exception: _refuse_failed},
    )
    sockets = _Sockets(app, tables, limits, check)
    # Around all of Starlette: its answer to a failure is made outside of its own middleware.
    return SafeHeaders(_RequestLimit(sockets, limits), check)


class _Sockets:
    """ASGI middleware: the endpoints of WebSockets; all else is for `app`.

    Not routes of Starlette, whose layers would have a dozen coroutines wait for each connection.
    """

    def __init__(
        self, app: ASGIApp, tables: Tables, limits: ServerLimits, check: OriginCheck
    ) -> None:
        self._app = app
        self._tables = tables
        self._limits = limits
        self._check = check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
        elif found := _SOCKET.fullmatch(scope["path"]):
            kind = Visit if found["kind"] == "ws" else BotVisit
            await self._run(WebSocket(scope, receive, send), kind, found["table"])
        else:
            await WebSocket(scope, receive, send).close(1008)

    async def _run(self, websocket: WebSocket, kind: type[Visit | BotVisit], table: str) -> None:
        # Programs have no origin; as every client needs a token, no page can pretend to be one.
        if has_origin(websocket.scope) and not self._check.is_origin(websocket.scope):
            await websocket.close(1008)
            return
        address = websocket.client.host if websocket.client else ""
        with self._limits.connections.hold(address) as refused:
            await websocket.accept()
            self._count_bytes(websocket, address)
            room = self._limits.waiting.room(address)
            connection = Connection(websocket, _abort_of(websocket), _writer_of(websocket), room)
            if refused:
                connection.close(refused, is_final=False)
            await connection.run(kind(Arrival(self._tables, table, self._limits, address)))

    def _count_bytes(self, websocket: WebSocket, address: str) -> None:
        """Have the bytes of a client counted for its address; too many are read more slowly."""
        received = self._limits.received

        def count(size: int) -> float:
            received.spend(address, size)
            return received.wait(address)

        count_by = websocket.scope.get("state", {}).get("count_by")
        if count_by is not None:
            count_by(count)


class _RequestLimit:
    """ASGI middleware: limits the requests and new WebSockets of an address."""

    def __init__(self, app: ASGIApp, limits: ServerLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        address = client[0] if client else ""
        is_socket = scope["type"] == "websocket"
        limiter = self._limits.visits if is_socket else self._limits.requests
        if limiter.take(address):
            await self._app(scope, receive, send)
        elif is_socket:
            # With its status, so that the client tries again later.
            await WebSocket(scope, receive, send).send_denial_response(refuse(429, TOO_MANY))
        else:
            await refuse(429, TOO_MANY)(scope, receive, send)


def _abort_of(websocket: WebSocket) -> Callable[[], None]:
    abort = websocket.scope.get("state", {}).get("abort")
    return cast("Callable[[], None]", abort) if abort else lambda: None


def _writer_of(websocket: WebSocket) -> Callable[[Sequence[bytes]], Awaitable[None]]:
    # Without Starlette, whose layers take as long for each message as to make it.
    send_texts = websocket.scope.get("state", {}).get("send_texts")
    return send_texts or partial(_send_one_by_one, websocket)


async def _send_one_by_one(websocket: WebSocket, texts: Sequence[bytes]) -> None:
    for text in texts:
        await websocket.send({"type": "websocket.send", "text": text.decode()})


async def _refuse_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = refuse(error.status_code, f"{error.detail}. fix: begin at the address /")
    response.headers.update(error.headers or {})
    return response


async def _refuse_failed(request: Request, error: Exception) -> Response:
    # Starlette raises the error again after this answer, and uvicorn logs it with its traceback.
    return refuse(500, "the server failed at this request. fix: reload, or tell its host")
