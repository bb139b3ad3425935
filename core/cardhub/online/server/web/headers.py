"""Headers of every answer, and the check of the host of every request."""

from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardhub.online.server.web.origin import OriginCheck

# Nothing but this server's own script and style; no inline code, no frame, no form.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A replay page has its scripts in itself and allows them by hash in a policy of its own.
FRAMES_POLICY = "frame-ancestors 'none'"
SAFE_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"
    ),
    "Cache-Control": "no-store",
}
WRONG_HOST = "this server does not have that name. fix: start it with --origin"


class SafeHeaders:
    """ASGI middleware: adds the headers to every answer, and refuses requests to other hosts."""

    def __init__(self, app: ASGIApp, check: OriginCheck) -> None:
        self._app = app
        self._check = check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_safe(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in SAFE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        hosts = Headers(scope=scope).getlist("host")
        if len(hosts) == 1 and self._check.is_host(hosts[0]):
            await self._app(scope, receive, send_safe)
        elif scope["type"] == "websocket":
            # Refused with 403, as the page that asks may be of anyone.
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(WRONG_HOST, 421)(scope, receive, send_safe)
