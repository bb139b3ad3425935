"""A server as several processes: each has the tables whose ids begin with its letter.

Each shard writes a list of its tables into its folder and reads the lists of the other shards.
Shards share only these files. A shard that ends is restarted.
"""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic, time

import msgspec
from typing_extensions import override

from cardhub.base.errors import RecordError
from cardhub.base.files import LimitError, read_within, replace_text
from cardhub.online.server.table_interface import FinishedGame, TableInterface, Tables
from cardhub.online.wire.wire_codec import (
    CreatedTable,
    LobbyState,
    NewTable,
    OwnGames,
    OwnResults,
    TableOffer,
)
from cardhub.play.table_messages import GameOutcome

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


SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Seconds: between checks of the processes, for a clean exit, and before the restart of a process
# that ended soon after its start.
LOOK_EVERY, END_WITHIN, PAUSE = 0.2, 10.0, 2.0


class ShardProcess:
    """A process that is restarted when it ends."""

    def __init__(self, letter: str, command: Sequence[str]) -> None:
        self._letter = letter
        self._command = command
        self._start()

    @property
    def number(self) -> int:
        """The process id."""
        return self._process.pid

    def keep(self) -> None:
        """Restart the process if it has ended."""
        code = self._process.poll()
        if code is None:
            return
        if monotonic() - self._started < PAUSE:
            return  # backoff: it failed soon after its start
        LOG.error("shard %s ended with exit code %s and is restarted", self._letter, code)
        self._close_pipe()
        self._start()

    def end(self) -> None:
        """Request a clean exit; no-op after the process has ended."""
        self._close_pipe()

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()

    def _start(self) -> None:
        self._started = monotonic()
        # In a new session, because Ctrl-C at the terminal must reach the parent only. The pipe
        # closes when the parent ends for any reason, and then the shard ends too.
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, start_new_session=os.name == "posix"
        )

    def _close_pipe(self) -> None:
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()


def run_shards(commands: Sequence[Sequence[str]], started: Callable[[], object]) -> None:
    """Keep a process running for each command until a signal; a second signal kills them."""
    with _signals() as (first, second):
        shards = [
            ShardProcess(letter, command)
            for letter, command in zip(LETTERS, commands, strict=False)
        ]
        started()
        while not first.wait(LOOK_EVERY):
            for shard in shards:
                shard.keep()
        for shard in shards:
            shard.end()
        end = monotonic() + END_WITHIN
        while any(shard.is_running for shard in shards) and monotonic() < end:
            if second.wait(LOOK_EVERY):
                break
        for shard in shards:
            shard.kill()


def end_with_parent(end: Callable[[], object]) -> None:
    """Call `end` from another thread when the parent process closes this one's standard input."""

    def watch() -> None:
        with suppress(OSError, ValueError):
            while sys.stdin.buffer.read(1024):
                pass
        end()

    Thread(target=watch, daemon=True).start()


@contextmanager
def _signals() -> Iterator[tuple[Event, Event]]:
    """Yield two events: the first and the second signal during the block set them."""
    first, second = Event(), Event()

    def receive(_number: int, _frame: object) -> None:
        (second if first.is_set() else first).set()

    before = {number: signal.signal(number, receive) for number in SIGNALS}
    try:
        yield first, second
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
