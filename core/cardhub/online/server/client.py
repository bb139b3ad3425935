"""The part of a client's connection that a table uses."""

from typing import Protocol

from cardhub.online.wire.server_messages import AnyServerMessage


class ClientChannel(Protocol):
    """Sends messages to one connected client.

    No method waits for the network, or raises an exception after the client has disconnected.
    Bytes are encoded messages: a message for several clients is encoded once. `network`: the key of
    the client's network in limits, or empty if it is unknown.
    """

    network: str = ""

    def send(self, message: AnyServerMessage | bytes) -> None:
        """Send a message after all earlier ones; close a client that reads too slowly."""
        ...

    def show(self, table: bytes) -> None:
        """Send a `table` message; it replaces an earlier one that is still in the queue."""
        ...

    def close(self, why: str, *, is_final: bool = True) -> None:
        """Send `closed` and end the connection; with `is_final` the client must not reconnect."""
        ...
