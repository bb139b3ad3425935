"""Log of a match: the append-only file `games.jsonl`, and the files beside it.

`games.jsonl` is the complete state of a match. Its first line is a header that identifies the
match; each further line is a game, in the order of the schedule. The games of a block share a deal,
so they are written together, after the last of them and before the next block. `timing.jsonl` has
the data that differs from run to run. `after_stop.jsonl` has games that do not count because the
match had ended or a bot was withdrawn in the meantime; it is written once the match is over.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from cardhub.errors import MatchError, RecordError
from cardhub.files import sync, sync_folder
from cardhub.match.canonical import canonical, digest
from cardhub.match.log.disk import Lines, explained, replace_file
from cardhub.match.log.result_json import read_object, read_result, result_line, timing_line
from cardhub.match.spec import Match
from cardhub.match.spec_json import FORMAT, identity_of
from cardhub.match.task import GameResult, Played
from cardhub.play.records.locking import reserve

GAMES, TIMING, AFTER_STOP, RESULT = "games.jsonl", "timing.jsonl", "after_stop.jsonl", "result.json"
FAULTS = "faults"
CHUNK = 1 << 16
LONGEST = 1 << 24
"""Maximum length of a line of a log, in bytes."""
DERIVED = f"fix: remove it, it follows from {GAMES}"
BUSY = "this match is being played by another program; wait for it, or stop it there"


class Log:
    """Log opened for appending, by `open_log`."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._games = stack.enter_context(Lines(folder / GAMES, is_synced=True))
        self._timing = stack.enter_context(Lines(folder / TIMING))
        self._held: list[Played] = []

    @property
    def is_behind(self) -> bool:
        """Whether there are held games that are not written yet."""
        return bool(self._held)

    def hold(self, played: Played) -> None:
        """Buffer the next game until its block is committed."""
        self._held.append(played)

    def commit(self) -> None:
        """Write the buffered games; raises MatchError if they cannot be written."""
        with explained(self.folder):
            for result, reproductions in ((p.result, p.reproductions) for p in self._held):
                for note, reproduction in zip(result.faults, reproductions, strict=True):
                    self._keep(fault_path(self.folder, result.id, note.seat), reproduction)
            self._games.append(*(result_line(played.result) for played in self._held))
            self._timing.append(*(timing_line(played.timing) for played in self._held))
        self._held.clear()

    def set_aside(self, played: Played) -> None:
        """Write a game that does not count to `after_stop.jsonl`."""
        line = {**json.loads(result_line(played.result)), "after_stop": True}
        with explained(self.folder), Lines(self.folder / AFTER_STOP) as file:
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
            _begin(folder, header)
            log = Log(folder, stack)
        yield log


@contextmanager
def reserved(folder: Path) -> Iterator[None]:
    """Lock the folder of a match for this process; create it if it is missing.

    Raises MatchError if another process holds the lock, or if the folder has unrelated files.
    """
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_strange_files(folder)
        (folder / GAMES).touch()
    with ExitStack() as stack:
        try:
            stack.enter_context(reserve(folder / GAMES, BUSY))
        except RecordError as error:
            raise MatchError(str(error)) from error
        yield


def read_header(folder: Path) -> dict[str, Any]:
    """Return the header of a log; raises MatchError if it is missing or invalid."""
    path = folder / GAMES
    with explained(path), path.open("rb") as file:
        line = file.readline(LONGEST)
    try:
        header = read_object(line) if line.endswith(b"\n") else {}
    except MatchError as error:
        raise MatchError(f"{path}:1: {error}") from error
    if "cardhub_match" not in header:
        raise MatchError(f"{path}:1: not the log of a match: the first line lacks 'cardhub_match'")
    for key in ("match", "versions"):
        if not isinstance(header.get(key), dict):
            raise MatchError(f"{path}:1: {key}: missing, or no object")
    if header.get("sha256") != digest(header["match"]):
        raise MatchError(f"{path}:1: match: not what sha256 says")
    return header


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file such as `result.json`; raises MatchError."""
    with explained(path):
        text = path.read_bytes()
    try:
        return read_object(text)
    except MatchError as error:
        raise MatchError(f"{path}: {error}; {DERIVED}") from error


def read_games(folder: Path) -> Iterator[tuple[int, GameResult]]:
    """Yield the games of a log with their line numbers; raises MatchError.

    An incomplete last line is skipped.
    """
    for number, line in game_lines(folder):
        try:
            yield number, read_result(line)
        except MatchError as error:
            raise MatchError(f"{folder / GAMES}:{number}: {error}") from error


def game_lines(folder: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the undecoded lines of the games of a log with their line numbers.

    An incomplete last line is skipped. Raises MatchError.
    """
    path = folder / GAMES
    with explained(path), path.open("rb") as file:
        for number in count(1):
            line = file.readline(LONGEST)
            if len(line) == LONGEST:
                raise MatchError(f"{path}:{number}: a line of more than {LONGEST} bytes")
            if not line.endswith(b"\n"):
                return
            if number > 1:
                yield number, line[:-1]


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, read in chunks."""
    found = sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            found.update(chunk)
    return found.hexdigest()


def fault_path(folder: Path, game: str, seat: int) -> Path:
    """Return the path of a fault file, which `cardhub bot repro` reads."""
    return folder / FAULTS / f"{game}-{seat}.fault.json"


def header_of(match: Match, versions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the header of a match's log."""
    identity = identity_of(match)
    return {"cardhub_match": FORMAT, "match": identity, "sha256": digest(identity)} | {
        "versions": versions
    }


def _begin(folder: Path, header: Mapping[str, Any]) -> None:
    """Write the header of a log, or check that it is equal; drop incomplete last lines."""
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
        _drop_torn(folder / name)


def _drop_torn(path: Path) -> None:
    """Truncate a file after its last line end, if the file exists."""
    if not path.exists():
        return
    with path.open("r+b") as file:
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
    """Return the message for a folder whose log has another header."""
    before, header = read_header(folder), json.loads(canonical(header))
    choose = "choose another folder with --out"
    if before.get("sha256") != header["sha256"]:
        keys = _different(before.get("match", {}), header["match"])
        return f"{folder} holds another match (see {keys}): {choose}"
    keys = _different(before.get("versions", {}), header["versions"])
    told = f"{keys} changed since this match began in {folder}"
    return f"{told}: its games would not be comparable; {choose}"


def _different(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return the keys in which two mappings differ, nested keys in parentheses."""
    told = []
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict) and old != new:
            told.append(f"{key} ({_different(old, new)})")
        elif old != new:
            told.append(key)
    return ", ".join(told) or "its first line"


def _refuse_strange_files(folder: Path) -> None:
    """Raise MatchError if the folder has files of a match but no log."""
    if (folder / GAMES).exists():
        return
    strange = [name for name in (TIMING, AFTER_STOP, RESULT, FAULTS) if (folder / name).exists()]
    if strange:
        raise MatchError(
            f"{folder} has {strange[0]} but no {GAMES}: nothing is overwritten, choose another "
            "folder with --out"
        )
