"""The lobby: all tables of a server, made, found, listed and put away."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import time as seconds_since_epoch

from typing_extensions import override

from cardhub.errors import RecordError
from cardhub.host.opening import Opener
from cardhub.host.replays.replay import Replay
from cardhub.play.records.reading import read_record
from cardhub.server.credentials import hash_token, new_table_id, new_token
from cardhub.server.tables.keeping.table_file import TableFile
from cardhub.server.tables.keeping.table_limits import TableLimits
from cardhub.server.tables.keeping.table_store import TableStore
from cardhub.server.tables.offers import game_offers
from cardhub.server.tables.served_table import ServedTable
from cardhub.server.tables.table_context import TableServices
from cardhub.server.tables.table_setup import new_table_file
from cardhub.server.visited_table import Tables, UnknownTableError
from cardhub.wire.lobby_messages import CreatedTable, LobbyState, NewTable

RESTARTS = "the server ends or starts again"


class Lobby(Tables):
    """All tables in the folders of `folder`; those with visitors are in memory.

    `opener` starts their games in the thread of its scheduler. `shard` is the first letter of new
    ids.
    """

    def __init__(
        self,
        folder: Path,
        opener: Opener,
        limits: TableLimits | None = None,
        *,
        time: Callable[[], float] = seconds_since_epoch,
        shard: str = "",
    ) -> None:
        self._services = TableServices(TableStore(folder), opener, time, limits or TableLimits())
        self._shard = shard
        self._loaded: dict[str, ServedTable] = {}
        # All tables of the folder by id, as they were last saved.
        self._files: dict[str, TableFile] = {}

    @override
    def begin(self) -> None:
        for table in self._services.store.tables():
            with suppress(RecordError):
                self._files[table] = self._services.store.load(table)

    @override
    def find(self, table: str) -> ServedTable:
        if table not in self._loaded:
            self._check_known(table)
            self._loaded[table] = self._load(self._services.store.load(table))
        return self._loaded[table]

    @override
    def create(self, request: NewTable, address: str = "") -> CreatedTable:
        token = new_token()
        file = new_table_file(
            self._services, request, new_table_id(self._shard), hash_token(token), address
        )
        self._services.store.create(file)
        self._loaded[file.table] = self._load(file)
        return CreatedTable(table=file.table, token=token)

    @override
    def listed(self) -> LobbyState:
        return LobbyState(games=game_offers(self._services.registry), tables=())

    @override
    def replay(self, table: str, number: int) -> Replay | None:
        self._check_known(table)
        path = self._services.store.record(table, number)
        if number < 1 or not path.is_file():
            return None
        is_finished = read_record(path).is_finished
        return self._services.opener.replay(path) if is_finished else None

    @override
    def close(self) -> None:
        for table in self._loaded.values():
            table.close(RESTARTS)
        self._loaded.clear()

    def _check_known(self, table: str) -> None:
        if not self._services.store.has(table):
            raise UnknownTableError("there is no such table. fix: ask for its link again")

    def _load(self, file: TableFile) -> ServedTable:
        table = ServedTable(file, self._services, self._services.opener.scheduler)
        table.load()
        return table
