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
    TEAMS,
    TIMING,
    explained,
    fault_path,
    read_header,
)
from cardhub.lab.match.match_spec import FORMAT, Match, canonical, digest, identity_of, plain_json
from cardhub.lab.match.task import GameResult, Played, Timing

# fsync takes at most 1/SHARE of the time.
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
        # One unbuffered write for all lines. On a full disk the partial write is truncated, because
        # the file must end with a whole line.
        size = self._file.seek(0, os.SEEK_END)
        unwritten = memoryview("".join(f"{line}\n" for line in lines).encode())
        try:
            while unwritten:
                unwritten = unwritten[self._file.write(unwritten) or 0 :]
        except OSError:
            with suppress(OSError):
                self._file.truncate(size)
            raise
        self._is_behind = self._is_synced
        if self._is_behind and monotonic() >= self._due:
            self._sync()

    def _sync(self) -> None:
        # fsync takes milliseconds, as long as several short games, so the next is due only when
        # SHARE times its duration has passed. A power failure may cost the blocks since then.
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
        self._buffer: list[Played] = []

    @property
    def is_behind(self) -> bool:
        """Whether the buffer has games to write."""
        return bool(self._buffer)

    def hold(self, played: Played) -> None:
        """Buffer the next game until its block is committed."""
        self._buffer.append(played)

    def commit(self) -> None:
        """Write the buffered games; raises MatchError if they cannot be written."""
        # Fault files are written first, because every fault in the log must have its file.
        with explained(self.folder):
            for result, reproductions in ((p.result, p.reproductions) for p in self._buffer):
                for note, reproduction in zip(result.faults, reproductions, strict=True):
                    path = fault_path(self.folder, result.id, note.seat)
                    path.parent.mkdir(exist_ok=True)
                    replace_file(path, json.dumps(reproduction, indent=1, sort_keys=True) + "\n")
            for played in self._buffer:
                self._write_remarks(played)
            self._games.append(*(log_line(played.result) for played in self._buffer))
            self._timing.append(*(log_line(played.timing) for played in self._buffer))
        self._buffer.clear()

    def _write_remarks(self, played: Played) -> None:
        """Write what the programs of teams wrote to stderr, each for its own team."""
        for seat, text in played.remarks.items():
            path = remarks_path(self.folder, played.result, seat)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")

    def drop_last(self, games: int) -> None:
        """Remove the last games, of a block that is played anew; raises MatchError."""
        path = self.folder / GAMES
        with explained(path), path.open("r+b") as file:
            lines = file.read().splitlines(keepends=True)
            file.truncate(sum(map(len, lines[: len(lines) - games])))
            sync(file)

    def set_aside(self, played: Played) -> None:
        """Write a game that does not count to `after_stop.jsonl`."""
        line = to_builtins(played.result) | {"after_stop": True}
        with explained(self.folder), closing(Lines(self.folder / AFTER_STOP)) as file:
            file.append(canonical(line))


def remarks_path(folder: Path, result: GameResult, seat: int) -> Path:
    """Return the path of what the bot of a seat wrote to stderr in a game."""
    return folder / TEAMS / result.seats[seat] / "stderr" / f"{result.id}-{seat}.txt"


@contextmanager
def open_log(folder: Path, header: Mapping[str, Any]) -> Iterator[Log]:
    """Open the log of a match, given its header, in a folder that is `reserved`.

    An incomplete last line is removed. Raises MatchError if the folder has another match.
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
    header = {"cardhub_match": FORMAT, "match": identity, "sha256": digest(identity)} | {
        "versions": versions
    }
    return header | ({"absent": dict(match.absent)} if match.absent else {})


def _begin_or_check(folder: Path, header: Mapping[str, Any]) -> None:
    # Bytes are compared, not data: any other header means other games. A header is incomplete if
    # the match was killed before its first game.
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
        size = file.seek(0, os.SEEK_END)
        end = size
        while end > 0:
            start = max(0, end - CHUNK)
            file.seek(start)
            index = file.read(end - start).rfind(b"\n")
            if index >= 0:
                end = start + index + 1
                break
            end = start
        if end < size:
            file.truncate(end)


def _difference(folder: Path, header: Mapping[str, Any]) -> str:
    # Encoded and decoded, because tuples are lists in JSON.
    before, header = read_header(folder), json.loads(canonical(header))
    choose = "choose another folder with --out"
    if before.get("sha256") != header["sha256"]:
        keys = _different(before.get("match", {}), header["match"])
        return f"{folder} holds another match (see {keys}): {choose}"
    keys = _different(before.get("versions", {}), header["versions"])
    changed = f"{keys} changed since this match began in {folder}"
    return f"{changed}: its games would not be comparable; {choose}"


def _different(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    keys = []
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if isinstance(old, dict) and isinstance(new, dict) and old != new:
            keys.append(f"{key} ({_different(old, new)})")
        elif old != new:
            keys.append(key)
    return ", ".join(keys) or "its first line"


def _refuse_files_without_log(folder: Path) -> None:
    if (folder / GAMES).exists():
        return
    others = [name for name in (TIMING, AFTER_STOP, RESULT, FAULTS) if (folder / name).exists()]
    if others:
        raise MatchError(
            f"{folder} has {others[0]} but no {GAMES}; cardhub does not overwrite files: choose "
            "another folder with --out"
        )
