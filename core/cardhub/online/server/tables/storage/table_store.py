"""The folders of tables: settings, records and chat."""

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from cardhub.base.errors import RecordError
from cardhub.base.files import LimitError, read_within, record_access, replace_text, sync_folder
from cardhub.model.table.settings import Value
from cardhub.online.wire.server_messages import ChatMessage, Stage

FILE_VERSION = 1


class Chair(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A seat of a table over several games.

    `token` is the SHA-256 of its person's token; without a `name`, an invitation for a person who
    has not sat down yet. `bot` is the level or spec that plays where no person does, and `bot_name`
    the name under which it played last. `is_asked`: a
    person wished that a bot stands in, so only a wish gives the seat back. `plays_forced`: turns
    with one legal action are played at once.
    """

    name: str = ""
    token: str = ""
    bot: str = ""
    bot_name: str = ""
    is_asked: bool = False
    plays_forced: bool = False

    @property
    def is_persons(self) -> bool:
        """Whether a person has sat down here."""
        return bool(self.name and self.token)

    @property
    def is_free(self) -> bool:
        """Whether nobody has sat down, no bot was chosen and no person invited."""
        return not (self.token or self.bot)


class TableFile(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The content of `table.json`.

    `made` and `changed` are in seconds since the epoch. `owner` is the SHA-256 of the owner's
    token. `number` is that of the last game, 0 before the first, `scored` that of the last one
    whose winners are in `scores`.
    """

    version: int = FILE_VERSION
    table: str
    game: str
    made: float
    changed: float
    owner: str
    address: str = ""
    options: Mapping[str, Value] = {}
    chairs: tuple[Chair, ...]
    number: int = 0
    stage: Stage = "open"
    is_listed: bool = False
    has_chat: bool = True
    has_helps: bool = True
    shows_spectators: bool = True
    clock: str = ""
    webhook: str = ""
    scores: Mapping[str, int] = {}
    scored: int = 0


_DECODER = msgspec.json.Decoder(TableFile)


def encode_table(file: TableFile) -> str:
    """Return the file as text, one JSON object with indented lines."""
    return msgspec.json.format(msgspec.json.encode(file), indent=1).decode() + "\n"


def decode_table(data: bytes) -> TableFile:
    """Return the content of a file; raises ValueError."""
    file = _DECODER.decode(data)
    if file.version != FILE_VERSION:
        raise ValueError(f"version {file.version} cannot be read, only version {FILE_VERSION}")
    return file


class ProgressFile(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The content of `course.json`.

    `left` has the seconds of each seat at the time `at`, in seconds since the epoch; `turn` is the
    seat whose time runs. `called` is the seat
    whose person was called for the present turn, if need be.
    """

    number: int = 0
    left: tuple[float, ...] = ()
    turn: int | None = None
    at: float = 0
    called: int = -1


MOST_TABLE_FILE = 1_000_000
TABLE_FILE = "table.json"
CHAT_FILE = "chat.json"
COURSE_FILE = "course.json"
_ID = re.compile(r"[a-z2-7-]{16,40}")
_RECORD = re.compile(r"game-([1-9]\d{0,8})\.jsonl")
_COURSE = msgspec.json.Decoder(ProgressFile)
_CHAT = msgspec.json.Decoder(ChatMessage)


class TableStore:
    """Reads and writes the folders of tables in `folder`, one for each, named by its id.

    `files` has the file of every table by id, `unreadable` the errors of those left out. Methods
    raise RecordError if a file cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, TableFile] = {}
        self.unreadable: list[RecordError] = []

    def open(self) -> None:
        """Read the files of all tables; those that cannot be read are left alone."""
        with record_access(self.folder, "written"):
            self.folder.mkdir(parents=True, exist_ok=True)
        for table in self._tables():
            try:
                self.files[table] = self.load(table)
            except RecordError as error:
                self.unreadable.append(error)

    def create(self, file: TableFile) -> None:
        """Write the folder of a new table."""
        with record_access(self._of(file.table), "written"):
            self._of(file.table).mkdir(parents=True)
        self.save(file)
        with record_access(self.folder, "written"):
            sync_folder(self.folder)

    def save(self, file: TableFile) -> None:
        """Replace the file of a table; it is on disk when this returns."""
        path = self._of(file.table) / TABLE_FILE
        with record_access(path, "written"):
            replace_text(path, encode_table(file))
        self.files[file.table] = file

    def load(self, table: str) -> TableFile:
        """Return the file of a table."""
        path = self._of(table) / TABLE_FILE
        with record_access(path, "read"):
            try:
                return decode_table(read_within(path, MOST_TABLE_FILE))
            except (ValueError, LimitError) as error:
                raise RecordError(f"{path}: {error}") from error

    def record(self, table: str, number: int) -> Path:
        """Return the path of the record of a game, counted from 1."""
        return self._of(table) / f"game-{number}.jsonl"

    def page(self, table: str, number: int) -> Path:
        """Return the path of the page of a finished game."""
        return self._of(table) / f"game-{number}.html"

    def drop_records_after(self, table: str, number: int) -> None:
        """Delete records of games that the file of a table does not know of yet.

        Nobody was told of them: the server was killed between the two files.
        """
        with record_access(self._of(table), "written"):
            for path in self._of(table).iterdir():
                match = _RECORD.fullmatch(path.name)
                if match and int(match[1]) > number:
                    path.unlink()

    def delete(self, table: str) -> None:
        """Delete a table with all its files."""
        with record_access(self._of(table), "written"), suppress(FileNotFoundError):
            # First the file by which the table is found, so that a kill leaves nothing half.
            (self._of(table) / TABLE_FILE).unlink()
            shutil.rmtree(self._of(table))
        self.files.pop(table, None)

    def chat(self, table: str) -> ChatMessage:
        """Return the last lines of the chat; none if they cannot be read."""
        try:
            return _CHAT.decode(read_within(self._of(table) / CHAT_FILE, MOST_TABLE_FILE))
        except (OSError, ValueError, LimitError):
            return ChatMessage(since=0, lines=())

    def save_chat(self, table: str, lines: ChatMessage) -> None:
        """Replace the last lines of the chat."""
        self._write(self._of(table) / CHAT_FILE, msgspec.json.encode(lines))

    def course(self, table: str) -> ProgressFile:
        """Return the course of a table's game; an empty one if it cannot be read."""
        try:
            return _COURSE.decode(read_within(self._of(table) / COURSE_FILE, MOST_TABLE_FILE))
        except (OSError, ValueError, LimitError):
            return ProgressFile()

    def save_course(self, table: str, file: ProgressFile) -> None:
        """Replace the course of a table's game."""
        self._write(self._of(table) / COURSE_FILE, msgspec.json.encode(file))

    def _write(self, path: Path, data: bytes) -> None:
        # Not synced: after a power failure a line of the chat or a turn's time may be missing.
        with record_access(path, "written"):
            new = path.with_name(f"{path.name}.new")
            new.write_bytes(data)
            new.replace(path)

    def _of(self, table: str) -> Path:
        return self.folder / table

    def _tables(self) -> Iterator[str]:
        """Yield the ids of all tables, and delete folders of tables that were never complete."""
        with record_access(self.folder, "read"):
            found = sorted(path for path in self.folder.iterdir() if _ID.fullmatch(path.name))
        for path in found:
            # A folder that cannot be read concerns its own table only.
            with suppress(OSError):
                if (path / TABLE_FILE).is_file():
                    yield path.name
                elif path.is_dir() and not any(path.glob("*.jsonl")):
                    # Its maker was never told of it: the server was killed before the file was
                    # there.
                    shutil.rmtree(path, ignore_errors=True)
