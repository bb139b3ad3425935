"""HTTP servers in threads of this process: Python's own, which is enough for a few clients."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import MappingProxyType
from typing import Any

from typing_extensions import override

NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class HttpServer(ThreadingHTTPServer):
    """A server whose requests do not keep the process alive; raises OSError for a used port.

    `handler` is called with the three arguments of a BaseHTTPRequestHandler. Port 0 is any free
    one.
    """

    daemon_threads = True

    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what failed, unless a client left while it waited for an answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(server: HttpServer) -> Iterator[None]:
    """Answer requests in another thread, until the block ends."""
    with server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def send_answer(
    handler: BaseHTTPRequestHandler,
    data: bytes,
    kind: str,
    headers: Mapping[str, str] = NO_HEADERS,
) -> None:
    """Send the answer to a request: data of this media type, with further headers."""
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(data)))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)
