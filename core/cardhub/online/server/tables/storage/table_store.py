"""The folders of tables: settings, records, clock times and chat."""

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from cardhub.base.errors import RecordError
from cardhub.base.files import (
    LimitError,
    numbered_paths,
    read_within,
    record_access,
    replace_text,
    sync_folder,
)
from cardhub.model.table.settings import Value
from cardhub.online.server.credentials import is_token
from cardhub.online.wire.server_messages import ChatMessage, Stage

FILE_VERSION = 1


class Chair(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A seat of a table, for all its games.

    `token`: the SHA-256 of its person's token; a token without a `name` is an invitation for a
    person who has not sat down yet. `bot`: the level or spec of a bot for a seat without a person.
    `bot_name`: the bot's last name. `is_asked`: the person asked for the replacement by a bot, so
    the seat is given back only on request. `plays_forced`: turns with one legal action are played
    automatically.
    """

    name: str = ""
    token: str = ""
    bot: str = ""
    bot_name: str = ""
    is_asked: bool = False
    plays_forced: bool = False

    @property
    def is_persons(self) -> bool:
        """Whether a person has this seat."""
        return bool(self.name and self.token)

    @property
    def is_free(self) -> bool:
        """Whether the seat has no person, no bot and no invitation."""
        return not (self.token or self.bot)


class AskedTakeback(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A takeback request of a seat in the game `number`, after so many `actions`.

    `agreed`: the seats that have agreed so far.
    """

    number: int
    actions: int
    seat: int
    agreed: tuple[int, ...] = ()


class TableFile(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The content of `table.json`.

    `made`, `changed`, `visited`: seconds since the epoch. `visited` is at most a day before the
    last visit, or 0 in files of earlier versions.
    `owner`: the SHA-256 of the owner's token. `address`: the address of the maker. `number`: the
    number of the last game, or 0 before the first game. `scored`: the number of the last game whose
    winners are in `scores`. `takeback`: the request that waits for answers. `is_lesson`: the games
    of the table are the lesson of its game.
    """

    version: int = FILE_VERSION
    table: str
    game: str
    made: float
    changed: float
    visited: float = 0
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
    takeback: AskedTakeback | None = None
    is_lesson: bool = False

    def holder_of(self, token: str) -> str:
        """Return the hash of a valid token, or an empty text."""
        hashes = {self.owner, *(chair.token for chair in self.chairs)} - {""}
        # Compare all of them, because the duration must not reveal which one matches.
        return "".join([hashed for hashed in hashes if is_token(token, hashed)])

    def seat_of(self, holder: str) -> int | None:
        """Return the seat of the person with a token hash, or None for a spectator."""
        seats = (seat for seat, chair in enumerate(self.chairs) if chair.is_persons)
        return next((s for s in seats if holder and self.chairs[s].token == holder), None)


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
    """The content of `course.json`: the clock of the game `number`.

    `left`: the remaining seconds of each seat at the time `at`, in seconds since the epoch. `turn`:
    the seat whose clock is running, or None; `turns`: the seats, if several choose at the same
    time. `called`: the seat whose webhook call for the current turn is done, or -1; or the seats.
    """

    number: int = 0
    left: tuple[float, ...] = ()
    turn: int | None = None
    turns: tuple[int, ...] = ()
    at: float = 0
    called: int | tuple[int, ...] = -1

    @property
    def running(self) -> tuple[int, ...]:
        """The seats whose clocks are running."""
        return self.turns or (() if self.turn is None else (self.turn,))


MOST_TABLE_FILE = 1_000_000
# The mode of folders, because a record of a running game has all its cards.
PRIVATE = 0o700
TABLE_FILE = "table.json"
CHAT_FILE = "chat.json"
PROGRESS_FILE = "course.json"
# The folder of archived tables in the folder of tables; its name is not the id of a table.
ARCHIVE = "archive"
_ID = re.compile(r"[a-z2-7-]{16,40}")
_RECORD = re.compile(r"game-([1-9]\d{0,8})\.jsonl")
_PROGRESS = msgspec.json.Decoder(ProgressFile)
_CHAT = msgspec.json.Decoder(ChatMessage)


class TableStore:
    """Reads and writes the folders of tables in `folder`; a table's id is the name of its folder.

    `files`: the file of each table by id, without archived tables. `unreadable`: the errors of
    tables that cannot be read.
    Methods raise RecordError if a file cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, TableFile] = {}
        self.unreadable: list[RecordError] = []

    def open(self) -> None:
        """Read the files of all tables; skip files that cannot be read."""
        with record_access(self.folder, "written"):
            self.folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        for table in self._tables():
            try:
                self.files[table] = self.load(table)
            except RecordError as error:
                self.unreadable.append(error)

    def create(self, file: TableFile) -> None:
        """Write the folder of a new table."""
        with record_access(self._folder_of(file.table), "written"):
            self.folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            self._folder_of(file.table).mkdir(mode=PRIVATE)
        self.save(file)
        with record_access(self.folder, "written"):
            sync_folder(self.folder)

    def save(self, file: TableFile) -> None:
        """Replace the file of a table and sync it to disk."""
        path = self._folder_of(file.table) / TABLE_FILE
        with record_access(path, "written"):
            replace_text(path, encode_table(file))
        self.files[file.table] = file

    def load(self, table: str) -> TableFile:
        """Return the file of a table."""
        return _read_table(self._folder_of(table) / TABLE_FILE)

    def record(self, table: str, number: int) -> Path:
        """Return the path of the record of a game (`number` is 1-based)."""
        return self._folder_of(table) / f"game-{number}.jsonl"

    def find_record(self, table: str, number: int) -> Path:
        """Return the path of a record, in the archive if the table is there."""
        path = self.record(table, number)
        return path if table in self.files else self.folder / ARCHIVE / table / path.name

    def page(self, table: str, number: int) -> Path:
        """Return the path of the page of a finished game."""
        return self._folder_of(table) / f"game-{number}.html"

    def drop_records_after(self, table: str, number: int) -> None:
        """Delete records of games after game `number`, the last game in the table's file.

        They were never published, because the server was killed before it wrote the table's file.
        """
        with record_access(self._folder_of(table), "written"):
            for path in self._folder_of(table).iterdir():
                match = _RECORD.fullmatch(path.name)
                if match and int(match[1]) > number:
                    path.unlink()

    def delete(self, table: str) -> None:
        """Delete a table with all its files."""
        with record_access(self._folder_of(table), "written"), suppress(FileNotFoundError):
            # Delete this file first: after a kill the rest is not a table.
            (self._folder_of(table) / TABLE_FILE).unlink()
            shutil.rmtree(self._folder_of(table))
        self.files.pop(table, None)

    def archive(self, table: str) -> None:
        """Move the folder of a table with all its files into the archive."""
        archive = self.folder / ARCHIVE
        with record_access(self._folder_of(table), "moved"):
            archive.mkdir(mode=PRIVATE, exist_ok=True)
            if (archive / table).exists():
                # The host has put a copy of the folder back, so the archive has an earlier version.
                old = numbered_paths(archive, table, "")
                (archive / table).rename(next(path for path in old if not path.exists()))
            self._folder_of(table).rename(archive / table)
        self.files.pop(table, None)
        self._sync_move()

    def is_archived(self, table: str) -> bool:
        """Return whether the archive has a table; any text of a client may be its id."""
        return bool(_ID.fullmatch(table)) and (self.folder / ARCHIVE / table / TABLE_FILE).is_file()

    def load_archived(self, table: str) -> TableFile:
        """Return the file of an archived table."""
        return _read_table(self.folder / ARCHIVE / table / TABLE_FILE)

    def restore(self, table: str) -> TableFile:
        """Move an archived table back, and return its file."""
        file = self.load_archived(table)
        with record_access(self.folder / ARCHIVE / table, "moved"):
            (self.folder / ARCHIVE / table).rename(self._folder_of(table))
        self.files[table] = file
        self._sync_move()
        return file

    def chat(self, table: str) -> ChatMessage:
        """Return the last lines of the chat, or none if they cannot be read."""
        try:
            return _CHAT.decode(read_within(self._folder_of(table) / CHAT_FILE, MOST_TABLE_FILE))
        except (OSError, ValueError, LimitError):
            return ChatMessage(since=0, lines=())

    def save_chat(self, table: str, lines: ChatMessage) -> None:
        """Replace the last lines of the chat."""
        self._write(self._folder_of(table) / CHAT_FILE, msgspec.json.encode(lines))

    def progress(self, table: str) -> ProgressFile:
        """Return the saved clock times of a table's game, or empty ones if they cannot be read."""
        try:
            return _PROGRESS.decode(
                read_within(self._folder_of(table) / PROGRESS_FILE, MOST_TABLE_FILE)
            )
        except (OSError, ValueError, LimitError):
            return ProgressFile()

    def save_progress(self, table: str, file: ProgressFile) -> None:
        """Replace the saved clock times of a table's game."""
        self._write(self._folder_of(table) / PROGRESS_FILE, msgspec.json.encode(file))

    def _write(self, path: Path, data: bytes) -> None:
        # Not synced: a power failure may lose a line of the chat or the time of a turn.
        with record_access(path, "written"):
            new = path.with_name(f"{path.name}.new")
            new.write_bytes(data)
            new.replace(path)

    def _sync_move(self) -> None:
        # After a power failure the table is in one of both folders, so an error is harmless.
        with suppress(OSError):
            sync_folder(self.folder / ARCHIVE)
            sync_folder(self.folder)

    def _folder_of(self, table: str) -> Path:
        return self.folder / table

    def _tables(self) -> Iterator[str]:
        """Yield the ids of all tables, and delete folders of incomplete tables."""
        with record_access(self.folder, "read"):
            folders = sorted(path for path in self.folder.iterdir() if _ID.fullmatch(path.name))
        for path in folders:
            # An unreadable folder affects only its table.
            with suppress(OSError):
                path.chmod(PRIVATE)  # an earlier version made folders that all users may open
                if (path / TABLE_FILE).is_file():
                    yield path.name
                elif path.is_dir() and not any(path.glob("*.jsonl")):
                    # The server was killed before it wrote the file, so its maker does not know
                    # this table.
                    shutil.rmtree(path, ignore_errors=True)


def _read_table(path: Path) -> TableFile:
    with record_access(path, "read"):
        try:
            return decode_table(read_within(path, MOST_TABLE_FILE))
        except (ValueError, LimitError) as error:
            raise RecordError(f"{path}: {error}") from error
