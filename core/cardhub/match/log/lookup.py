"""Single games in the folder of a match."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cardhub.errors import MatchError
from cardhub.match.canonical import digest
from cardhub.match.log.match_log import (
    DERIVED,
    FAULTS,
    GAMES,
    RESULT,
    fault_path,
    read_games,
    read_header,
    read_json,
)
from cardhub.match.secret import known_secret
from cardhub.match.seeds import seeds_of
from cardhub.match.spec import Match
from cardhub.match.spec_json import match_of
from cardhub.match.task import FaultNote, GameResult
from cardhub.suggest import did_you_mean

MOST_NAMED = 5
FAULT_NAME = re.compile(r"(?P<game>[0-9a-f]+)-(?P<seat>[0-9]+)\.fault\.json")
"""What `fault_path` calls a file."""


def match_in(folder: Path) -> Match:
    """Return the match that a folder holds, from `result.json` if there is one.

    Otherwise it has no end, and a report would be by default rules. Its secret is known as far as
    it can be read there. Raises MatchError.
    """
    header, path = read_header(folder), folder / RESULT
    if not path.exists():
        return _with_secret(match_of(header["match"]), folder)
    result = read_json(path)
    spec = result.get("spec")
    if not isinstance(spec, dict) or result.get("spec_sha256") != digest(spec):
        raise MatchError(f"{path}: spec: not what spec_sha256 says; {DERIVED}")
    return _with_secret(match_of(spec), folder)


def _with_secret(match: Match, folder: Path) -> Match:
    """Return a match with its secret, as far as it can be read in its folder."""
    salt = match.salt and known_secret(folder, match.salt.sha256)
    return replace(match, salt=salt)


def find_game(folder: Path, name: str) -> GameResult:
    """Return the game whose id begins with `name`; raises MatchError unless there is one."""
    found = [game for _, game in read_games(folder) if game.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(game.id for game in found[:MOST_NAMED])
        more = ", ..." if len(found) > MOST_NAMED else ""
        raise MatchError(f"{len(found)} games begin with {name!r}: {listed}{more}")
    ids = (game.id for _, game in read_games(folder))
    raise MatchError(f"{folder / GAMES} has no game {name!r}.{did_you_mean(name, ids)}")


def fault_of(folder: Path, game: GameResult, seat: int | None = None) -> Path:
    """Return where the fault of a game is kept, that at a seat or else the first.

    Raises MatchError.
    """
    notes = [note for note in game.faults if seat in (None, note.seat)]
    if not notes:
        where = "" if seat is None else f" at seat {seat}"
        known = f"; there was one at {_seats(game.faults)}" if game.faults else ""
        raise MatchError(f"no bot was at fault in game {game.id}{where}{known}")
    path = fault_path(folder, game.id, notes[0].seat)
    if not path.exists():
        raise MatchError(f"{path} is not there any more")
    return path


def generator_of(fault: Path) -> str | None:
    """Return what seeded the generator of the bot that a fault file of a match is about.

    It follows from the match in whose folder the file lies; None if it lies in none. Raises
    MatchError if that match has no such game.
    """
    path = fault.absolute()
    folder, found = path.parent.parent, FAULT_NAME.fullmatch(path.name)
    if path.parent.name != FAULTS or found is None or not (folder / GAMES).exists():
        return None
    match, game, seat = match_in(folder), find_game(folder, found["game"]), int(found["seat"])
    seeds = seeds_of(match, match.contest(game.contest), game.deal)
    return seeds.bot(game.seats[seat], game.seats[:seat].count(game.seats[seat]))


def _seats(notes: Iterable[FaultNote]) -> str:
    return ", ".join(f"seat {note.seat}" for note in notes)
