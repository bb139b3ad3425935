"""The files of a team: its bot, its commands, and the digest of all of them."""

import os
import shutil
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG, S_IXUSR

from msgspec import MsgspecError, Struct, json

from cardhub.base.errors import BotError
from cardhub.base.files import LimitError, read_within
from cardhub.base.writing import amount
from cardhub.lab.match.match_spec import digest

# The file with the commands of a program, in the form of MIT's pokerbots.
COMMANDS = "commands.json"
# The file with a class, if the folder has several Python files.
BOT_FILE = "bot.py"
MOST_COMMANDS = 1 << 16
# Limits of a folder, because each team is copied.
MOST_FILES, MOST_BYTES = 10_000, 200 << 20
# Folders that no build needs.
LEFT_OUT = frozenset({".git", "__pycache__"})


class Commands(Struct, frozen=True):
    """The commands of a team, as texts or as lists of words; both run in its folder."""

    run: str | tuple[str, ...]
    build: str | tuple[str, ...] = ()


def list_entries(folder: Path) -> list[Path]:
    """Return the Python files and folders in a folder, sorted, without hidden and private ones."""
    return [
        path
        for path in sorted(folder.iterdir())
        if not path.name.startswith((".", "_")) and (path.is_dir() or path.suffix == ".py")
    ]


def bot_file(folder: Path) -> Path:
    """Return the file with the class of a bot; raises BotError if it is not clear which."""
    files = sorted(folder.glob("*.py"))
    if folder / BOT_FILE in files:
        return folder / BOT_FILE
    if len(files) == 1:
        return files[0]
    raise BotError(f"it has {amount(len(files), 'Python file')}, and none of them is {BOT_FILE}")


def read_commands(folder: Path) -> Commands | None:
    """Return the commands of a folder, or None if it has no file with them; raises BotError."""
    path = folder / COMMANDS
    if not path.is_file():
        return None
    try:
        return json.decode(read_within(path, MOST_COMMANDS), type=Commands)
    except (OSError, LimitError, MsgspecError, RecursionError) as error:
        raise BotError(f"{COMMANDS} cannot be read: {error}") from error


def files_in(team: Path) -> dict[str, Path]:
    """Return the files of a team, or the only one, by their names within its folder.

    Raises BotError if there are too many, or if one is neither a plain file nor a link.
    """
    if team.is_file():
        return {team.name: team}
    files: dict[str, Path] = {}
    size = 0
    for path in _paths_in(team):
        status = path.lstat()
        name = path.relative_to(team).as_posix()
        if S_ISDIR(status.st_mode):
            continue
        if not (S_ISREG(status.st_mode) or S_ISLNK(status.st_mode)):
            raise BotError(f"{name} is no plain file")
        files[name] = path
        size += status.st_size
        if len(files) > MOST_FILES or size > MOST_BYTES:
            most = f"{MOST_FILES} files, or more than {MOST_BYTES >> 20} MB"
            raise BotError(f"its folder has more than {most}")
    return files


def _paths_in(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        yield from (Path(place, name) for name in (*folders, *names))


def files_digest(files: Mapping[str, Path]) -> str:
    """Return the SHA-256 of the names and contents of files; raises BotError."""
    return digest([(name, *_kind_and_digest(path)) for name, path in sorted(files.items())])


def _kind_and_digest(path: Path) -> tuple[str, str]:
    try:
        if path.is_symlink():
            return "link", str(path.readlink())
        kind = "program" if path.stat().st_mode & S_IXUSR else "file"
        return kind, sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BotError(f"{path.name} cannot be read: {error.strerror}") from error


def copy_files(files: Mapping[str, Path], folder: Path) -> None:
    """Copy files into a new folder, with links as links; raises BotError."""
    for name, path in files.items():
        target = folder / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target, follow_symlinks=False)
        except OSError as error:
            raise BotError(f"{name} cannot be copied: {error.strerror}") from error
