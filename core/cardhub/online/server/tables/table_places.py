"""Visits of tables: tables that nobody visits give their places back, and return at a visit."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import islice

import msgspec

from cardhub.base.errors import OptionError, RecordError
from cardhub.online.server.limits import ADDRESSES_OF_NETWORK, network_key
from cardhub.online.server.table_interface import LoadError, LobbyError, UnknownTableError
from cardhub.online.server.tables.served_table import ServedTable
from cardhub.online.server.tables.storage.table_store import TableFile
from cardhub.online.server.tables.table_context import TableServices
from cardhub.play.host.turns.clock import TimeControl

LOG = logging.getLogger("cardhub.online.server")
DAY = 86_400.0
# Tables that expire or get a date in one sweep, because each needs the disk.
SWEPT_TOGETHER = 10
# Seconds that a server runs before its tables expire.
EXPIRES_AFTER = 3600.0
# If half of the places are in use, a network with a table leaves so many places free for each one.
FREE_FOR_ONE = 10
NO_TABLE = "there is no such table. fix: ask for its link again"
NOT_LOST = "Its games are not lost"


class Places:
    """The places of a server for tables, and the visits for which tables keep their places.

    A table that nobody has visited for long expires: it is archived, or deleted if it has no game.
    A visit brings an archived table back if there is a place for it. `loaded`: the tables in memory
    by id.
    """

    def __init__(self, services: TableServices, loaded: Mapping[str, ServedTable]) -> None:
        self._services = services
        self._loaded = loaded
        self._began_at = services.opener.scheduler.now()
        # The tables that could not be moved: after the first error only a start tries again.
        self._failed: set[str] = set()

    def visit(self, table: str) -> TableFile:
        """Return the file of a table after noting the visit; raises UnknownTableError or LoadError.

        An archived table comes back first.
        """
        file = self._services.store.files.get(table)
        if file is None:
            file = self._restored(table)
        self._note_visit(file)
        return self._services.store.files[table]

    def look_up(self, table: str) -> TableFile:
        """Return the file of a table, also of an archived one, without a visit.

        Raises UnknownTableError.
        """
        store = self._services.store
        if table in store.files:
            return store.files[table]
        if store.is_archived(table):
            with suppress(RecordError):
                return store.load_archived(table)
        raise UnknownTableError(NO_TABLE)

    def check(self, address: str) -> None:
        """Raise LobbyError unless there is a place for another table of an address."""
        files, limits = self._services.store.files, self._services.limits
        free = limits.tables - len(files)
        if free <= 0:
            raise LobbyError("this server has no room for another table. fix: try again later")
        if not address:
            return
        count = sum(file.address == address for file in files.values())
        network = network_key(address)
        of_network = sum(network_key(file.address) == network for file in files.values())
        most = limits.tables_by_address
        # The last places are for networks that have few tables or none.
        is_scarce = free * 2 <= limits.tables and of_network * FREE_FOR_ONE >= free and of_network
        if count >= most or of_network >= most * ADDRESSES_OF_NETWORK or is_scarce:
            raise LobbyError(
                f"your address has made {count or of_network} tables, and this server has "
                f"{free} free places. fix: use one of your tables, or ask its host to delete some"
            )

    def expire(self, close: Callable[[str], object]) -> None:
        """Archive or delete some tables that nobody has visited for long.

        `close` removes a table from memory by its id.
        """
        files = self._services.store.files.values()
        for file in list(islice(filter(self._needs_date, files), SWEPT_TOGETHER)):
            self._note_visit(file)
        # A machine that has booted with a wrong date soon corrects it.
        if self._services.opener.scheduler.now() - self._began_at < EXPIRES_AFTER:
            return
        for file in list(islice(filter(self._has_expired, files), SWEPT_TOGETHER)):
            close(file.table)
            self._remove(file)

    def _restored(self, table: str) -> TableFile:
        """Return the file of an archived table that is back in its place."""
        store = self._services.store
        if not store.is_archived(table):
            raise UnknownTableError(NO_TABLE)
        try:
            # The maker's share also holds here, else old tables of one network could fill a server.
            self.check(store.load_archived(table).address)
            file = store.restore(table)
        except LobbyError as error:
            raise LoadError(
                "nobody has visited this table for a long time, so the server has put it away, and "
                f"now there is no place for it. {NOT_LOST}. fix: try again later, or ask the host "
                "of the server for a place"
            ) from error
        except RecordError as error:
            LOG.error("table %s cannot leave the archive: %s", table, error)
            raise LoadError(
                "nobody has visited this table for a long time, so the server has put it away, and "
                f"it cannot be brought back. {NOT_LOST}. fix: tell the host of the server"
            ) from error
        LOG.info("table %s is back from the archive, because somebody visits it", table)
        return file

    def _remove(self, file: TableFile) -> None:
        store = self._services.store
        try:
            if file.number:
                store.archive(file.table)
                LOG.info("table %s is archived, because nobody has visited it for long", file.table)
            else:
                store.delete(file.table)
        except RecordError as error:
            LOG.error("table %s has expired but keeps its place: %s", file.table, error)
            self._failed.add(file.table)

    def _note_visit(self, file: TableFile) -> None:
        """Write once a day into the file of a table that somebody visits it."""
        now, table = self._services.time(), self._loaded.get(file.table)
        if now - file.visited < DAY:
            return
        file = msgspec.structs.replace(file, visited=now)
        with suppress(RecordError):  # the next visit writes it
            self._services.store.save(file)
            if table is not None:
                table.context.file = file

    def _needs_date(self, file: TableFile) -> bool:
        """Return whether a table has visitors, or no date because of an earlier version."""
        if not file.visited:
            return True
        return self._has_visitors(file) and self._services.time() - file.visited >= DAY

    def _has_expired(self, file: TableFile) -> bool:
        """Return whether a table was not visited for so many days that it loses its place."""
        limits = self._services.limits
        limit = limits.unvisited if file.number else limits.unstarted
        if not limit or not file.visited or file.table in self._failed or self._has_visitors(file):
            return False
        age = self._services.time() - max(file.changed, file.visited)
        # People come back within the time of their turn.
        return age > limit + _seconds_of_turn(file.clock)

    def _has_visitors(self, file: TableFile) -> bool:
        table = self._loaded.get(file.table)
        return table is not None and table.has_visitors


def _seconds_of_turn(clock: str) -> float:
    try:
        return TimeControl.parse(clock).base if clock else 0
    except OptionError:
        return 0  # somebody has edited the file
