"""The route of assistants over HTTP; it stands apart because the library for them is optional."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from cardhub.base.errors import CardhubError
from cardhub.online.assistant.http_assistants import PATH, build_app
from cardhub.online.server.limits import ServerLimits
from cardhub.online.server.table_interface import Tables
from cardhub.online.server.web.origin import OriginCheck, has_origin
from cardhub.online.server.web.pages import refuse

TOO_MANY = "your address has asked for too many seats. fix: wait a minute"
WRONG_KEY = "this is not the key of a seat. fix: sit down, and use the key in the answer"
WRONG_KEYS = "your address has sent too many wrong keys. fix: wait a minute"
OTHER_PAGE = "pages of other servers cannot play here. fix: use a program"


class AddressGate:
    """Limits the seats that an address asks for, and its wrong keys."""

    def __init__(self, tables: Tables, limits: ServerLimits) -> None:
        self._tables = tables
        self._limits = limits

    def why_no_seat(self, address: str) -> str:
        """Return why an address may not ask for another seat now, or an empty text."""
        return "" if self._limits.drawings.consume(address) else TOO_MANY

    def why_wrong(self, table: str, key: str, address: str) -> str:
        """Return why a key does not belong to a seat of a table, or an empty text."""
        if not self._limits.failed_tokens.has_room(address):
            return WRONG_KEYS
        try:
            if self._tables.own_offer(table, key) is not None:
                return ""
        except CardhubError as error:
            return str(error)
        self._limits.failed_tokens.consume(address)
        return WRONG_KEY


class ProgramsOnly:
    """ASGI middleware: refuses the pages of other servers that a person has open in a browser."""

    def __init__(self, app: ASGIApp, check: OriginCheck) -> None:
        self._app = app
        self._check = check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if has_origin(scope) and not self._check.is_origin(scope):
            await refuse(403, OTHER_PAGE)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class AssistantRoute(NamedTuple):
    """The route of assistants, and what has to run as long as the server."""

    route: Route
    lifespan: Callable[[Starlette], AbstractAsyncContextManager[None]]


def build_route(tables: Tables, limits: ServerLimits, check: OriginCheck) -> AssistantRoute:
    """Return the route of assistants."""
    app = build_app(AddressGate(tables, limits))
    route = Route(PATH, ProgramsOnly(app, check))
    return AssistantRoute(route, partial(_run_beside, app))


@asynccontextmanager
async def _run_beside(app: Starlette, server: Starlette) -> AsyncIterator[None]:
    async with app.router.lifespan_context(app):
        yield
