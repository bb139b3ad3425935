"""Reading the log of a match: the append-only file `games.jsonl`, and the files next to it.

`games.jsonl` is the complete state of a match. Its first line is a header that identifies the
match; each further line is a game, in the order of the schedule. The games of a block share a deal,
so they are written together, after the last of them and before the next block. `timing.jsonl` has
the data that differs from run to run. `after_stop.jsonl` has games that do not count because the
match had ended or a bot was withdrawn in the meantime; it is written once the match is over.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from cardhub.base.errors import MatchError
from cardhub.lab.match.match_spec import digest
from cardhub.lab.match.task import GameResult

GAMES = "games.jsonl"
# The folder with the answers of language models, which stay private.
ANSWERS = "answers"
TIMING = "timing.jsonl"
# The folder with a folder for each team.
TEAMS = "teams"
AFTER_STOP = "after_stop.jsonl"
RESULT = "result.json"
FAULTS = "faults"
# Maximum length of a line of a log, in bytes: a hostile file must not fill the memory.
LONGEST = 1 << 24
DERIVED = f"fix: remove it; it can be derived again from {GAMES}"

T = TypeVar("T")

_GAME = msgspec.json.Decoder(GameResult)
_OBJECT = msgspec.json.Decoder(dict[str, Any])


def read_header(folder: Path) -> dict[str, Any]:
    """Decode the header of a log; raises MatchError if it is missing or invalid."""
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
            raise MatchError(f"{path}:1: {key}: missing, or not an object")
    if header.get("sha256") != digest(header["match"]):
        raise MatchError(f"{path}:1: match: its SHA-256 differs from the one in sha256")
    return header


def has_header(folder: Path) -> bool:
    """Return whether the log of a folder has a whole first line; raises MatchError."""
    path = folder / GAMES
    with explained(path), path.open("rb") as file:
        return file.readline(LONGEST).endswith(b"\n")


def begun_match(folder: Path) -> dict[str, Any] | None:
    """Return the identity of the match that has begun in a folder, or None.

    It is None also for an unreadable header, which opening the log reports.
    """
    try:
        match: dict[str, Any] = read_header(folder)["match"]
    except MatchError:
        return None
    return match


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file such as `result.json`; raises MatchError."""
    with explained(path):
        text = path.read_bytes()
    try:
        return read_object(text)
    except MatchError as error:
        raise MatchError(f"{path}: {error}; {DERIVED}") from error


def has_finished(folder: Path) -> bool:
    """Return whether the match of a folder is over; raises MatchError for a damaged result."""
    path = folder / RESULT
    return path.exists() and bool(read_json(path).get("is_finished"))


def read_games(folder: Path) -> Iterator[tuple[int, GameResult]]:
    """Decode the games of a log; yield them with their line numbers. Raises MatchError.

    An incomplete last line is skipped.
    """
    for number, line in game_lines(folder):
        try:
            yield number, read_result(line)
        except MatchError as error:
            raise damaged(folder, number, str(error)) from error


def damaged(folder: Path, number: int, problem: str) -> MatchError:
    """Return the exception for a line of a log that cannot come from a match."""
    fix = (
        "restore this line, or remove it and all lines after it; their games are then played again"
    )
    return MatchError(f"{folder / GAMES}:{number}: {problem}\nfix: {fix}")


def game_lines(folder: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the encoded games of a log with their line numbers.

    An incomplete last line is skipped. Raises MatchError.
    """
    path = folder / GAMES
    with explained(path), path.open("rb") as file:
        for number in count(1):
            line = file.readline(LONGEST)
            if len(line) == LONGEST:
                raise MatchError(f"{path}:{number}: the line is longer than {LONGEST} bytes")
            # Only the last line can be incomplete, after a crash: its game is played again.
            if not line.endswith(b"\n"):
                return
            if number > 1:
                yield number, line[:-1]


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fault_path(folder: Path, game: str, seat: int) -> Path:
    """Return the path of a fault file, which `cardhub bot repro` reads."""
    return folder / FAULTS / f"{game}-{seat}.fault.json"


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Convert an OSError into a MatchError that names the file."""
    try:
        yield
    except OSError as error:
        raise MatchError(f"{error.filename or path}: {error.strerror or error}") from error


def read_result(line: str | bytes) -> GameResult:
    """Decode a line; raises MatchError, which names the invalid field."""
    game = _decode(_GAME, line)
    for problem in _contradictions(game):
        raise MatchError(problem)
    return game


def read_object(text: str | bytes) -> dict[str, Any]:
    """Decode a JSON object; raises MatchError."""
    return _decode(_OBJECT, text)


def _decode(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise MatchError(_describe_error(error)) from error


def _describe_error(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "not JSON: nested too deeply"
    # "Expected `int`, got `str` - at `$.scores[1]`" becomes "scores[1]: expected `int`, got `str`".
    message, _, path = str(error).partition(" - at `")
    place = path.removesuffix("`").removeprefix("$").removeprefix(".")
    if isinstance(error, msgspec.ValidationError):
        return f"{place or 'the line'}: {message[:1].lower()}{message[1:]}"
    return f"not JSON: {message}"


def _contradictions(game: GameResult) -> Iterator[str]:
    # Only what later code needs in order not to raise an exception; `verify` replays the game.
    seats = len(game.seats)
    if not seats:
        yield "seats: a game needs at least one seat"
    for name, values in (("scores", game.scores), ("places", game.places)):
        if len(values) != seats:
            yield f"{name}: {len(values)} values for {seats} seats"
    # With other places scores would be outside [0, 1]. The audit of blocks detects further places
    # that are not a ranking.
    covered = [place + game.places.count(place) - 1 for place in game.places]
    if seats and (min(game.places) != 1 or max(covered) > seats):
        yield f"places: {list(game.places)}: the best place is 1, and k tied seats cover k places"
    yield from _team_contradictions(game)
    if not all(seat < seats for seat in game.absent):
        yield f"absent: the seats are numbered from 0 to {seats - 1}"
    for number, note in enumerate(game.faults):
        if note.seat >= seats or game.seats[note.seat] != note.bot:
            yield f"faults[{number}]: {note.bot} is not the bot of seat {note.seat}"


def _team_contradictions(game: GameResult) -> Iterator[str]:
    if game.teams and len(game.teams) != len(game.seats):
        yield f"teams: {len(game.teams)} values for {len(game.seats)} seats"
    elif len({*zip(game.teams, game.places, strict=False)}) > len({*game.teams}):
        yield f"places: {list(game.places)}: the seats of a team must share a place"
