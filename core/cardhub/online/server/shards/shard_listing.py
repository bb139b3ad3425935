"""The tables of a shard, with a lobby that also lists the tables of the other shards.

Each shard writes a list into its folder and reads the lists of the other shards. Shards share
only these files.
"""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from time import time

import msgspec
from typing_extensions import override

from cardhub.base.errors import RecordError
from cardhub.base.files import LimitError, read_within, replace_text
from cardhub.online.server.table_interface import FinishedGame, TableInterface, Tables
from cardhub.online.wire.wire_codec import (
    CreatedTable,
    GameOutcome,
    LobbyState,
    NewTable,
    OwnGames,
    OwnResults,
    TableOffer,
)

LOG = logging.getLogger("cardhub.online.server")
LISTING = "listing.json"
# Seconds between two writes, and the age at which the list of another shard is ignored.
WRITE_EVERY, STALE_AFTER = 3.0, 12.0
LARGEST_LISTING = 1_000_000


class ShardList(msgspec.Struct):
    """The listed tables of a shard. `written`: the time in seconds since the epoch."""

    written: float
    tables: tuple[TableOffer, ...]


_LISTS = msgspec.json.Decoder(ShardList)


class ShardTables(Tables):
    """The tables of one shard. `folder`: its folder, in the same parent as the other shards'."""

    def __init__(self, tables: Tables, folder: Path) -> None:
        self._tables = tables
        self._folder = folder
        self._timer: asyncio.TimerHandle | None = None
        self._writing = Lock()
        self._is_closed = False

    @override
    def begin(self) -> None:
        self._tables.begin()
        self._keep_listing()

    @override
    def find(self, table: str) -> TableInterface:
        return self._tables.find(table)

    @override
    def create(self, request: NewTable, address: str = "") -> CreatedTable:
        return self._tables.create(request, address)

    @override
    def listed(self) -> LobbyState:
        state = self._tables.listed()
        paths = sorted(self._folder.parent.glob(f"?/{LISTING}"))
        others = [o for path in paths if path.parent != self._folder for o in _read(path)]
        return msgspec.structs.replace(state, tables=(*state.tables, *others))

    @override
    def own_offer(self, table: str, token: str) -> TableOffer | None:
        return self._tables.own_offer(table, token)

    @override
    def own_games(self, table: str, token: str) -> OwnGames | None:
        return self._tables.own_games(table, token)

    @override
    def own_results(self, outcomes: Sequence[GameOutcome]) -> OwnResults:
        return self._tables.own_results(outcomes)

    @override
    def replay(self, table: str, number: int) -> FinishedGame | None:
        return self._tables.replay(table, number)

    @override
    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._tables.close()
        self._is_closed = True
        self._write(())

    def _keep_listing(self) -> None:
        # In another thread, because the disk may be slow.
        loop = asyncio.get_running_loop()
        loop.run_in_executor(None, self._write, self._tables.listed().tables)
        self._timer = loop.call_later(WRITE_EVERY, self._keep_listing)

    def _write(self, tables: tuple[TableOffer, ...]) -> None:
        # One at a time: a list that is written in a thread must not replace the last, empty one.
        with self._writing:
            offers = () if self._is_closed else tables
            listing = msgspec.json.encode(ShardList(written=time(), tables=offers)).decode()
            try:
                replace_text(self._folder / LISTING, listing)
            except OSError:
                # The lobbies of the other shards miss these tables; games continue.
                LOG.exception("the list of tables cannot be written")


def _read(path: Path) -> tuple[TableOffer, ...]:
    """Return the tables of a list, or none if it is stale or cannot be read."""
    try:
        listing = _LISTS.decode(read_within(path, LARGEST_LISTING))
    except (OSError, RecordError, LimitError, msgspec.MsgspecError, UnicodeError):
        return ()
    return listing.tables if time() - listing.written < STALE_AFTER else ()
