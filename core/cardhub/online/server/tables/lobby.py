"""The lobby: creates, loads, lists and unloads the tables of a server.

No table is loaded for a person's own finished games. Their titles, results and rows are the ones of
the terminal's saved games.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from time import time as seconds_since_epoch

from typing_extensions import override

from cardhub.base.errors import CardhubError, RecordError
from cardhub.online.server.credentials import hash_token, new_table_id, new_token
from cardhub.online.server.table_interface import (
    DiskError,
    FinishedGame,
    LoadError,
    LobbyError,
    Tables,
)
from cardhub.online.server.tables.broadcasting.offers import game_offers, stored_offer
from cardhub.online.server.tables.served_table import ServedTable
from cardhub.online.server.tables.storage.disk_syncs import DiskSyncs
from cardhub.online.server.tables.storage.table_store import TableFile, TableStore
from cardhub.online.server.tables.table_context import (
    CallPerson,
    TableContext,
    TableLimits,
    TableServices,
    call_no_webhook,
)
from cardhub.online.server.tables.table_game import DISK_FAILS, is_disk_error
from cardhub.online.server.tables.table_places import Places
from cardhub.online.server.tables.table_setup import new_table_file
from cardhub.online.server.tables.table_stage import derive_stage, stored_game
from cardhub.online.wire.wire_codec import (
    CreatedTable,
    GameOffer,
    LobbyState,
    NewTable,
    OwnGame,
    OwnGames,
    OwnResults,
    TableOffer,
)
from cardhub.play.host.opening import Opener
from cardhub.play.host.saved.personal_results import (
    COLUMNS,
    outcomes,
    sides_of,
    statistics_cells,
    tabulate_outcomes,
)
from cardhub.play.host.saved.saved_list import SavedGame, describe_saved, read_saved
from cardhub.play.records.reading import read_record
from cardhub.play.table_messages import GameOutcome

LOG = logging.getLogger("cardhub.online.server")
RESTARTS = "the server is stopping or restarting"
# Seconds between two searches for idle tables.
SWEEP_EVERY = 30.0
MOST_LISTED = 200


def cannot_load(why: str) -> str:
    """Return the message to clients of a table that cannot be loaded."""
    return (
        f"this table cannot be loaded: {why}. Its games are not lost. "
        "fix: ask the host of the server to install the earlier version of the game, then reload"
    )


class Lobby(Tables):
    """All tables in the folders of `folder`. `loaded`: the tables in memory by id.

    `opener` starts games in the thread of its scheduler. `shard`: the first letter of new ids.
    `time` returns seconds since the epoch. `call_person` calls the webhook of a person whose turn
    begins. `syncs` syncs records to disk, in threads if the disk is slow. `collected`: the names of
    games of collections that are offered in addition to the installed games.
    """

    def __init__(
        self,
        folder: Path,
        opener: Opener,
        limits: TableLimits | None = None,
        *,
        time: Callable[[], float] = seconds_since_epoch,
        shard: str = "",
        call_person: CallPerson = call_no_webhook,
        syncs: DiskSyncs | None = None,
        collected: Sequence[str] = (),
    ) -> None:
        store, limits = TableStore(folder), limits or TableLimits()
        # Beside the tables: with their folder, the editions of their games move to another machine.
        editions = replace(opener.editions, folder=folder / "editions")
        opener = replace(opener, editions=editions)
        self._services = TableServices(
            store,
            opener,
            time,
            limits,
            call_person,
            started=time(),
            syncs=syncs,
            collected=collected,
        )
        self._shard = shard
        self.loaded: dict[str, ServedTable] = {}
        self._places = Places(self._services, self.loaded)

    @override
    def begin(self) -> None:
        self._services.store.open()
        self._log_unusable()
        for file in list(self._services.store.files.values()):
            # Clocks and bots run even if no client is connected.
            if file.clock and self._is_playing(file):
                self._wake(file.table)
        self._sweep()

    @override
    def find(self, table: str) -> ServedTable:
        self._places.visit(table)
        return self._load_once(table)

    def _load_once(self, table: str) -> ServedTable:
        served = self.loaded.get(table)
        if served is None or served.is_disconnected:
            self._unload(table)
            served = self.loaded[table] = self._load(self._services.store.files[table])
        return served

    def _unload(self, table: str) -> None:
        """Remove a table from memory, if it is there."""
        if (served := self.loaded.pop(table, None)) is not None:
            served.close(RESTARTS)

    @override
    def create(self, request: NewTable, address: str = "") -> CreatedTable:
        self._places.check(address)
        token = new_token()
        table = new_table_id(self._shard)
        file = new_table_file(self._services, request, table, hash_token(token), address)
        try:
            self._services.store.create(file)
        except RecordError as error:
            LOG.error("a table cannot be written: %s", error)
            raise LobbyError("the server cannot write the table. fix: tell its host") from error
        return CreatedTable(table=table, token=token)

    @override
    def listed(self) -> LobbyState:
        # Only tables with a client, because players there are waiting or can be watched.
        listed = [t for t in self.loaded.values() if t.context.file.is_listed and t.context.clients]
        listed.sort(key=lambda table: table.context.file.made, reverse=True)
        offers = tuple(table.offer() for table in listed[:MOST_LISTED])
        return LobbyState(games=self._games, tables=offers)

    @override
    def own_offer(self, table: str, token: str) -> TableOffer | None:
        file = self._places.look_up(table)
        holder = file.holder_of(token)
        if not holder:
            return None
        if (served := self.loaded.get(table)) is not None:
            return served.offer(holder)
        return stored_offer(file, self._title(file.game), is_turn=self._has_turn(file, holder))

    @override
    def own_games(self, table: str, token: str) -> OwnGames | None:
        file = self._places.look_up(table)
        holder = file.holder_of(token)
        return finished_games(self._services, file, holder) if holder else None

    @override
    def own_results(self, outcomes: Sequence[GameOutcome]) -> OwnResults:
        return result_table(self._services, outcomes)

    @override
    def replay(self, table: str, number: int) -> FinishedGame | None:
        services, name = self._services, self._places.visit(table).table
        path, page = services.store.record(name, number), services.store.page(name, number)
        if number < 1 or not path.is_file():
            return None
        # Pages are built of finished games only.
        if not page.is_file() and not read_record(path).is_finished:
            return None
        return FinishedGame(path, page, tuple(services.registry.directories))

    @override
    def close(self) -> None:
        for table in self.loaded.values():
            table.close(RESTARTS)
        self.loaded.clear()

    @cached_property
    def _games(self) -> tuple[GameOffer, ...]:
        return game_offers(self._services.registry, self._services.collected)

    def _has_turn(self, file: TableFile, holder: str) -> bool:
        """Return whether the clock of a person runs at a table that is not in memory.

        Without a clock, only a table in memory knows whose turn it is.
        """
        if not file.clock or file.stage != "playing":
            return False
        progress, seat = self._services.store.progress(file.table), file.seat_of(holder)
        return progress.number == file.number and seat in progress.running

    def _title(self, game: str) -> str:
        """Return the title of a game, or its name if the server no longer has it."""
        try:
            return self._services.game(game).title
        except CardhubError:
            return game

    def _log_unusable(self) -> None:
        """Log the tables that cannot be read or whose game is missing, and keep their files."""
        for why in self._services.store.unreadable:
            LOG.error("a table cannot be read: %s", why)
        for file in self._services.store.files.values():
            try:
                TableContext(file, self._services).settings()
            except CardhubError as error:
                LOG.error("table %s cannot be loaded: %s", file.table, error)

    def _load(self, file: TableFile) -> ServedTable:
        table = ServedTable(file, self._services)
        try:
            table.context.settings()
            table.load()
        except CardhubError as error:
            table.close(RESTARTS)
            LOG.error("table %s cannot be loaded: %s", file.table, error)
            if is_disk_error(error):
                raise DiskError(DISK_FAILS) from error
            raise LoadError(cannot_load(table.context.public(error))) from error
        except Exception as error:  # any exception of a game's code
            table.close(RESTARTS)
            LOG.exception("table %s cannot be loaded", file.table)
            raise LoadError(cannot_load("the code of its game failed")) from error
        return table

    def _sweep(self) -> None:
        """Unload idle tables, and remove tables that nobody has visited for long."""
        for name, table in list(self.loaded.items()):
            if table.is_idle():
                self._wake_later(name, table.due_in())
                self._unload(name)
        self._places.expire(self._unload)
        self._services.opener.scheduler.call_later(SWEEP_EVERY, self._sweep)

    def _is_playing(self, file: TableFile) -> bool:
        """Return whether a game of a table that is not loaded is in progress."""
        if not file.number:
            return False  # many tables: no record has to be read
        return derive_stage(file, stored_game(self._services.store, file)).stage == "playing"

    def _wake_later(self, table: str, seconds: float | None) -> None:
        """Load a table again when a person's time ends, because a bot must replace the person."""
        if seconds is not None:
            call_later = self._services.opener.scheduler.call_later
            call_later(seconds + 1, lambda: self._wake(table))

    def _wake(self, table: str) -> None:
        if table not in self._services.store.files:
            return  # it has expired since
        try:
            self._load_once(table)
        except LoadError:
            pass  # already logged
        except CardhubError as error:
            LOG.error("table %s cannot be loaded: %s", table, error)


# The last games of a table that are listed, because each is read from the disk.
MOST_GAMES = 20


def finished_games(services: TableServices, file: TableFile, holder: str) -> OwnGames:
    """Return the last finished games of a table for the person with a token hash, latest first.

    A lesson is not listed, because its bots follow a script.
    """
    seat = file.seat_of(holder)
    name = "" if seat is None else file.chairs[seat].name
    games = () if file.is_lesson else tuple(_saved_games(services, file))
    return OwnGames(games=tuple(_own_game(services, file, saved, name) for saved in games))


def result_table(services: TableServices, results: Sequence[GameOutcome]) -> OwnResults:
    """Return the results of a person's games by game, bots and use of help."""
    cells = []
    for row in tabulate_outcomes(results):
        game = None
        with suppress(CardhubError):
            game = services.game(row.game)
        cells.append(statistics_cells(row, game))
    return OwnResults(heads=COLUMNS, rows=tuple(cells))


def _saved_games(services: TableServices, file: TableFile) -> Iterator[SavedGame]:
    """Yield the last finished games of a table, latest first; skip records that cannot be read."""
    for number in range(file.number, max(file.number - MOST_GAMES, 0), -1):
        with suppress(RecordError):
            saved = read_saved(services.store.find_record(file.table, number), number)
            if saved.is_finished:
                yield saved


def _own_game(services: TableServices, file: TableFile, saved: SavedGame, name: str) -> OwnGame:
    line = describe_saved(services.registry, saved, services.time())
    results = outcomes([saved], sides_of(services.registry), name) if name else []
    return OwnGame(
        title=line.title,
        result=line.state,
        players=line.players,
        age=line.age,
        ended=saved.changed,
        replay=f"/t/{file.table}/replay/{saved.number}.html",
        outcome=results[0].outcome if results else None,
    )
