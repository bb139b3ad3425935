"""Rematches: another game with the same people, each one seat further."""

from cardhub.online.server.tables.people.places import Places
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext

# Seconds after which a person who left is not waited for any more.
GONE_AFTER = 10.0


class Rematches:
    """Collects the wishes for a rematch; it starts when all people who are here wish for it."""

    def __init__(self, context: TableContext, places: Places) -> None:
        self._context = context
        self._places = places
        # By the hashes of tokens: people may change their seats.
        self._wishes: set[str] = set()

    def wants(self, seat: int) -> bool:
        """Return whether the person of a seat wishes for a rematch."""
        return self._context.chairs[seat].token in self._wishes

    def wish(self, client: Client) -> None:
        """Note a wish; raises RefusedError while a game runs."""
        self._context.own_seat(client)
        if self._context.file.stage != "over":
            raise RefusedError("a rematch follows a game that is over")
        self._wishes.add(client.token)
        self._context.changed()
        self._start_if_all()

    def left(self) -> None:
        """Do not wait for a person who has gone."""
        if self._wishes:
            self._context.later(GONE_AFTER, self._start_if_all)

    def drop(self) -> None:
        """Forget all wishes: a game has started, or the seats have changed."""
        self._wishes.clear()

    def _start_if_all(self) -> None:
        context = self._context
        here = {context.chairs[seat].token for seat in context.people() if context.is_here(seat)}
        if context.file.stage != "over" or not self._wishes & here or here - self._wishes:
            return
        chairs = context.chairs
        self._places.start((chairs[-1], *chairs[:-1]))
