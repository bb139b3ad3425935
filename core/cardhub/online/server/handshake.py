"""The first message of a client or a program at a table, and the limits that it must pass."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Protocol

from cardhub.online.server.limits import ServerLimits
from cardhub.online.server.table_interface import (
    DiskError,
    LoadError,
    TableInterface,
    Tables,
    UnknownTableError,
)

LOG = logging.getLogger("cardhub.online.server")
# Seconds for the first message.
ENTER_WITHIN = 10.0
CANNOT_LOAD = "the server cannot load this table. fix: tell its host"
TOO_MANY = "your address has sent too many unknown tokens. fix: wait a minute"


class PendingConnection(Protocol):
    """A connection that has no table yet."""

    async def next_text(self) -> str | None:
        """Return the next message, or None if the connection is closed because of it."""
        ...

    def close(self, why: str, *, is_final: bool = True) -> None:
        """End the connection."""
        ...


@dataclass(frozen=True, slots=True)
class Handshake:
    """The id of the requested table, and the limits of the client's address.

    A method that returns None or False has closed the connection.
    """

    tables: Tables
    table_id: str
    limits: ServerLimits
    address: str

    async def first_text(self, connection: PendingConnection, expected: str) -> str | None:
        """Return the first message, or None after a timeout; `expected` names its type."""
        try:
            return await asyncio.wait_for(connection.next_text(), ENTER_WITHIN)
        except TimeoutError:
            connection.close(f"no message came in time. fix: send `{expected}` first")
            return None

    def may_try(self, connection: PendingConnection) -> bool:
        """Return whether the address is within its limit of unknown tokens."""
        if self.limits.failed_tokens.has_room(self.address):
            return True
        connection.close(TOO_MANY, is_final=False)
        return False

    def count_failure(self) -> None:
        """Count an unknown token or an unknown table, because ids of unlisted tables are secret."""
        self.limits.failed_tokens.consume(self.address)

    def find(self, connection: PendingConnection) -> TableInterface | None:
        """Return the table, or None if it is unknown or cannot be loaded."""
        try:
            return self.tables.find(self.table_id)
        except (LoadError, UnknownTableError) as error:
            if isinstance(error, UnknownTableError):
                self.count_failure()
            connection.close(str(error), is_final=not isinstance(error, DiskError))
        except Exception:
            LOG.exception("table %s cannot be loaded", self.table_id)
            connection.close(CANNOT_LOAD)
        return None
