"""Resources of a server: the lobby, the folder of tables, and the workers for bots."""

import errno
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cardhub.base.errors import CardhubError
from cardhub.base.files import reserve
from cardhub.online.server.limits import DEVICES, PUBLIC_LIMITS
from cardhub.online.server.shards import ShardTables
from cardhub.online.server.table_interface import Tables
from cardhub.online.server.tables.lobby import Lobby
from cardhub.online.server.tables.storage.disk_syncs import DiskSyncs
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.online.server.tables.webhooks import Webhooks
from cardhub.play.host.opening import Opener
from cardhub.play.host.saved.editions import WITH_CHANGES, Editions
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.workers.pool.bot_pool import BotPool
from cardhub.play.workers.pool.fair_shares import MOST_PEOPLE
from cardhub.plugins.registry import PluginRegistry

LOG = logging.getLogger("cardhub.online.server")
# One in ten devices at an address counts for its share of the bots.
DEVICES_FOR_ONE = 10
CHANGES_FIX = (
    f"With `cardhub serve {WITH_CHANGES}` the host lets it go on with the present cards and rules"
)
BUSY = "another server uses this folder. fix: end it, or choose another folder with --folder"


class FolderError(CardhubError):
    """The folder of tables cannot be used."""


@dataclass(frozen=True, slots=True)
class ResourceOptions:
    """Options of the tables of a server: their folder, and the workers for their bots.

    `workers`: the number of worker processes, or None for one less than the number of processors.
    `shard`: the first letter of table ids. `origin`: the address of the server in webhooks.
    `calls_local`: also call webhooks at private addresses. `collected`: the names of offered games
    that come from collections. `devices`: the number of devices that may share an address.
    `accepts_changes`: games go on although their cards or rules have changed.
    """

    folder: Path
    workers: int | None = None
    limits: TableLimits = field(default_factory=TableLimits)
    shard: str = ""
    origin: str = ""
    calls_local: bool = False
    collected: Sequence[str] = ()
    devices: int = DEVICES
    accepts_changes: bool = False


@contextmanager
def open_tables(registry: PluginRegistry, options: ResourceOptions) -> Iterator[Tables]:
    """Open the tables of a folder during a block; no other process can open them.

    Only the user of the server may read files that the block makes. Raises FolderError, RecordError
    if another server has the folder, or PluginError.
    """
    for name in options.collected:
        # Built before the first client waits for it, because this may take long.
        registry.game(name)
    scheduler = LoopScheduler(_log)
    most_people = max(options.devices // DEVICES_FOR_ONE, MOST_PEOPLE)
    with (
        _private_files(),
        reserve(_lock_of(options.folder), BUSY, is_new=True),
        closing(BotPool(registry.directories, options.workers, most_people=most_people)) as pool,
        closing(DiskSyncs(scheduler)) as syncs,
    ):
        editions = Editions(
            accepts_changes=options.accepts_changes, fix=CHANGES_FIX, report=LOG.warning
        )
        opener = Opener(registry, scheduler, pool=pool, editions=editions)
        hooks = Webhooks(
            lambda table: f"{options.origin}/t/{table}",
            allows_local=options.calls_local,
            rate=PUBLIC_LIMITS.for_devices(options.devices).webhooks,
        )
        lobby = Lobby(
            options.folder,
            opener,
            options.limits,
            shard=options.shard,
            call_person=hooks.call_person,
            syncs=syncs,
            collected=options.collected,
        )
        yield ShardTables(lobby, options.folder) if options.shard else lobby


@contextmanager
def _private_files() -> Iterator[None]:
    """Let only the user of this process read files that are made in a block, also by workers."""
    mask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(mask)


def _lock_of(folder: Path) -> Path:
    """Return the path of the lock of a folder, which is made if it is missing; raises FolderError.

    The name has the number of the folder, because a copy with hard links has the same lock files.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # An existing folder may be on a disk that was mounted read-only after a fault.
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, "the folder is read-only")
        status = folder.stat()
    except OSError as error:
        raise FolderError(
            f"tables cannot be stored in {folder}: {error.strerror}. "
            "fix: choose another folder with --folder"
        ) from error
    if os.name != "nt" and status.st_mode & 0o077:
        LOG.warning("other users of this machine may open %s. fix: chmod 700 %s", folder, folder)
    return folder / f"server-{status.st_ino}"


def _log(error: Exception) -> None:
    # The failure concerns one table, for example a bot's turn; the other tables continue.
    LOG.error("a table failed", exc_info=error)
