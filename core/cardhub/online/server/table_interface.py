"""The interface of tables to connections and pages."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from cardhub.base.errors import CardhubError
from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.online.server.client import ClientChannel
from cardhub.online.wire.client_messages import AnyClientMessage, Enter
from cardhub.online.wire.wire_codec import (
    CreatedTable,
    LobbyState,
    NewTable,
    OwnGames,
    OwnResults,
    TableOffer,
)
from cardhub.play.table_messages import GameOutcome


class UnknownTableError(CardhubError):
    """No table has this id."""


class LoadError(CardhubError):
    """A table cannot be loaded, or has no place on the server; clients see the text."""


class DiskError(LoadError):
    """A table cannot be loaded before its host frees space on the disk; clients may retry."""


class LobbyError(CardhubError):
    """A table cannot be made; its maker sees the text."""


class FinishedGame(NamedTuple):
    """The record of a finished game, and the path of its page, which may not exist yet.

    `directories`: the plugin directories.
    """

    record: Path
    page: Path
    directories: tuple[Path, ...]


class TableInterface(Protocol):
    """A table that clients enter and leave. Call all methods in the event loop's thread."""

    def enter(self, channel: ClientChannel, message: Enter) -> bool:
        """Greet a client and return True; close it and return False if its token is unknown."""
        ...

    def receive(self, channel: ClientChannel, message: AnyClientMessage) -> None:
        """Handle a message of an entered client, except `enter` and `ping`."""
        ...

    def leave(self, channel: ClientChannel) -> None:
        """Remove a disconnected client; called once for each client that has entered."""
        ...

    def network_bot(self, token: str) -> NetworkBot | None:
        """Return the network bot of the seat with this token, or None if there is none.

        The default returns None, for tables without network bots.
        """
        return None


class Tables(Protocol):
    """All tables of a server."""

    def begin(self) -> None:
        """Start the work that needs the event loop. Call all other methods in that loop."""
        ...

    def find(self, table: str) -> TableInterface:
        """Return a table by its id, and load it or bring it back from the archive if necessary.

        Raises UnknownTableError or LoadError.
        """
        ...

    def create(self, request: NewTable, address: str = "") -> CreatedTable:
        """Make a table; raises LobbyError with a reason for its maker."""
        ...

    def listed(self) -> LobbyState:
        """Return the games and the listed tables, newest first."""
        ...

    def own_offer(self, table: str, token: str) -> TableOffer | None:
        """Return the entry of a table for the holder of a token, or None for a wrong token.

        This is no visit: the table is not loaded, and an archived one stays in the archive.
        Raises UnknownTableError.
        """
        ...

    def own_games(self, table: str, token: str) -> OwnGames | None:
        """Return the finished games of a table for the holder of a token, or None for a wrong one.

        This is no visit. Raises UnknownTableError.
        """
        ...

    def own_results(self, outcomes: Sequence[GameOutcome]) -> OwnResults:
        """Return the table of a person's results."""
        ...

    def replay(self, table: str, number: int) -> FinishedGame | None:
        """Return the files of a finished game, which everyone may see, or None.

        Raises UnknownTableError or LoadError.
        """
        ...

    def close(self) -> None:
        """Close all tables and all clients, which may reconnect; the records are complete."""
        ...
