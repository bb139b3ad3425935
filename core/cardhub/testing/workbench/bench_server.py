"""The page of a workbench, for browsers on this machine only.

Python's own server is enough for one author, so `cardhub dev` needs no other library. The page and
its requests need the secret part of the address: other pages and other users do not know it.
"""

import secrets
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
from typing_extensions import override

from cardhub.base.errors import CardhubError
from cardhub.base.http_server import HttpServer, send_answer
from cardhub.play.pages.bundle import FOLDERS, bundle_modules, bundle_styles
from cardhub.testing.workbench.workbench import PageCommand, Workbench

HOST = "127.0.0.1"
# Seconds after which a request for a newer state is answered with the present one.
POLL_SECONDS = 20.0
# The most bytes of a command.
MOST_BYTES = 100_000
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>cardhub dev</title>
<link rel="icon" href="data:,">
<style nonce="{nonce}">{style}</style>
</head>
<body>
<div id="bench"></div>
<noscript>The workbench needs JavaScript.</noscript>
<script nonce="{nonce}">(() => {{
"use strict";
{script}
startBench(document);
}})();
</script>
</body>
</html>
"""


class BenchServer(HttpServer):
    """Serves the page of a workbench; port 0 is any free port. Raises OSError."""

    def __init__(self, workbench: Workbench, port: int) -> None:
        self.key = secrets.token_urlsafe(16)
        super().__init__((HOST, port), partial(_Request, workbench, f"/{self.key}"))

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/{self.key}/"


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, workbench: Workbench, root: str, *args: Any) -> None:
        self._workbench = workbench
        self._root = root
        super().__init__(*args)  # answers the request

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Do not log requests: the address has the secret."""

    def do_GET(self) -> None:
        """Answer with the page, or with the state once it has changed."""
        path, query = self._split()
        if path == "/":
            self._send_page()
        elif path == "/state":
            after = query.get("after", ["-1"])[0]
            revision = int(after) if after.lstrip("-").isdigit() else -1
            self._send_json(msgspec.json.encode(self._workbench.wait(revision, POLL_SECONDS)))
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Carry out a command; answer with its reply, or with `refused` and the reason."""
        path, _ = self._split()
        length = self.headers.get("Content-Length", "")
        is_json = self.headers.get("Content-Type") == "application/json"
        if path != "/command" or not is_json or not length.isdigit() or int(length) > MOST_BYTES:
            self.close_connection = True  # the body is not read
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        try:
            command = msgspec.json.decode(self.rfile.read(int(length)), type=PageCommand)
            reply = self._workbench.run(command)
        except (CardhubError, msgspec.DecodeError) as error:
            self._send_json(msgspec.json.encode({"refused": str(error)}))
        else:
            self._send_json(msgspec.json.encode(reply or {}))

    def _split(self) -> tuple[str, dict[str, list[str]]]:
        """Return the path after the secret, empty if it is wrong, and the query."""
        port = self.server.server_port  # type: ignore[attr-defined]  # of a BenchServer
        # A page elsewhere may have a name that leads to this machine: its requests are refused.
        is_here = self.headers.get("Host") in (f"{HOST}:{port}", f"localhost:{port}")
        parts = urlsplit(self.path)
        root, path = parts.path[: len(self._root)], parts.path[len(self._root) :]
        is_known = is_here and secrets.compare_digest(root.encode(), self._root.encode())
        return (path or "/") if is_known else "", parse_qs(parts.query)

    def _send_page(self) -> None:
        nonce = secrets.token_urlsafe(16)
        script, style = _assets()
        body = PAGE.format(nonce=nonce, script=script, style=style).encode()
        self._send(body, "text/html; charset=utf-8", POLICY.format(nonce=nonce))

    def _send_json(self, body: bytes) -> None:
        self._send(body, "application/json", "default-src 'none'")

    def _send(self, body: bytes, kind: str, policy: str) -> None:
        headers = {
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }
        send_answer(self, body, kind, headers)


@lru_cache(maxsize=1)
def _assets() -> tuple[str, str]:
    folders = {**FOLDERS, "bench": files("cardhub.testing.workbench") / "static" / "bench"}
    styles = bundle_styles(("table/styles", "bench/styles"), folders)
    return bundle_modules("bench/main.js", folders), styles
