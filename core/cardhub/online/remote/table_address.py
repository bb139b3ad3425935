"""Addresses of tables as people share them, and the addresses of their WebSockets."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from cardhub.base.errors import RemoteError
from cardhub.base.errors.quoting import quoted

FIX = "fix: give the whole address, such as http://192.168.1.20:8000/t/jx4m2a5f7q3c6d7e"
# Addresses that people paste are short; longer texts are cut before they are parsed.
LONGEST = 2000
_TABLE = re.compile(r"(?P<prefix>(?:/[\w.~-]+)*)/t/(?P<table>[\w-]{1,64})/?", re.ASCII)
_TOKEN = re.compile(r"seat=(?P<token>[\w-]{1,64})", re.ASCII)


class TableAddress(NamedTuple):
    """The address of a table.

    `server`: `http(s)://host[:port]`, with a path if the server has a prefix. `token`: the token of
    a seat, or empty; only `seat_link` puts a token into an address.
    """

    server: str
    table: str
    token: str = ""

    @property
    def socket(self) -> str:
        """The address of the WebSocket for people."""
        return f"{self.server.replace('http', 'ws', 1)}/ws/{self.table}"

    @property
    def bot_socket(self) -> str:
        """The address of the WebSocket for bots."""
        return f"{self.server.replace('http', 'ws', 1)}/bot/{self.table}"

    @property
    def page(self) -> str:
        """The address to share."""
        return f"{self.server}/t/{self.table}"

    def seat_link(self, token: str) -> str:
        """Return the link to a seat for another device of its person.

        Everybody who has the link controls the seat.
        """
        return f"{self.page}#seat={token}"

    def replay(self, number: int) -> str:
        """Return the address of the page that replays a finished game."""
        return f"{self.page}/replay/{number}.html"


def parse_address(text: str) -> TableAddress:
    """Parse the address of a table: `http(s)://host/t/ID`, optionally with `#seat=TOKEN`.

    Raises RemoteError with the reason.
    """
    # without the token, because people forward error messages
    shown = quoted(text.partition("#")[0])
    try:
        parts = urlsplit(text[:LONGEST])
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError as error:
        raise RemoteError(f"{shown} is not an address: {error}. {FIX}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise RemoteError(
            f"{shown} is not the address of a table: it must begin with http:// or https://. {FIX}"
        )
    if parts.username is not None or parts.query:
        raise RemoteError(f"{shown} is not the address of a table: it has a user or a query. {FIX}")
    match = _TABLE.fullmatch(parts.path)
    if match is None and parts.path in ("", "/"):
        raise RemoteError(
            f"{shown} is the address of a server, not of a table. "
            "fix: create a table there in a browser, and use its link"
        )
    if match is None:
        raise RemoteError(f"{shown} is not the address of a table: its path is not /t/ID. {FIX}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    server = f"{parts.scheme}://{host}{port}{match['prefix']}"
    return TableAddress(server, match["table"], _token(parts.fragment, shown))


def _token(fragment: str, shown: str) -> str:
    if not fragment:
        return ""
    match = _TOKEN.fullmatch(fragment)
    if match is None:
        raise RemoteError(f"{shown} has an invalid seat after #. fix: copy the whole link")
    return match["token"]
