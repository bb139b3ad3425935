"""HTTP between a ladder and its volunteers: one address, to which requests are posted."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urldefrag
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import msgspec
from typing_extensions import override

from cardhub.base.errors import MatchError, RemoteError
from cardhub.base.http_server import HttpServer, send_answer, serving
from cardhub.lab.ladder.volunteers import MOST_BYTES, Reply, Request, VolunteerDesk

PATH = "/ladder"
TOKEN = "volunteer="
# Seconds for the check of a log: the bots play some games again.
CHECKING = 600.0
# Seconds that a client may take to send the next part of its request.
PATIENCE = 60.0


@contextmanager
def volunteer_server(desk: VolunteerDesk, host: str, port: int, token: str) -> Iterator[str]:
    """Let volunteers play for a ladder, and yield the address for them.

    `port`: 0 for any free one. `token`: the secret in the address. Raises MatchError if the port is
    in use, or not allowed.
    """
    try:
        server = HttpServer((host, port), partial(_Handler, desk, token))
    except OSError as error:
        raise MatchError(
            f"port {port} of {host} cannot be used: {error.strerror}\n"
            "fix: --serve with another port, or 0 for any free one"
        ) from error
    with serving(server):
        yield f"http://{host}:{server.server_port}{PATH}#{TOKEN}{token}"


def send_to(url: str, request: Request) -> Reply:
    """Post a request to a ladder and return its reply; raises RemoteError."""
    address, token = urldefrag(url)
    if not address.startswith(("http://", "https://")):
        raise RemoteError(f"{address} is no address of a ladder, such as http://host:8000/ladder")
    headers = {"Authorization": f"Bearer {token.removeprefix(TOKEN)}"}
    data = msgspec.json.encode(request)
    try:
        # Only http and https, as checked above.
        with urlopen(HttpRequest(address, data, headers), timeout=CHECKING) as answer:
            return msgspec.json.decode(answer.read(MOST_BYTES), type=Reply)
    except HTTPError as error:
        raise RemoteError(f"{address}: {error.reason}") from error
    except (URLError, OSError, msgspec.MsgspecError) as error:
        raise RemoteError(f"{address}: {error}") from error


class _Handler(BaseHTTPRequestHandler):
    timeout = PATIENCE

    def __init__(self, desk: VolunteerDesk, token: str, *args: Any) -> None:
        self._desk, self._token = desk, token
        super().__init__(*args)  # answers the request

    def do_POST(self) -> None:  # the name that the base class calls
        """Answer a volunteer, whose address has the token."""
        given = self.headers.get("Authorization", "").removeprefix("Bearer ")
        size = self.headers.get("Content-Length", "")
        if self.path != PATH or not compare_digest(given.encode(), self._token.encode()):
            self.send_error(403, "the address lacks the secret of the ladder")
            return
        if not size.isdecimal() or int(size) > MOST_BYTES:
            self.send_error(413, "the log of the meeting is too long")
            return
        try:
            request = msgspec.json.decode(self.rfile.read(int(size)), type=Request)
        except msgspec.MsgspecError:
            self.send_error(400, "this ladder expects another version of cardhub")
            return
        send_answer(self, msgspec.json.encode(self._desk.answer(request)), "application/json")

    @override
    def log_message(self, *_: object) -> None:
        pass  # the ladder prints meetings
