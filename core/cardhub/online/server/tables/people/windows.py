"""Windows in which people have opened a table, and the room for visitors."""

from cardhub.online.server.tables.table_context import TableContext
from cardhub.online.server.visitor import Visitor

TOO_MANY_WINDOWS = "you have opened this table in too many windows. fix: go on in the newest"
FULL = "this table is full. fix: come back later"


def window_too_many(context: TableContext, holder: str) -> Visitor | None:
    """Return the oldest window of a person who is about to open one too many; else None."""
    own = [client for client in context.clients.values() if holder and client.token == holder]
    is_too_many = len(own) >= context.services.limits.visitors_by_token
    return own[0].visitor if is_too_many else None
