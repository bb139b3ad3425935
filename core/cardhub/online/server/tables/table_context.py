"""State that the parts of a served table share: its file, its clients and the game in progress."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cardhub.base.errors import CardhubError, PluginError
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Settings
from cardhub.online.server.client import Visitor
from cardhub.online.server.credentials import is_token
from cardhub.online.server.tables.storage.disk_syncs import DiskSyncs
from cardhub.online.server.tables.storage.table_limits import TableLimits
from cardhub.online.server.tables.storage.table_store import Chair, TableFile, TableStore
from cardhub.online.server.tables.table_scheduler import TableScheduler
from cardhub.play.host.opening import Opener
from cardhub.play.host.scheduler import Callback, Timer
from cardhub.play.host.table_host import Host
from cardhub.plugins.registry import PluginRegistry

FAULT = "the code of this game failed. fix: try another action, or tell the host of the server"

# Tells a webhook that a person's turn has begun: gets its address, the table's id, the game's title
# and the person's name.
CallPerson = Callable[[str, str, str, str], object]


def call_nobody(address: str, table: str, title: str, name: str) -> None:
    """Call no webhook."""


class RefusedError(CardhubError):
    """A message of a visitor that has no effect: what is wrong, then `fix: …`."""


@dataclass(frozen=True)
class TableServices:
    """Services that all tables of a lobby share.

    `time` returns the seconds since the epoch; `started` is when the server began. Without `syncs`
    records are synced at once. `collected` are the names of games of collections that are offered.
    """

    store: TableStore
    opener: Opener
    time: Callable[[], float]
    limits: TableLimits = field(default_factory=TableLimits)
    call_person: CallPerson = call_nobody
    started: float = 0
    syncs: DiskSyncs | None = None
    collected: Sequence[str] = ()

    @property
    def registry(self) -> PluginRegistry:
        """The games and bots."""
        return self.opener.registry

    def game(self, name: str) -> Game[Any]:
        """Return a game that is offered; raises PluginError."""
        # Visitors name games, and could name one of a collection that takes minutes, or all memory,
        # to make.
        if ":" in name and name not in self.collected:
            raise PluginError(
                f"this server does not offer {name!r}. fix: choose a game of the lobby, or ask the "
                "host of the server for it"
            )
        return self.registry.game(name)


@dataclass(eq=False)
class Client:
    """A visitor at a table: the hash of its token, empty for a spectator's.

    `viewer` is that of the last `welcome`. `heard` is the last step of which the client has the
    log, in the game `number`; `chat` the number of chat lines that it has. A client `is_new` until
    the first broadcast.
    """

    visitor: Visitor
    token: str
    viewer: int = -1
    is_owner: bool = False
    heard: int = 0
    number: int = 0
    chat: int = 0
    is_new: bool = True


class TableContext:
    """The file of a table, its clients, and the host of its game.

    `changed` schedules a broadcast: many changes in one turn of the loop make one message.
    `updated` is called after each change of the file. `changes` counts the changes of all but the
    game.
    """

    def __init__(self, file: TableFile, services: TableServices) -> None:
        self.file = file
        self.services = services
        self.scheduler = TableScheduler(services.opener.scheduler)
        self.host: Host | None = None
        self.clients: dict[Visitor, Client] = {}
        self.broadcast: Callback = lambda: None
        self.updated: Callback = lambda: None
        self.changes = 0
        self._is_scheduled = False

    @property
    def game(self) -> Game[Any]:
        """The game of the table; raises PluginError if it is not offered any more."""
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
        """The host of the game that runs; raises RefusedError if none does."""
        if self.host is None or self.file.stage != "playing":
            raise RefusedError("no game is running")
        return self.host

    def update(self, **changes: object) -> None:
        """Change fields of the file, on disk first, then tell all clients; raises RecordError."""
        changes["changed"] = self.services.time()
        file = msgspec.structs.replace(self.file, **changes)
        self.services.store.save(file)
        self.file = file
        self.updated()
        self.changed()

    def update_chair(self, seat: int, chair: Chair) -> None:
        """Change one seat; raises RecordError."""
        chairs = self.file.chairs
        self.update(chairs=(*chairs[:seat], chair, *chairs[seat + 1 :]))

    def changed(self) -> None:
        """Tell all clients of the changes so far, once the present ones are complete."""
        self.changes += 1
        self.game_changed()

    def game_changed(self) -> None:
        """Tell all clients of the changes of the game; those of the table itself are known."""
        if not self._is_scheduled:
            self._is_scheduled = True
            self.scheduler.call_soon(self._broadcast)

    def later(self, seconds: float, callback: Callback) -> Timer:
        """Call `callback` after some time."""
        return self.scheduler.call_later(seconds, callback)

    def holder_of(self, token: str) -> str:
        """Return the hash of a valid token, empty for any other."""
        known = {self.file.owner, *(chair.token for chair in self.chairs)} - {""}
        # All are compared, so that the time tells nothing of which one it is.
        return "".join([hashed for hashed in known if is_token(token, hashed)])

    def seat_of(self, holder: str) -> int | None:
        """Return the seat of a token's person, given its hash; None for a spectator."""
        seats = (seat for seat, chair in enumerate(self.chairs) if chair.is_persons)
        return next((s for s in seats if holder and self.chairs[s].token == holder), None)

    def viewer_of(self, holder: str) -> int:
        """Return the seat of a token's person, else the number of seats."""
        seat = self.seat_of(holder)
        return self.spectator if seat is None else seat

    def own_seat(self, client: Client) -> int:
        """Return the seat of a client; raises RefusedError for a spectator."""
        seat = self.seat_of(client.token)
        if seat is None:
            raise RefusedError("you have no seat. fix: sit down first")
        return seat

    def is_owner(self, client: Client) -> bool:
        """Return whether a client is the owner's."""
        return bool(client.token) and client.token == self.file.owner

    def may_watch(self, client: Client) -> bool:
        """Return whether a client may see the game: people may, spectators if the table allows."""
        return self.seat_of(client.token) is not None or self.file.shows_spectators

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another spectator."""
        return len(self.clients) >= self.services.limits.visitors

    def check_owner(self, client: Client) -> None:
        """Raise RefusedError unless a client is the owner's."""
        if not self.is_owner(client):
            raise RefusedError("only the owner of the table may do this. fix: ask the owner")

    def check_length(self) -> None:
        """Raise RefusedError in a game so long that no more than its actions are recorded."""
        if self.playing.step >= self.services.limits.steps:
            raise RefusedError("this game has too many steps for that. fix: play on to its end")

    def is_here(self, seat: int) -> bool:
        """Return whether a client of the person at a seat is connected."""
        token = self.chairs[seat].token
        return bool(token) and any(c.token == token for c in self.clients.values())

    @property
    def is_by_days(self) -> bool:
        """Whether people have days for each action, so that they come and go."""
        return self.file.clock.endswith("d")

    def people(self) -> list[int]:
        """Return the seats of people, also those for whom a bot stands in."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.is_persons]

    def plays(self, seat: int) -> bool:
        """Return whether a person, not a bot, plays at a seat of the present game."""
        return self.host is not None and self.host.players[seat].is_human

    def public(self, error: Exception) -> str:
        """Return the text of an error without the folders of this machine."""
        return str(error).replace(f"{self.services.store.folder}{os.sep}", "")

    def _broadcast(self) -> None:
        self._is_scheduled = False
        self.broadcast()
