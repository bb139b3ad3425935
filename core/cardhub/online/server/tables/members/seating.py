"""The seating of a table: sitting down, standing up, new links, rematches."""

from collections.abc import Iterable, Iterator
from itertools import chain, count

import msgspec

from cardhub.base.errors import SeatingError
from cardhub.online.server.client import ClientChannel
from cardhub.online.server.credentials import hash_token, new_token
from cardhub.online.server.tables.bot_choice import default_level
from cardhub.online.server.tables.broadcasting.broadcasts import Broadcasts
from cardhub.online.server.tables.storage.table_store import Chair
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.server.tables.table_game import TableGame
from cardhub.online.wire.client_messages import Reissue, Rematch, Sit
from cardhub.online.wire.server_messages import Issued
from cardhub.play.seating import (
    HUMAN,
    NAMES,
    Player,
    begins_alike,
    check_distinct,
    check_player_name,
    look_alike,
)

SPECTATORS_KNOW = (
    "spectators of this game see hands, so they cannot sit down during the game. "
    "fix: wait for its end, or ask the owner for a link to the seat"
)


class Seating:
    """Assigns seats to people, and players to a game."""

    def __init__(self, context: TableContext, game: TableGame, broadcasts: Broadcasts) -> None:
        self._context = context
        self._game = game
        self._broadcasts = broadcasts

    def sit(self, client: Client, message: Sit, agreed: Iterable[int] = ()) -> None:
        """Give a client a seat, or change its seat or name; raises RefusedError.

        `agreed`: the seats of the people who admit the client to the running game.
        """
        context = self._context
        seat = self.find_seat(client, message)
        token = "" if client.token else new_token()
        holder = client.token or hash_token(token)
        # A token belongs to one seat, so an invitation to another seat ends.
        chairs = [Chair() if chair.token == holder else chair for chair in context.chairs]
        chairs[seat] = Chair(name=message.name, token=holder)
        context.update(chairs=tuple(chairs))
        client.token = holder
        if token:
            self._broadcasts.welcome(client, token)
        if context.stage == "playing":
            context.playing.replace(seat, Player(message.name, HUMAN), sorted(agreed))

    def find_seat(self, client: Client, message: Sit) -> int:
        """Return the seat that a client can take; raises RefusedError."""
        context = self._context
        own_seat = context.file.seat_of(client.token)
        if own_seat is not None and context.stage == "playing":
            raise RefusedError("you already have a seat. fix: stand up first, or continue to play")
        seat = self._free_seat(client, message.seat)
        self._check_secrets(client, seat)
        self._check_name(message.name, seat if own_seat is None else own_seat)
        return seat

    def check_return(self, client: Client, seat: int) -> None:
        """Raise RefusedError unless a client may ask for the seat of a person who is away."""
        context = self._context
        if client.token and (context.file.seat_of(client.token) is not None):
            raise RefusedError("you already have a seat. fix: continue to play")
        if context.is_here(seat):
            raise RefusedError(
                f"{context.chairs[seat].name} is connected. fix: choose another seat"
            )
        if context.playing.shows_spectators_hands:
            raise RefusedError(SPECTATORS_KNOW)

    def return_person(self, client: Client, seat: int, agreed: Iterable[int]) -> None:
        """Give a person's seat to a new device of the person; the old link ends."""
        context, token = self._context, new_token()
        old, holder = context.chairs[seat], hash_token(token)
        chairs = list(context.chairs)
        chairs[seat] = msgspec.structs.replace(old, token=holder)
        owner = holder if old.token == context.file.owner else context.file.owner
        context.update(chairs=tuple(chairs), owner=owner)
        client.token = holder
        self._broadcasts.welcome(client, token)
        if context.plays(seat):
            context.playing.replace(seat, Player(old.name, HUMAN), sorted(agreed))

    def stand(self, client: Client) -> None:
        """Give up the seat of a person; in a game a bot takes it over."""
        context = self._context
        seat, holder = context.own_seat(client), client.token
        if context.stage == "playing":
            self.seat_bot(seat)
        else:
            context.update_chair(seat, Chair())
        self.forget(holder)

    def start(self, chairs: tuple[Chair, ...]) -> None:
        """Start a game with bots on the free chairs; raises RefusedError."""
        level, names = default_level(self._context), self._bot_names()
        named = tuple(
            chair
            if chair.is_persons or (chair.bot_name and self._is_free_name(chair.bot_name))
            else msgspec.structs.replace(chair, bot_name=next(names))
            for chair in chairs
        )
        # Whoever asked for a bot in the last game plays the next one.
        chairs = tuple(msgspec.structs.replace(chair, is_asked=False) for chair in named)
        self._game.start([self._player(chair, level) for chair in chairs], chairs)

    def seat_bot(self, seat: int) -> None:
        """Give a seat to a bot after its person has given it up."""
        context = self._context
        name = next(self._bot_names())
        context.update_chair(seat, Chair(bot_name=name))
        context.playing.replace(seat, Player(name, default_level(context)))

    def forget(self, holder: str) -> None:
        """Turn the clients of a person who has lost a seat into spectators."""
        if holder and holder != self._context.file.owner:
            for client in self._context.clients.values():
                client.token = "" if client.token == holder else client.token

    def _is_free_name(self, name: str) -> bool:
        people = [chair.name for chair in self._context.chairs if chair.name]
        is_like_another = any(look_alike(name, other) for other in people)
        return not is_like_another and not begins_alike(name, people)

    def _player(self, chair: Chair, level: str) -> Player:
        if not chair.is_persons:
            return Player(chair.bot_name, chair.bot or level)
        is_here = any(c.token == chair.token for c in self._context.clients.values())
        # All others would wait for a person who left before the game.
        return Player(chair.name, HUMAN if is_here or self._context.is_by_days else level)

    def _free_seat(self, client: Client, seat: int | None) -> int:
        """Return `seat`, or a free seat if it is None; raises RefusedError.

        A seat with an invitation for the client counts as free.
        """
        chairs = self._context.chairs
        reserved = [n for n, c in enumerate(chairs) if client.token and c.token == client.token]
        free = [n for n, chair in enumerate(chairs) if chair.is_free]
        if seat is None:
            seats = [*reserved, *free]
            if not seats:
                raise RefusedError("no seat is free. fix: watch, or ask the owner to open a seat")
            return seats[0]
        if seat not in (*reserved, *free):
            raise RefusedError(f"seat {seat} is not free. fix: choose another seat")
        return seat

    def _check_secrets(self, client: Client, seat: int) -> None:
        context, is_invited = self._context, bool(self._context.chairs[seat].token)
        host = context.host if context.stage == "playing" else None
        # Also if watching is off, because it may have been on earlier in this game.
        may_know = host is not None and host.shows_spectators_hands
        if may_know and not is_invited:
            raise RefusedError(SPECTATORS_KNOW)

    def _check_name(self, name: str, seat: int) -> None:
        context = self._context
        others = [c.name for n, c in enumerate(context.chairs) if c.name and n != seat]
        if context.host is not None and context.stage == "playing":
            others = [p.name for n, p in enumerate(context.host.players) if n != seat]
        try:
            check_player_name(name)
            check_distinct([*others, name])
        except SeatingError as error:
            raise RefusedError(f"{error}. fix: choose another name") from error

    def _bot_names(self) -> Iterator[str]:
        """Yield names for bots that are not like the name of another player."""
        chairs, host = self._context.chairs, self._context.host
        taken = [name for chair in chairs for name in (chair.name, chair.bot_name) if name]
        taken += [player.name for player in host.players] if host is not None else []
        people = [chair.name for chair in chairs if chair.name]
        for name in chain(NAMES, (f"Bot {number}" for number in count(1))):
            # A person called B or Bot must not leave the bots without any name.
            is_like_a_person = name in NAMES and begins_alike(name, people)
            if not is_like_a_person and not any(look_alike(name, other) for other in taken):
                yield name


NO_REISSUE = (
    "during a game, only the person who has a seat can get a new link to it, because the link "
    "shows the hand. fix: wait for the end of the game, or let a bot play"
)
ENDED = "this seat has a new link, so the old link is no longer valid. fix: open the new link"


def reissue(
    context: TableContext, broadcasts: Broadcasts, client: Client, message: Reissue
) -> None:
    """Give a seat a new token and invalidate the old one; raises RefusedError."""
    if message.seat >= len(context.chairs):
        raise RefusedError(f"there is no seat {message.seat}")
    chair = context.chairs[message.seat]
    old, is_own = chair.token, bool(client.token) and chair.token == client.token
    if not is_own:
        context.check_owner(client)
        if old and old == context.file.owner:
            raise RefusedError("this is the seat of the owner")
        if old and context.stage == "playing" and context.people_besides(client):
            raise RefusedError(NO_REISSUE)
    token = new_token()
    new = msgspec.structs.replace(chair, token=hash_token(token))
    chairs = context.chairs
    context.update(
        chairs=(*chairs[: message.seat], new, *chairs[message.seat + 1 :]),
        owner=new.token if old and old == context.file.owner else context.file.owner,
    )
    _close_old(context, old, client)
    if is_own:
        client.token = new.token
        broadcasts.welcome(client, token)
    client.channel.send(Issued(seat=message.seat, token=token))


def _close_old(context: TableContext, old: str, client: Client) -> None:
    """Close all clients with an old token, except the client that asked for the new one."""
    for other in list(context.clients.values()):
        if old and other.token == old and other is not client:
            del context.clients[other.channel]
            other.channel.close(ENDED)


class Rematches:
    """Collects requests for a rematch, and starts it if all people want it.

    People who have disconnected are waited for, until those present start without them.
    """

    def __init__(self, context: TableContext, seating: Seating) -> None:
        self._context = context
        self._seating = seating
        # By the hashes of tokens, because people may change their seats.
        self._requests: set[str] = set()

    def wants(self, seat: int) -> bool:
        """Return whether the person at a seat wants a rematch."""
        return self._context.chairs[seat].token in self._requests

    def request(self, client: Client, message: Rematch) -> None:
        """Add a client's request; raises RefusedError during a game."""
        context = self._context
        context.own_seat(client)
        if context.stage != "over":
            raise RefusedError("a rematch is possible only after the end of a game")
        self._requests.add(client.token)
        context.changed()
        awaited = [
            seat
            for seat in context.people()
            if not self.wants(seat) and (context.is_here(seat) or not message.without_absent)
        ]
        if not awaited:
            chairs = context.chairs
            self._seating.start((chairs[-1], *chairs[:-1]))

    def clear(self) -> None:
        """Drop all requests, because a game has started."""
        self._requests.clear()


TOO_MANY_WINDOWS = "you have opened this table in too many windows. fix: continue in the newest one"
FULL = "this table is full. fix: come back later"


def excess_window(context: TableContext, holder: str) -> ClientChannel | None:
    """Return the oldest window of a person if another one would exceed the limit, else None."""
    windows = [client for client in context.clients.values() if holder and client.token == holder]
    is_too_many = len(windows) >= context.services.limits.clients_by_token
    return windows[0].channel if is_too_many else None
