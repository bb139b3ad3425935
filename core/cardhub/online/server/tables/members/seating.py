"""Seats of a table: people sit down and stand up."""

from collections.abc import Iterator
from itertools import chain, count

import msgspec

from cardhub.base.errors import SeatingError
from cardhub.online.server.client import Visitor
from cardhub.online.server.credentials import hash_token, new_token
from cardhub.online.server.tables.bot_choice import default_level
from cardhub.online.server.tables.broadcasting.broadcasts import Broadcasts
from cardhub.online.server.tables.storage.table_store import Chair
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.server.tables.table_game import TableGame
from cardhub.online.wire.client_messages import Reissue, Sit
from cardhub.online.wire.server_messages import Issued
from cardhub.play.seating import HUMAN, NAMES, Player, check_distinct, check_player_name, look_alike


class Seating:
    """Gives seats to people, and players to a game."""

    def __init__(self, context: TableContext, game: TableGame, broadcasts: Broadcasts) -> None:
        self._context = context
        self._game = game
        self._broadcasts = broadcasts

    def sit(self, client: Client, message: Sit) -> None:
        """Give a client a seat, or its person another name or free seat; raises RefusedError."""
        context = self._context
        own = context.seat_of(client.token)
        if own is not None and context.file.stage == "playing":
            raise RefusedError("you have a seat already. fix: stand up first, or play on")
        seat = self._wanted(client, message.seat)
        self._check_secrets(client, seat)
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
        if context.file.stage == "playing":
            context.playing.replace(seat, Player(message.name, HUMAN))

    def stand(self, client: Client) -> None:
        """Take a person's seat away for good; a bot plays on in a running game."""
        context = self._context
        seat, holder = context.own_seat(client), client.token
        if context.file.stage == "playing":
            self.seat_bot(seat)
        else:
            context.update_chair(seat, Chair())
        self.forget(holder)

    def start(self, chairs: tuple[Chair, ...]) -> None:
        """Start a game on these chairs; bots take free ones. Raises RefusedError."""
        level, names = default_level(self._context), self._bot_names()
        named = tuple(
            chair
            if chair.is_persons or (chair.bot_name and self._is_free_name(chair.bot_name))
            else msgspec.structs.replace(chair, bot_name=next(names))
            for chair in chairs
        )
        self._game.start([self._player(chair, level) for chair in named], named)

    def seat_bot(self, seat: int) -> None:
        """Let a bot play on for a person who has given up a seat."""
        context = self._context
        name = next(self._bot_names())
        context.update_chair(seat, Chair(bot_name=name))
        context.playing.replace(seat, Player(name, default_level(context)))

    def forget(self, holder: str) -> None:
        """Let the clients of a person who has lost a seat go on as spectators."""
        if holder and holder != self._context.file.owner:
            for client in self._context.clients.values():
                client.token = "" if client.token == holder else client.token

    def _is_free_name(self, name: str) -> bool:
        people = [chair.name for chair in self._context.chairs if chair.name]
        return not any(look_alike(name, other) for other in people)

    def _player(self, chair: Chair, level: str) -> Player:
        if not chair.is_persons:
            return Player(chair.bot_name, chair.bot or level)
        is_here = any(c.token == chair.token for c in self._context.clients.values())
        # Who left before the game would keep all others waiting.
        return Player(chair.name, HUMAN if is_here or self._context.is_by_days else level)

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

    def _check_secrets(self, client: Client, seat: int) -> None:
        context, is_invited = self._context, bool(self._context.chairs[seat].token)
        host = context.host if context.file.stage == "playing" else None
        # Also where watching is off by now: it may have been on before.
        may_know = host is not None and host.shows_spectators_hands
        if may_know and not is_invited:
            raise RefusedError(
                "spectators of this game see hands, so none may sit down while it runs. "
                "fix: wait for its end, or ask the owner for a link to the seat"
            )

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
        chairs, host = self._context.chairs, self._context.host
        taken = [name for chair in chairs for name in (chair.name, chair.bot_name) if name]
        taken += [player.name for player in host.players] if host is not None else []
        for name in chain(NAMES, (f"Bot {number}" for number in count(1))):
            if not any(look_alike(name, other) for other in taken):
                yield name


ENDED = "this seat has a new link, so the old one has ended. fix: open the new one"


def reissue(
    context: TableContext, broadcasts: Broadcasts, client: Client, message: Reissue
) -> None:
    """Give a seat a new token and end the old one; raises RefusedError."""
    if message.seat >= len(context.chairs):
        raise RefusedError(f"there is no seat {message.seat}")
    chair = context.chairs[message.seat]
    old, is_own = chair.token, bool(client.token) and chair.token == client.token
    if not is_own:
        context.check_owner(client)
        if old and old == context.file.owner:
            raise RefusedError("this seat is yours")
    token = new_token()
    new = msgspec.structs.replace(chair, token=hash_token(token))
    chairs = context.chairs
    context.update(
        chairs=(*chairs[: message.seat], new, *chairs[message.seat + 1 :]),
        owner=new.token if old and old == context.file.owner else context.file.owner,
    )
    _end(context, old, client)
    if is_own:
        client.token = new.token
        broadcasts.welcome(client, token)
    client.visitor.send(Issued(seat=message.seat, token=token))


def _end(context: TableContext, old: str, client: Client) -> None:
    """Close all clients with an old token but the one that asked for the new token."""
    for other in list(context.clients.values()):
        if old and other.token == old and other is not client:
            del context.clients[other.visitor]
            other.visitor.close(ENDED)


# Seconds after which a person who left is not waited for any more.
GONE_AFTER = 10.0


class Rematches:
    """Collects the wishes for a rematch; it starts when all people who are here wish for it."""

    def __init__(self, context: TableContext, places: Seating) -> None:
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


TOO_MANY_WINDOWS = "you have opened this table in too many windows. fix: go on in the newest"
FULL = "this table is full. fix: come back later"


def window_too_many(context: TableContext, holder: str) -> Visitor | None:
    """Return the oldest window of a person who is about to open one too many; else None."""
    own = [client for client in context.clients.values() if holder and client.token == holder]
    is_too_many = len(own) >= context.services.limits.visitors_by_token
    return own[0].visitor if is_too_many else None
