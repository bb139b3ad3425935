"""State that the parts of a served table share: its file, its clients and the game in progress.

Limits keep clients from filling the server's memory or disk.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cardhub.base.errors import CardhubError, PluginError
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Settings
from cardhub.online.server.client import ClientChannel
from cardhub.online.server.limits import network_key
from cardhub.online.server.tables.storage.disk_syncs import DiskSyncs
from cardhub.online.server.tables.storage.table_store import Chair, TableFile, TableStore
from cardhub.online.server.tables.table_scheduler import TableScheduler
from cardhub.online.server.tables.table_stage import TableStage, derive_stage, running_game
from cardhub.online.wire.server_messages import Stage
from cardhub.play.host.opening import Opener
from cardhub.play.host.scheduler import Callback, Timer
from cardhub.play.host.table_host import Host
from cardhub.play.workers.pool.fair_shares import TableShare
from cardhub.plugins.registry import PluginRegistry


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Limits of a lobby; times are in seconds.

    `tables`: the maximum number of tables outside the archive; `tables_by_address`: of one address,
    a fifth of the tables of an IPv6 network; if half of the tables are in use, a network may only
    have a tenth of the free places. `clients`: the maximum number of clients at a table;
    `clients_by_token`: of one person. `unvisited`: a table that nobody visits is archived after
    this time, or never if it is 0; `unstarted`: a table without a game is deleted after this time.
    `idle`: a table without clients is unloaded after this time. `games`: the maximum number of
    games per table. `steps`: after this many steps a game refuses takebacks, hints and
    replacements, to bound its record. `lets_programs`: clients may choose bots that are programs
    of this machine; `lets_models`: the language model that the host has set up, and pays for.
    """

    tables: int = 10_000
    tables_by_address: int = 200
    clients: int = 100
    clients_by_token: int = 8
    unvisited: float = 90 * 86_400
    unstarted: float = 3 * 86_400
    idle: float = 120
    games: int = 500
    steps: int = 5000
    lets_programs: bool = False
    lets_models: bool = False


FAULT = "the code of this game failed. fix: try another action, or tell the host of the server"

# Notifies a webhook that a person's turn has begun; the arguments are the webhook's address, the
# table's id, the game's title, the person's name, and the network of the table's maker.
CallPerson = Callable[[str, str, str, str, str], object]


def call_no_webhook(address: str, table: str, title: str, name: str, network: str) -> None:
    """Call no webhook."""


class RefusedError(CardhubError):
    """A client's message is refused; the text says the reason and `fix: …`."""


@dataclass(frozen=True)
class TableServices:
    """Services that all tables of a lobby share.

    `time` returns the seconds since the epoch. `started`: the time when the server began. `syncs`:
    syncs records in threads, or None to sync in the caller's thread. `collected`: the names of
    offered games that come from collections.
    """

    store: TableStore
    opener: Opener
    time: Callable[[], float]
    limits: TableLimits = field(default_factory=TableLimits)
    call_person: CallPerson = call_no_webhook
    started: float = 0
    syncs: DiskSyncs | None = None
    collected: Sequence[str] = ()

    @property
    def registry(self) -> PluginRegistry:
        """The games and bots."""
        return self.opener.registry

    def game(self, name: str) -> Game[Any]:
        """Return an offered game; raises PluginError."""
        # A client could name a game of a collection that takes minutes or all memory to build.
        if ":" in name and name not in self.collected:
            raise PluginError(
                f"this server does not offer {name!r}. fix: choose a game in the lobby, or ask the "
                "host of the server for it"
            )
        return self.registry.game(name)


@dataclass(eq=False)
class Client:
    """A client at a table.

    `token`: the hash of its token, or empty for a spectator. `viewer`: the viewer in the last
    `welcome`. `last_step`: the last step of game `number` whose log lines the client has. `chat`:
    the number of chat lines that the client has. `is_new`: the first broadcast is still to come.
    """

    channel: ClientChannel
    token: str
    viewer: int = -1
    is_owner: bool = False
    last_step: int = 0
    number: int = 0
    chat: int = 0
    is_new: bool = True


class TableContext:
    """The file of a table, its clients, and the host of its game.

    `changed` schedules a broadcast: all changes in one turn of the event loop go into one message.
    `on_update` is called after each change of the file. `changes` counts changes outside the game.
    `share`: the table's claim to the pool of bots.
    """

    def __init__(self, file: TableFile, services: TableServices) -> None:
        self.file = file
        self.services = services
        self.scheduler = TableScheduler(services.opener.scheduler)
        self.share = TableShare(network_key(file.address))
        self.host: Host | None = None
        self.clients: dict[ClientChannel, Client] = {}
        self.broadcast: Callback = lambda: None
        self.on_update: Callback = lambda: None
        self.changes = 0
        self._is_scheduled = False

    @property
    def stage(self) -> Stage:
        """Whether the table is open, its game is in progress, or the game is over."""
        return self.find_stage().stage

    def find_stage(self) -> TableStage:
        """Return the stage of the table with the reason if it is stuck."""
        host = self.host
        return derive_stage(self.file, None if host is None else running_game(host))

    @property
    def game(self) -> Game[Any]:
        """The game of the table; raises PluginError if the server no longer offers it."""
        return self.services.game(self.file.game)

    def settings(self) -> Settings:
        """Return the values of all options; raises OptionError."""
        return resolve_options(self.game, self.file.options, len(self.file.chairs))

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """The seats in order."""
        return self.file.chairs

    @property
    def spectator(self) -> int:
        """The viewer of clients without a seat."""
        return len(self.file.chairs)

    @property
    def playing(self) -> Host:
        """The host of the current game; raises RefusedError if no game is in progress."""
        if self.host is None or self.stage != "playing":
            raise RefusedError("no game is in progress")
        return self.host

    def update(self, **changes: object) -> None:
        """Change fields of the file on disk, then notify all clients; raises RecordError."""
        changes["changed"] = self.services.time()
        file = msgspec.structs.replace(self.file, **changes)
        self.services.store.save(file)
        self.file = file
        self.on_update()
        self.changed()

    def update_chair(self, seat: int, chair: Chair) -> None:
        """Change one seat; raises RecordError."""
        chairs = self.file.chairs
        self.update(chairs=(*chairs[:seat], chair, *chairs[seat + 1 :]))

    def changed(self) -> None:
        """Schedule a broadcast of changes to the table."""
        self.changes += 1
        self.share.people = sum(map(self.is_here, self.people()))
        self.game_changed()

    def game_changed(self) -> None:
        """Schedule a broadcast of changes to the game only."""
        if not self._is_scheduled:
            self._is_scheduled = True
            self.scheduler.call_soon(self._broadcast)

    def later(self, seconds: float, callback: Callback) -> Timer:
        """Call `callback` after `seconds`."""
        return self.scheduler.call_later(seconds, callback)

    def viewer_of(self, holder: str) -> int:
        """Return the viewer with a token hash: a seat, or the number of seats for a spectator."""
        seat = self.file.seat_of(holder)
        return self.spectator if seat is None else seat

    def own_seat(self, client: Client) -> int:
        """Return the seat of a client; raises RefusedError for a spectator."""
        seat = self.file.seat_of(client.token)
        if seat is None:
            raise RefusedError("you do not have a seat. fix: sit down first")
        return seat

    def is_owner(self, client: Client) -> bool:
        """Return whether a client belongs to the owner."""
        return bool(client.token) and client.token == self.file.owner

    def may_watch(self, client: Client) -> bool:
        """Return whether a client may see the game; the table may exclude spectators."""
        return self.file.seat_of(client.token) is not None or self.file.shows_spectators

    @property
    def is_full(self) -> bool:
        """Whether another spectator would exceed the limit."""
        return len(self.clients) >= self.services.limits.clients

    def check_owner(self, client: Client) -> None:
        """Raise RefusedError unless a client belongs to the owner."""
        if not self.is_owner(client):
            raise RefusedError("only the owner of the table may do this. fix: ask the owner")

    def check_length(self) -> None:
        """Raise RefusedError if a game is too long to record more than its actions."""
        if self.playing.step >= self.services.limits.steps:
            raise RefusedError("this game has become too long for that. fix: play it to the end")

    def is_here(self, seat: int) -> bool:
        """Return whether a client of the person at a seat is connected."""
        token = self.chairs[seat].token
        return bool(token) and any(c.token == token for c in self.clients.values())

    @property
    def is_by_days(self) -> bool:
        """Whether the clock counts days; then people disconnect between their turns."""
        return self.file.clock.endswith("d")

    def people(self) -> list[int]:
        """Return the seats of people, including people who are replaced by a bot."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.is_persons]

    def people_besides(self, client: Client) -> list[int]:
        """Return the seats of people other than a client."""
        own_seat = self.file.seat_of(client.token)
        return [seat for seat in self.people() if seat != own_seat]

    def check_named(self, client: Client) -> None:
        """Raise RefusedError if a game has people, and its record cannot name the client."""
        if self.people() and self.file.seat_of(client.token) is None:
            raise RefusedError(
                "only a person with a seat may do this while people play. fix: let them play"
            )

    def plays(self, seat: int) -> bool:
        """Return whether a person, not a bot, plays at a seat in the current game."""
        return self.host is not None and self.host.players[seat].is_human

    def public(self, error: Exception) -> str:
        """Return the text of an error without paths of this machine."""
        return str(error).replace(f"{self.services.store.folder}{os.sep}", "")

    def _broadcast(self) -> None:
        self._is_scheduled = False
        self.broadcast()
