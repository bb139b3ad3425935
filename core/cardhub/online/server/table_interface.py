"""Tables as connections and pages know them."""

from pathlib import Path
from typing import NamedTuple, Protocol

from cardhub.base.errors import CardhubError
from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.online.server.client import Visitor
from cardhub.online.wire.client_messages import AnyClientMessage, Enter
from cardhub.online.wire.wire_codec import CreatedTable, LobbyState, NewTable


class UnknownTableError(CardhubError):
    """No table has this id."""


class LoadError(CardhubError):
    """A table whose game cannot be loaded; the text is shown to its visitors."""


class LobbyError(CardhubError):
    """A new table that cannot be made; the text is shown to its maker."""


class FinishedGame(NamedTuple):
    """The record of a finished game, and the path of its page, which need not exist yet.

    `directories` are those of the plugins.
    """

    record: Path
    page: Path
    directories: tuple[Path, ...]


class VisitedTable(Protocol):
    """A table that visitors enter and leave; all methods are called in the loop's thread."""

    def enter(self, visitor: Visitor, message: Enter) -> bool:
        """Greet a visitor; False for an unknown token, after the visitor was closed."""
        ...

    def receive(self, visitor: Visitor, message: AnyClientMessage) -> None:
        """Take a message of a visitor who has entered, any but `enter` and `ping`."""
        ...

    def leave(self, visitor: Visitor) -> None:
        """Forget a visitor whose connection has ended; called once for each who has entered."""
        ...

    def network_bot(self, token: str) -> NetworkBot | None:
        """Return the bot of the seat with this token, if its player is a bot over the network.

        None by default, for tables without such bots.
        """
        return None


class Tables(Protocol):
    """All tables of a server."""

    def begin(self) -> None:
        """Start the work that needs the running loop, in which all other methods are called."""
        ...

    def find(self, table: str) -> VisitedTable:
        """Return a table by its id, loaded if need be; raises UnknownTableError or LoadError."""
        ...

    def create(self, request: NewTable, address: str = "") -> CreatedTable:
        """Make a table; raises LobbyError with the reason for its maker."""
        ...

    def listed(self) -> LobbyState:
        """Return the games, and the tables that their owners list, the newest first."""
        ...

    def replay(self, table: str, number: int) -> FinishedGame | None:
        """Return the files of a finished game, which all may see; None if there is none.

        Raises UnknownTableError.
        """
        ...

    def close(self) -> None:
        """Close all visitors, who may connect again, and all tables; their records are complete."""
        ...
