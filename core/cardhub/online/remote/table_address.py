"""Addresses of tables, as people share them, and of their WebSockets."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from cardhub.base.errors import RemoteError
from cardhub.base.errors.quoting import quoted

FIX = "fix: give the whole address, such as http://192.168.1.20:8000/t/jx4m2a5f7q3c6d7e"
# An address that a person pastes is short; a longer one is shown cut in an error.
LONGEST = 2000
_TABLE = re.compile(r"(?P<prefix>(?:/[\w.~-]+)*)/t/(?P<table>[\w-]{1,64})/?", re.ASCII)
_TOKEN = re.compile(r"seat=(?P<token>[\w-]{1,64})", re.ASCII)


class TableAddress(NamedTuple):
    """A table of a server; `server` is `http(s)://host[:port]`, with a path if it has a prefix.

    `token` is that of a seat, empty without one; it is never part of another address.
    """

    server: str
    table: str
    token: str = ""

    @property
    def socket(self) -> str:
        """The address of the WebSocket of people."""
        return f"{self.server.replace('http', 'ws', 1)}/ws/{self.table}"

    @property
    def bot_socket(self) -> str:
        """The address of the WebSocket of bots."""
        return f"{self.server.replace('http', 'ws', 1)}/bot/{self.table}"

    @property
    def page(self) -> str:
        """The address to share."""
        return f"{self.server}/t/{self.table}"

    def seat_link(self, token: str) -> str:
        """Return the link to a seat, for another device of its person: it is the seat."""
        return f"{self.page}#seat={token}"

    def replay(self, number: int) -> str:
        """Return the address of the page that replays a finished game."""
        return f"{self.page}/replay/{number}.html"


def parse_address(text: str) -> TableAddress:
    """Return the address of a table: `http(s)://host/t/ID`, perhaps with `#seat=TOKEN`.

    Raises RemoteError with the reason.
    """
    shown = quoted(text.partition("#")[0])  # without a token, as people send error messages
    try:
        parts = urlsplit(text[:LONGEST])
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError as error:
        raise RemoteError(f"{shown} is no address: {error}. {FIX}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise RemoteError(f"{shown} is no address of a table: http:// or https:// first. {FIX}")
    if parts.username is not None or parts.query:
        raise RemoteError(f"{shown} is no address of a table: it has a user or a query. {FIX}")
    found = _TABLE.fullmatch(parts.path)
    if found is None and parts.path in ("", "/"):
        why = "is a server, not a table. fix: make a table there in a browser, and give its link"
        raise RemoteError(f"{shown} {why}")
    if found is None:
        raise RemoteError(f"{shown} is no address of a table: its path is not /t/ID. {FIX}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    server = f"{parts.scheme}://{host}{port}{found['prefix']}"
    return TableAddress(server, found["table"], _token(parts.fragment, shown))


def _token(fragment: str, shown: str) -> str:
    if not fragment:
        return ""
    found = _TOKEN.fullmatch(fragment)
    if found is None:
        raise RemoteError(f"{shown} has an invalid seat after #. fix: copy the whole link")
    return found["token"]
