"""Hosts and origins of requests: other web sites cannot use a server through a visitor's browser.

A page of another site could open a WebSocket to this server, or reach it under a name of its own
that it lets resolve to 127.0.0.1 (DNS rebinding). The browser tells both in headers that the page
cannot set.
"""

from starlette.datastructures import Headers
from starlette.types import Scope

from cardhub.online.server.server_options import LOCAL_HOSTS, ServerOptions, read_origin


class OriginCheck:
    """Knows the hosts and origins under which a server is reached."""

    def __init__(self, options: ServerOptions) -> None:
        self._origins = tuple(options.origins)
        # Without an origin the server is reached from this machine alone, under any port: another
        # one may be forwarded to it.
        self._hosts = {origin.partition("://")[2] for origin in self._origins}
        self._is_local = not self._origins

    def is_host(self, host: str) -> bool:
        """Return whether a `Host` header names this server."""
        if host.lower() in self._hosts:
            return True
        # The machine itself may ask as well, for its health.
        return _without_port(host.lower()) in LOCAL_HOSTS

    def is_origin(self, scope: Scope) -> bool:
        """Return whether a request was made by a page of this server."""
        headers = Headers(scope=scope)
        origins = headers.getlist("origin")
        if len(origins) != 1:
            return False
        try:
            origin = read_origin(origins[0])
        except ValueError:
            return False  # `null` of a sandboxed page, a file or an extension
        if origin in self._origins:
            return True
        return self._is_local and origin == self.own_origin(scope)

    def own_origin(self, scope: Scope) -> str:
        """Return the origin for links: the configured one, or that of the request."""
        if self._origins:
            return self._origins[0]
        scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
        host = Headers(scope=scope).get("host", "localhost")
        return read_origin(f"{scheme}://{host}")


def has_origin(scope: Scope) -> bool:
    """Return whether a request has an `Origin` header, as those of all browsers' scripts have."""
    return "origin" in Headers(scope=scope)


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isascii() and port.isdigit() else host
