"""The arrival of a client or program at a table: its first message, and its limits on the way."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Protocol

from cardhub.online.server.limits import ServerLimits
from cardhub.online.server.table_interface import LoadError, Tables, UnknownTableError, VisitedTable

LOG = logging.getLogger("cardhub.online.server")
# Seconds for the first message.
ENTER_WITHIN = 10.0
CANNOT_LOAD = "the server cannot load this table. fix: tell its host"
TOO_MANY = "too many unknown tokens came from your address. fix: wait a minute"


class Arriving(Protocol):
    """A connection before it has a table."""

    async def next_text(self) -> str | None:
        """Return the next message; None if the connection is closed for what it sent."""
        ...

    def close(self, why: str, *, is_final: bool = True) -> None:
        """End the connection."""
        ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """The table that a connection asks for, and the limits of its address.

    Each method closes the connection where it returns None or False.
    """

    tables: Tables
    table_id: str
    limits: ServerLimits
    address: str

    async def first_text(self, connection: Arriving, expected: str) -> str | None:
        """Return the first message, if it comes in time; `expected` is its type."""
        try:
            return await asyncio.wait_for(connection.next_text(), ENTER_WITHIN)
        except TimeoutError:
            connection.close(f"no message came. fix: send `{expected}` first")
            return None

    def may_try(self, connection: Arriving) -> bool:
        """Return whether the address has sent so few unknown tokens that it may try another one."""
        if self.limits.failed_tokens.has_room(self.address):
            return True
        connection.close(TOO_MANY, is_final=False)
        return False

    def count_failure(self) -> None:
        """Count an unknown token, or an unknown table: their ids are secret unless listed."""
        self.limits.failed_tokens.take(self.address)

    def find(self, connection: Arriving) -> VisitedTable | None:
        """Return the table."""
        try:
            return self.tables.find(self.table_id)
        except (LoadError, UnknownTableError) as error:
            if isinstance(error, UnknownTableError):
                self.count_failure()
            connection.close(str(error))
        except Exception:
            LOG.exception("table %s cannot be loaded", self.table_id)
            connection.close(CANNOT_LOAD)
        return None
