"""Writing the log of a match: durable appends, atomic replacement, and the lock of its folder."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from msgspec import to_builtins

from cardhub.base.errors import MatchError, RecordError
from cardhub.base.files import replace_text, reserve, sync, sync_folder
from cardhub.lab.match.log.log_reader import (
    AFTER_STOP,
    FAULTS,
    GAMES,
    RESULT,
    TIMING,
    explained,
    fault_path,
    read_header,
)
from cardhub.lab.match.match_json import FORMAT, canonical, digest, identity_of, plain_json
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.task import GameResult, Played, Timing

# At most one part in SHARE of the time is spent on fsync.
SHARE = 50
CHUNK = 1 << 16
BUSY = "this match is being played by another program; wait for it, or stop it there"


def log_line(written: GameResult | Timing) -> str:
    """Encode a game as a line of a log without its line end; equal games give equal bytes."""
    if isinstance(written, GameResult):
        return plain_json(written).decode()
    return canonical(to_builtins(written))


class Lines:
    """Append-only file of whole lines.

    A partial write is truncated. With `is_synced`, lines are synced to disk by `append` or, if
    that would exceed the share of time for fsync, by a later `append` or by `close`.
    """

    def __init__(self, path: Path, *, is_synced: bool = False) -> None:
        self._file = path.open("ab", buffering=0)
        self._is_synced = is_synced
        self._is_behind = False
        self._due = 0.0

    def close(self) -> None:
        """Sync the file if that is still due, and close it."""
        with self._file:
            if self._is_behind:
                self._sync()

    def append(self, *lines: str) -> None:
        """Write lines, given without line ends; raises OSError unless all are written."""
        # One unbuffered write for all lines; on a full disk the partial write is taken back, so
        # that the file always ends with a whole line.
        size = self._file.seek(0, os.SEEK_END)
        left = memoryview("".join(f"{line}\n" for line in lines).encode())
        try:
            while left:
                left = left[self._file.write(left) or 0 :]
        except OSError:
            with suppress(OSError):
                self._file.truncate(size)
            raise
        self._is_behind = self._is_synced
        if self._is_behind and monotonic() >= self._due:
            self._sync()

    def _sync(self) -> None:
        # fsync takes milliseconds, as long as several short games: after one, the next is due only
        # when SHARE times its duration has passed. A power failure may cost the blocks since then.
        begun = monotonic()
        sync(self._file)
        self._is_behind = False
        self._due = monotonic() + SHARE * (monotonic() - begun)


def replace_file(path: Path, text: str) -> None:
    """Replace a file atomically and sync it to disk; raises MatchError."""
    with explained(path):
        replace_text(path, text)


class Log:
    """Log opened for appending, by `open_log`."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._games = stack.enter_context(closing(Lines(folder / GAMES, is_synced=True)))
        self._timing = stack.enter_context(closing(Lines(folder / TIMING)))
        self._held: list[Played] = []

    @property
    def is_behind(self) -> bool:
        """Whether the buffer has games that are not written yet."""
        return bool(self._held)

    def hold(self, played: Played) -> None:
        """Buffer the next game until its block is committed."""
        self._held.append(played)

    def commit(self) -> None:
        """Write the buffered games; raises MatchError if they cannot be written."""
        # Fault files come first, so that every fault in the log has its file.
        with explained(self.folder):
            for result, reproductions in ((p.result, p.reproductions) for p in self._held):
                for note, reproduction in zip(result.faults, reproductions, strict=True):
                    self._keep(fault_path(self.folder, result.id, note.seat), reproduction)
            self._games.append(*(log_line(played.result) for played in self._held))
            self._timing.append(*(log_line(played.timing) for played in self._held))
        self._held.clear()

    def set_aside(self, played: Played) -> None:
        """Write a game that does not count to `after_stop.jsonl`."""
        line = to_builtins(played.result) | {"after_stop": True}
        with explained(self.folder), closing(Lines(self.folder / AFTER_STOP)) as file:
            file.append(canonical(line))

    def _keep(self, path: Path, reproduction: Mapping[str, Any]) -> None:
        path.parent.mkdir(exist_ok=True)
        replace_file(path, json.dumps(reproduction, indent=1, sort_keys=True) + "\n")


@contextmanager
def open_log(folder: Path, header: Mapping[str, Any]) -> Iterator[Log]:
    """Open the log of a match, given its header, in a folder that is `reserved`.

    An incomplete last line is dropped. Raises MatchError if the folder has another match.
    """
    with ExitStack() as stack:
        with explained(folder):
            _begin_or_check(folder, header)
            log = Log(folder, stack)
        yield log


@contextmanager
def reserved(folder: Path) -> Iterator[None]:
    """Lock the folder of a match for this process; create it if it is missing.

    Raises MatchError if another process holds the lock, or if the folder has unrelated files.
    """
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_files_without_log(folder)
        (folder / GAMES).touch()  # the lock is on this file
    with locked(folder / GAMES, BUSY):
        yield


@contextmanager
def locked(path: Path, busy: str, *, is_new: bool = False) -> Iterator[None]:
    """Lock a file of a match as `reserve` does; raises MatchError, saying `busy`."""
    with ExitStack() as stack:
        # Only the lock's own error becomes a MatchError, not one of the block.
        try:
            stack.enter_context(reserve(path, busy, is_new=is_new))
        except RecordError as error:
            raise MatchError(str(error)) from error
        yield


def header_of(match: Match, versions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the header of a match's log."""
    identity = identity_of(match)
    return {"cardhub_match": FORMAT, "match": identity, "sha256": digest(identity)} | {
        "versions": versions
    }


def _begin_or_check(folder: Path, header: Mapping[str, Any]) -> None:
    # Equal bytes, not equal data: any other header means other games. An incomplete header is that
    # of a match that was killed before its first game.
    path, line = folder / GAMES, canonical(header).encode() + b"\n"
    with path.open("rb") as file:
        first = file.readline()
    if line.startswith(first) and not first.endswith(b"\n"):
        with path.open("wb") as file:
            file.write(line)
            sync(file)
        sync_folder(folder)
    elif first != line:
        raise MatchError(_difference(folder, header))
    for name in (GAMES, TIMING, AFTER_STOP):
        drop_incomplete_line(folder / name)


def drop_incomplete_line(path: Path) -> None:
    """Truncate a file after its last whole line, if it exists; raises OSError."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        # Read backwards in chunks: logs may have gigabytes, incomplete lines at most one block.
        end = file.seek(0, os.SEEK_END)
        kept = end
        while kept > 0:
            start = max(0, kept - CHUNK)
            file.seek(start)
            found = file.read(kept - start).rfind(b"\n")
            if found >= 0:
                kept = start + found + 1
                break
            kept = start
        if kept < end:
            file.truncate(kept)


def _difference(folder: Path, header: Mapping[str, Any]) -> str:
    # The header as it would be read: tuples are lists in JSON.
    before, header = read_header(folder), json.loads(canonical(header))
    choose = "choose another folder with --out"
    if before.get("sha256") != header["sha256"]:
        keys = _different(before.get("match", {}), header["match"])
        return f"{folder} holds another match (see {keys}): {choose}"
    keys = _different(before.get("versions", {}), header["versions"])
    changed = f"{keys} changed since this match began in {folder}"
    return f"{changed}: its games would not be comparable; {choose}"


def _different(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    found = []
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict) and old != new:
            found.append(f"{key} ({_different(old, new)})")
        elif old != new:
            found.append(key)
    return ", ".join(found) or "its first line"


def _refuse_files_without_log(folder: Path) -> None:
    if (folder / GAMES).exists():
        return
    others = [name for name in (TIMING, AFTER_STOP, RESULT, FAULTS) if (folder / name).exists()]
    if others:
        raise MatchError(
            f"{folder} has {others[0]} but no {GAMES}: no file is overwritten, choose another "
            "folder with --out"
        )
