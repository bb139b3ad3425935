"""HTTP responses: the page and its files, the lobby, new tables, QR codes and replays."""

import asyncio
import gzip
import hmac
import logging
import re
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from io import BytesIO
from typing import TypeVar

import msgspec
import segno
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from cardhub.online.browser.online_page import online_assets, online_html
from cardhub.online.server.limits import ServerLimits, address_key
from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.table_interface import (
    FinishedGame,
    LoadError,
    LobbyError,
    Tables,
    UnknownTableError,
)
from cardhub.online.server.web.origin import FRAMES_POLICY, OriginCheck
from cardhub.online.wire.client_messages import LARGEST_MESSAGE
from cardhub.online.wire.wire_codec import NewTable, OwnOutcomes, RequestRefused
from cardhub.play.table_commands import ClientMessage

# The width of the light border, without which cameras do not find the code.
BORDER = 4


def qr_svg(text: str) -> bytes:
    """Return a QR code as an SVG image, dark on light in every theme; raises ValueError."""
    code = segno.make(text, error="m", micro=False)
    image = BytesIO()
    code.save(image, kind="svg", border=BORDER, scale=4, dark="#000", light="#fff")
    return image.getvalue()


class PackedAnswer:
    """Responds with the latest content, or with status 304 if the client has it already.

    The content is compressed after each change, not for each request.
    """

    def __init__(self, media_type: str) -> None:
        self._media_type = media_type
        self._content = self._packed = b""
        self._tag = ""

    def to(self, request: Request, content: bytes) -> Response:
        """Return the response to a request."""
        if content != self._content:
            self._content, self._packed = content, gzip.compress(content, 6, mtime=0)
            self._tag = f'W/"{sha256(content).hexdigest()[:32]}"'
        headers = {"Cache-Control": "no-cache", "ETag": self._tag, "Vary": "Accept-Encoding"}
        tags = request.headers.get("if-none-match", "").split(",")
        if self._tag in (tag.strip() for tag in tags):
            return Response(status_code=304, headers=headers)
        return packed_response(request, content, self._packed, headers, self._media_type)


def packed_response(
    request: Request, content: bytes, packed: bytes, headers: Mapping[str, str], media_type: str
) -> Response:
    """Return a response with compressed content if the client accepts it."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(content, headers=headers, media_type=media_type)
    return Response(packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=media_type)


# The timeout of a build in seconds.
BUILD_WITHIN = 60.0


class PageBuildError(Exception):
    """The page of a finished game cannot be built; the text is for the log."""


class ReplayPages:
    """Returns pages of finished games, and builds missing ones in a process of low priority."""

    def __init__(self) -> None:
        # One build at a time, because it takes about a second of processor time.
        self._building = asyncio.Semaphore(1)

    async def page(self, game: FinishedGame) -> bytes:
        """Return the page of a game; raises PageBuildError."""
        if not game.page.is_file():
            async with self._building:
                # Another request may have built it in the meantime.
                if not game.page.is_file():
                    await _build(game)
        return game.page.read_bytes()


async def _build(game: FinishedGame) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # do not import modules from the working folder
        "-m",
        "cardhub.online.server.web.replay_builder",
        str(game.record),
        str(game.page),
        *map(str, game.directories),
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C must reach the server only; a build continues to its end
    )
    try:
        _, error = await asyncio.wait_for(process.communicate(), BUILD_WITHIN)
    except TimeoutError as late:
        process.kill()
        await process.wait()
        raise PageBuildError(f"{game.record}: no page after {BUILD_WITHIN:.0f} seconds") from late
    if process.returncode:
        raise PageBuildError(f"{game.record}: {error.decode(errors='replace')}")


LOG = logging.getLogger("cardhub.online.server")
T = TypeVar("T")

# By the ending of a file of the page.
MEDIA_TYPES = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
# Revalidated each time, because the page names the current version of the script.
CHECKED = {"Cache-Control": "no-cache"}
# A policy in the page allows its scripts by hash.
REPLAY_HEADERS = {
    "Content-Security-Policy": FRAMES_POLICY,
    "Cache-Control": "private, max-age=3600",
}
# The maximum lengths of an id in a link, and of a path with the token of a seat.
LONGEST_ID, LONGEST_PATH = 40, 120
TOO_MANY_DRAWINGS = (
    "your address has requested too many images and replays. fix: wait a few seconds"
)
# The largest body of a request for results in bytes.
LARGEST_OUTCOMES = 100_000
NO_REPLAY = "there is no such finished game. fix: reload when the game is over"
DIGITS = re.compile(r"[1-9]\d{0,8}", re.ASCII)
MOST_TABLES_MESSAGE = "your address has made too many tables. fix: wait a few minutes"


class QrRequest(ClientMessage, frozen=True, kw_only=True):
    """The body of `POST /qr.svg`: a path of this server, with the fragment of a seat's link."""

    path: str


class Pages:
    """All HTTP endpoints."""

    def __init__(
        self, tables: Tables, options: ServerOptions, limits: ServerLimits, check: OriginCheck
    ) -> None:
        self._tables = tables
        self._options = options
        self._limits = limits
        self._check = check
        self._html = online_html().encode()
        assets = online_assets().items()
        self._assets = {path: (data, gzip.compress(data, mtime=0)) for path, data in assets}
        self._lobby = PackedAnswer("application/json")
        self._replays = ReplayPages()

    async def page(self, request: Request) -> Response:
        """Return the page, which is the same for the lobby and for every table."""
        return Response(self._html, headers=CHECKED, media_type="text/html")

    async def asset(self, request: Request) -> Response:
        """Return a script, style sheet or image; only known paths are served."""
        entry = self._assets.get(request.url.path)
        if entry is None:
            return refuse(404, "there is no such file. fix: reload the page")
        headers = {**FOREVER, "Vary": "Accept-Encoding"}
        media_type = MEDIA_TYPES[request.url.path.rpartition(".")[2]]
        return packed_response(request, *entry, headers, media_type)

    async def health(self, request: Request) -> Response:
        """Return `ok`."""
        return Response(b"ok\n", media_type="text/plain")

    async def lobby(self, request: Request) -> Response:
        """Return the games and the listed tables."""
        state = self._tables.listed()
        makers = "key" if self._options.key else "anyone"
        state = msgspec.structs.replace(state, makers=makers)
        return self._lobby.to(request, msgspec.json.encode(state))

    async def own_offer(self, request: Request) -> Response:
        """Return the entry of a table for the person whose token is in the `Authorization` header.

        The token is not in the address, because proxies write addresses to logs.
        """
        return self._answer_holder(request, self._tables.own_offer)

    async def own_games(self, request: Request) -> Response:
        """Return the finished games of a table for a person as in `own_offer`."""
        return self._answer_holder(request, self._tables.own_games)

    async def own_results(self, request: Request) -> Response:
        """Return the table of results of the outcomes in the body."""
        if refused := self._refuse_post(request):
            return refused
        if not self._limits.drawings.consume(address_of(request)):
            return refuse(429, TOO_MANY_DRAWINGS)
        body = await _body(request, OwnOutcomes, LARGEST_OUTCOMES)
        if isinstance(body, Response):
            return body
        return _json(200, self._tables.own_results(body.outcomes))

    def _answer_holder(
        self, request: Request, find: Callable[[str, str], Struct | None]
    ) -> Response:
        """Answer with what `find` returns for a table and the token of the request."""
        if not self._limits.failed_tokens.has_room(address_of(request)):
            return refuse(429, "your address has sent too many wrong keys. fix: wait a minute")
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        try:
            answer = find(request.path_params["table"], token)
        except UnknownTableError as error:
            return refuse(404, str(error))
        if answer is None:
            self._limits.failed_tokens.consume(address_of(request))
            return refuse(403, "this is not the key of a seat. fix: ask the owner for a new link")
        return _json(200, answer)

    async def create(self, request: Request) -> Response:
        """Make a table."""
        if refused := self._refuse_post(request):
            return refused
        address = address_of(request)
        new = await _body(request, NewTable)
        if isinstance(new, Response):
            return new
        if not self._has_key(new.key):
            self._limits.failed_tokens.consume(address)
            return refuse(403, "this is not the key of this server. fix: ask its owner for it")
        limiters = (self._limits.new_tables, self._limits.new_tables_of_network)
        if not all(limiter.has_room(address) for limiter in limiters):
            return refuse(429, MOST_TABLES_MESSAGE)
        try:
            # The limiter's key, because a household has many IPv6 addresses.
            maker = "" if self._options.is_local else address_key(address)
            created = self._tables.create(new, maker)
        except LobbyError as error:
            return refuse(400, str(error))
        for limiter in limiters:
            limiter.consume(address)
        return _json(201, created)

    async def table_qr(self, request: Request) -> Response:
        """Return the link of a table as a QR code."""
        table = request.path_params["table"]
        if len(table) > LONGEST_ID:
            return refuse(404, "there is no such table. fix: ask for its link again")
        return self._svg(request, f"{self._check.own_origin(request.scope)}/t/{table}")

    async def link_qr(self, request: Request) -> Response:
        """Return a link with a token as a QR code.

        The link is in the body of the request, because proxies write addresses to logs.
        """
        if refused := self._refuse_post(request):
            return refused
        body = await _body(request, QrRequest)
        if isinstance(body, Response):
            return body
        path = body.path
        if path.startswith("//") or not path.startswith("/") or len(path) > LONGEST_PATH:
            return refuse(400, "this is not a path of this server. fix: send {'path': '/t/…'}")
        return self._svg(request, self._check.own_origin(request.scope) + path)

    async def replay(self, request: Request) -> Response:
        """Return a finished game as a page."""
        table, number = request.path_params["table"], request.path_params["number"]
        if not DIGITS.fullmatch(number):
            return refuse(404, NO_REPLAY)
        # Count every request, because checking the record of a running game reads it completely.
        if not self._limits.drawings.consume(address_of(request)):
            return refuse(429, TOO_MANY_DRAWINGS)
        try:
            game = self._tables.replay(table, int(number))
        except UnknownTableError:
            game = None
        except LoadError as error:
            return refuse(503, str(error))
        if game is None:
            return refuse(404, NO_REPLAY)
        html = await self._replays.page(game)
        return Response(html, headers=REPLAY_HEADERS, media_type="text/html")

    def _svg(self, request: Request, link: str) -> Response:
        if not self._limits.drawings.consume(address_of(request)):
            return refuse(429, TOO_MANY_DRAWINGS)
        return Response(qr_svg(link), media_type="image/svg+xml")

    def _refuse_post(self, request: Request) -> Response | None:
        if not self._check.is_origin(request.scope):
            return refuse(
                403,
                "this request comes from a page of another site. fix: open the page of this server",
            )
        if not self._limits.failed_tokens.has_room(address_of(request)):
            return refuse(429, "your address has sent too many wrong keys. fix: wait a minute")
        return None

    def _has_key(self, key: str) -> bool:
        expected = self._options.key
        return not expected or hmac.compare_digest(_bytes(key), _bytes(expected))


def refuse(status: int, why: str) -> Response:
    """Return a response with the reason for a refusal."""
    return _json(status, RequestRefused(why=why))


def address_of(request: Request) -> str:
    """Return the network address of a client, or an empty text if it is unknown."""
    return request.client.host if request.client else ""


def _json(status: int, value: object) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


async def _body(request: Request, kind: type[T], largest: int = LARGEST_MESSAGE) -> T | Response:
    """Return the decoded body of at most `largest` bytes, or the response that refuses it."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return refuse(415, "the body is not JSON. fix: send Content-Type: application/json")
    data = bytearray()
    try:
        async for part in request.stream():
            data += part
            if len(data) > largest:
                return refuse(413, f"the body has more than {largest} bytes. fix: send less")
    except ClientDisconnect:
        return refuse(400, "the connection ended")
    try:
        return msgspec.json.decode(bytes(data), type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return refuse(400, f"the request is invalid: {error}")
