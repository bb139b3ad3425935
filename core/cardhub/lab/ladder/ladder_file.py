"""The file of a ladder, `ladder.jsonl`: its game, versions of bots, and meetings between them.

Several programs may append to it at the same time; each holds the lock of the folder for that.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout
from msgspec import Struct

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import explained
from cardhub.lab.match.log.log_writer import Lines, drop_incomplete_line
from cardhub.model.table.settings import Value

FILE, FORMAT = "ladder.jsonl", 1
LOCK = ".ladder.lock"
# Seconds to wait for another program, which holds the lock only while it reads and writes a line.
PATIENCE = 60


class LadderHeader(Struct, frozen=True, forbid_unknown_fields=True, tag="ladder"):
    """What is rated: a game at a table, by scores between 0 and 1.

    `version`: the version of the game. `blocks`: the number of blocks of a meeting.
    """

    cardhub_ladder: int
    game: str
    version: str
    players: int
    rules: dict[str, Value]
    blocks: int
    seed: int


class BotVersion(Struct, frozen=True, forbid_unknown_fields=True, tag="version"):
    """A version of a bot: its name in the ladder, its spec, and the SHA-256 of what plays."""

    name: str
    use: str
    sha256: str


class Meeting(Struct, frozen=True, forbid_unknown_fields=True, tag="meeting"):
    """A match of two versions that a program has chosen to play; `bots`: their names."""

    number: int
    bots: tuple[str, str]


class MeetingScores(Struct, frozen=True, forbid_unknown_fields=True, tag="scores"):
    """The scores of the first bot in the blocks of a meeting, and the number of its games.

    `worker`: the machine that played it, or empty in ladders of an older cardhub.
    """

    number: int
    scores: tuple[float, ...]
    games: int
    worker: str = ""


class WorkerStatus(Struct, frozen=True, forbid_unknown_fields=True, tag="worker"):
    """Whether the scores of a worker count, past meetings included."""

    worker: str
    is_excluded: bool


Line = LadderHeader | BotVersion | Meeting | MeetingScores | WorkerStatus
_DECODER = msgspec.json.Decoder(Line)


class LadderFile:
    """The lines of a ladder, which other programs may append to as well."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / FILE

    @contextmanager
    def locked(self) -> Iterator[list[Line]]:
        """Yield all lines while no other program appends one; raises MatchError."""
        with explained(self._path):
            self.folder.mkdir(parents=True, exist_ok=True)
        try:
            # Never removed, so that all programs lock the same file.
            lock = FileLock(self.folder / LOCK, timeout=PATIENCE)
            lock.acquire()
        except Timeout as error:
            raise MatchError(f"{self.folder}: another program does not let go of it") from error
        try:
            with explained(self._path):
                drop_incomplete_line(self._path)
            yield self.read()
        finally:
            lock.release()

    def read(self) -> list[Line]:
        """Return the lines without a lock; raises MatchError."""
        if not self._path.exists():
            return []
        with explained(self._path):
            data = self._path.read_bytes()
        # Another program may be writing the last line.
        lines = data[: data.rfind(b"\n") + 1].splitlines()
        try:
            return [_DECODER.decode(line) for line in lines]
        except msgspec.MsgspecError as error:
            raise MatchError(f"{self._path}: {error}\nfix: restore this file") from error

    def append(self, lines: Sequence[Line]) -> None:
        """Write lines, while the folder is `locked`; raises MatchError."""
        with explained(self._path), closing(Lines(self._path, is_synced=True)) as file:
            file.append(*(msgspec.json.encode(line).decode() for line in lines))
