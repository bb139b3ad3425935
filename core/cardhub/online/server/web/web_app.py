"""The ASGI application: its routes, and the limits in front of them."""

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

from cardhub.online.server.bots.bot_conversation import BotConversation
from cardhub.online.server.connection import ClientConversation, Connection, Handshake
from cardhub.online.server.limits import ServerLimits
from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.table_interface import Tables
from cardhub.online.server.web.origin import OriginCheck, SafeHeaders, has_origin
from cardhub.online.server.web.pages import Pages, refuse

# The WebSocket of a client at a table, or of a program that plays there.
_SOCKET = re.compile(r"/(?P<kind>ws|bot)/(?P<table>[^/]+)")
TOO_MANY = "your address has sent too many requests. fix: wait a few seconds"


def build_app(tables: Tables, options: ServerOptions) -> ASGIApp:
    """Return the ASGI application of a server, for uvicorn and for tests."""
    check = OriginCheck(options)
    limits = ServerLimits(options.limits)
    pages = Pages(tables, options, limits, check)
    assistants = None
    if options.has_assistants:
        from cardhub.online.server.web.assistant_route import build_route

        assistants = build_route(tables, limits, check)
    app = Starlette(
        routes=[
            *([] if assistants is None else [assistants.route]),
            Route("/", pages.page),
            Route("/games", pages.page),
            Route("/t/{table}", pages.page),
            Route("/t/{table}/qr.svg", pages.table_qr),
            Route("/t/{table}/offer", pages.own_offer),
            Route("/t/{table}/games", pages.own_games),
            Route("/t/{table}/replay/{number}.html", pages.replay),
            Route("/assets/{path:path}", pages.asset),
            Route("/lobby", pages.lobby),
            Route("/tables", pages.create, methods=["POST"]),
            Route("/results", pages.own_results, methods=["POST"]),
            Route("/qr.svg", pages.link_qr, methods=["POST"]),
            Route("/healthz", pages.health),
        ],
        exception_handlers={HTTPException: _refuse_http, Exception: _refuse_failed},
        lifespan=None if assistants is None else assistants.lifespan,
    )
    sockets = _Sockets(app, tables, limits, check)
    # Outside of Starlette, because Starlette answers failures outside of its middleware.
    return SafeHeaders(_RequestLimit(sockets, limits), check)


class _Sockets:
    """ASGI middleware: the WebSocket endpoints; other requests go to `app`.

    These are not routes of Starlette, because its layers add a dozen coroutines per connection.
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
        elif match := _SOCKET.fullmatch(scope["path"]):
            kind = ClientConversation if match["kind"] == "ws" else BotConversation
            await self._run(WebSocket(scope, receive, send), kind, match["table"])
        else:
            await WebSocket(scope, receive, send).close(1008)

    async def _run(
        self, websocket: WebSocket, kind: type[ClientConversation | BotConversation], table: str
    ) -> None:
        # A program sends no origin; a page cannot pretend to be a program: browsers always send
        # one.
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
            await connection.run(kind(Handshake(self._tables, table, self._limits, address)))

    def _count_bytes(self, websocket: WebSocket, address: str) -> None:
        """Count the received bytes for the client's address, and slow down above the limit."""
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
        limiter = self._limits.new_sockets if is_socket else self._limits.requests
        if limiter.consume(address):
            await self._app(scope, receive, send)
        elif is_socket:
            # Send status 429: then the client retries later.
            await WebSocket(scope, receive, send).send_denial_response(refuse(429, TOO_MANY))
        else:
            await refuse(429, TOO_MANY)(scope, receive, send)


def _abort_of(websocket: WebSocket) -> Callable[[], None]:
    abort = websocket.scope.get("state", {}).get("abort")
    return cast("Callable[[], None]", abort) if abort else lambda: None


def _writer_of(websocket: WebSocket) -> Callable[[Sequence[bytes]], Awaitable[None]]:
    # Bypass Starlette, because its layers take as long as encoding the message.
    send_texts = websocket.scope.get("state", {}).get("send_texts")
    return send_texts or partial(_send_one_by_one, websocket)


async def _send_one_by_one(websocket: WebSocket, texts: Sequence[bytes]) -> None:
    for text in texts:
        await websocket.send({"type": "websocket.send", "text": text.decode()})


async def _refuse_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = refuse(error.status_code, f"{error.detail}. fix: start at the address /")
    response.headers.update(error.headers or {})
    return response


async def _refuse_failed(request: Request, error: Exception) -> Response:
    # Starlette raises the error again after this answer, and uvicorn logs it with its traceback.
    return refuse(500, "the server failed at this request. fix: reload, or tell its host")
