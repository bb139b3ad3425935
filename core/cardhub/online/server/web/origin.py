"""Checks of hosts and origins: other web sites cannot use a server through a player's browser.

A page of another site could open a WebSocket to this server, or reach it under a host name that
resolves to 127.0.0.1 (DNS rebinding). The browser reports both in headers that the page cannot set.
"""

from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardhub.online.server.server_options import LOCAL_HOSTS, ServerOptions, read_origin


class OriginCheck:
    """Knows the hosts and origins under which a server is reached."""

    def __init__(self, options: ServerOptions) -> None:
        self._origins = tuple(options.origins)
        # Without an origin only this machine reaches the server, with any port in the address,
        # because another port may be forwarded to it.
        self._hosts = {origin.partition("://")[2] for origin in self._origins}
        self._is_local = not self._origins

    def is_host(self, host: str) -> bool:
        """Return whether a `Host` header names this server."""
        if host.lower() in self._hosts:
            return True
        # The machine itself may send health checks.
        return _without_port(host.lower()) in LOCAL_HOSTS

    def is_origin(self, scope: Scope) -> bool:
        """Return whether a page of this server made the request."""
        headers = Headers(scope=scope)
        origins = headers.getlist("origin")
        if len(origins) != 1:
            return False
        try:
            origin = read_origin(origins[0])
        except ValueError:
            return False  # `null`: a sandboxed page, a file or an extension
        if origin in self._origins:
            return True
        return self._is_local and origin == self.own_origin(scope)

    def own_origin(self, scope: Scope) -> str:
        """Return the origin for links: the configured one, or the request's."""
        if self._origins:
            return self._origins[0]
        scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
        host = Headers(scope=scope).get("host", "localhost")
        return read_origin(f"{scheme}://{host}")


def has_origin(scope: Scope) -> bool:
    """Return whether a request has an `Origin` header; scripts in browsers always send one."""
    return "origin" in Headers(scope=scope)


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isascii() and port.isdigit() else host


# Only the scripts and styles of this server; no inline code, frames or forms.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A replay page contains its scripts, and a policy in the page allows them by hash.
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
WRONG_HOST = "this server has another name. fix: start it with --origin"


class SafeHeaders:
    """ASGI middleware: adds the headers to every response, and refuses requests to other hosts."""

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
            # Uvicorn answers with status 403.
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(WRONG_HOST, 421)(scope, receive, send_safe)
