"""Visitors: the clients that are connected to a table, as the table knows them."""

from typing import Protocol

from cardhub.online.wire.server_messages import AnyServerMessage


class Visitor(Protocol):
    """A connected client; no method waits for the network, and none raises if it has gone.

    Bytes are messages that are encoded already: those for several clients are encoded once.
    """

    def send(self, message: AnyServerMessage | bytes) -> None:
        """Send a message after all others; a client that takes too few of them is closed."""
        ...

    def show(self, table: bytes) -> None:
        """Send a `table` message, instead of an earlier one that is not on its way yet."""
        ...

    def close(self, why: str, *, is_final: bool = True) -> None:
        """Send `closed` and end the connection; with `is_final` it is not to connect again."""
        ...
