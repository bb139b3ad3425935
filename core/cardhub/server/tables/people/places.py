"""Seats of a table: people sit down and stand up."""

from collections.abc import Iterator
from itertools import chain, count

from cardhub.errors import SeatingError
from cardhub.play.seating import HUMAN, NAMES, Player, check_distinct, check_player_name, look_alike
from cardhub.server.credentials import hash_token, new_token
from cardhub.server.tables.bot_choice import default_level
from cardhub.server.tables.broadcasts import Broadcasts
from cardhub.server.tables.keeping.table_file import Chair
from cardhub.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.wire.client_messages import Sit


class Places:
    """Gives seats to people, and players to a game."""

    def __init__(self, context: TableContext, broadcasts: Broadcasts) -> None:
        self._context = context
        self._broadcasts = broadcasts

    def sit(self, client: Client, message: Sit) -> None:
        """Give a client a seat, or its person another name or free seat; raises RefusedError."""
        context = self._context
        own = context.seat_of(client.token)
        if own is not None and context.file.stage == "playing":
            raise RefusedError("you have a seat already. fix: stand up first, or play on")
        seat = self._wanted(client, message.seat)
        self._check_name(message.name, own if own is not None else seat)
        token = "" if client.token else new_token()
        holder = client.token or hash_token(token)
        # An invitation to another seat ends with this as well: a token is that of one seat.
        chairs = [Chair() if chair.token == holder else chair for chair in context.chairs]
        chairs[seat] = Chair(name=message.name, token=holder)
        context.update(chairs=tuple(chairs))
        client.token = holder
        if token:
            self._broadcasts.welcome(client, token)

    def stand(self, client: Client) -> None:
        """Take a person's seat away for good; a bot plays on in a running game."""
        context = self._context
        seat = context.own_seat(client)
        holder = client.token
        context.update_chair(seat, Chair())
        if holder != context.file.owner:
            for other in context.clients.values():
                other.token = "" if other.token == holder else other.token

    def players(self) -> list[Player]:
        """Return the players of the next game; bots take free seats."""
        context = self._context
        level, names = default_level(context), self._bot_names()
        return [
            Player(chair.name, HUMAN)
            if chair.is_persons
            else Player(next(names), chair.bot or level)
            for chair in context.chairs
        ]

    def _wanted(self, client: Client, seat: int | None) -> int:
        """Return the free seat that a client gets: the given one, or one for it; raises."""
        chairs = self._context.chairs
        own = [n for n, c in enumerate(chairs) if client.token and c.token == client.token]
        free = [n for n, chair in enumerate(chairs) if chair.is_free]
        if seat is None:
            found = [*own, *free]
            if not found:
                raise RefusedError("no seat is free. fix: watch, or ask the owner to open one")
            return found[0]
        if seat not in (*own, *free):
            raise RefusedError(f"seat {seat} is not free. fix: choose another one")
        return seat

    def _check_name(self, name: str, seat: int) -> None:
        context = self._context
        others = [c.name for n, c in enumerate(context.chairs) if c.name and n != seat]
        if context.host is not None and context.file.stage == "playing":
            others = [p.name for n, p in enumerate(context.host.players) if n != seat]
        try:
            check_player_name(name)
            check_distinct([*others, name])
        except SeatingError as error:
            raise RefusedError(f"{error}. fix: choose another name") from error

    def _bot_names(self) -> Iterator[str]:
        """Yield names for bots that no person can be confused with."""
        taken = [chair.name for chair in self._context.chairs if chair.name]
        for name in chain(NAMES, (f"Bot {number}" for number in count(1))):
            if not any(look_alike(name, other) for other in taken):
                yield name
