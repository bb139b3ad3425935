"""Lookup of the match, single games and fault files in the folder of a match."""

import re
from dataclasses import replace
from pathlib import Path

from cardhub.base.errors import MatchError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.lab.match.blocks import Block, seeds_of
from cardhub.lab.match.log.log_reader import (
    DERIVED,
    FAULTS,
    GAMES,
    RESULT,
    fault_path,
    read_games,
    read_header,
    read_json,
)
from cardhub.lab.match.match_spec import Match, digest, match_of
from cardhub.lab.match.secret import known_salt
from cardhub.lab.match.task import GameResult

MOST_NAMED = 5
# File names written by `fault_path`.
FAULT_NAME = re.compile(r"(?P<game>[0-9a-f]+)-(?P<seat>[0-9]+)\.fault\.json")


def match_in(folder: Path) -> Match:
    """Return the match in a folder, from `result.json` or else from the log's header.

    The header lacks the number of blocks and the rating rules, so these have default values. The
    secret is included if the folder has it. Raises MatchError.
    """
    header, path = read_header(folder), folder / RESULT
    if not path.exists():
        absent = header.get("absent", {})
        return _with_secret(match_of({**header["match"], "absent": absent}), folder)
    result = read_json(path)
    # The digest detects damaged and edited files.
    spec = result.get("spec")
    if not isinstance(spec, dict) or result.get("spec_sha256") != digest(spec):
        raise MatchError(f"{path}: spec: its SHA-256 differs from spec_sha256; {DERIVED}")
    return _with_secret(match_of(spec), folder)


def _with_secret(match: Match, folder: Path) -> Match:
    salt = match.salt and known_salt(folder, match.salt.sha256)
    return replace(match, salt=salt)


def find_game(folder: Path, name: str) -> GameResult:
    """Return the game whose id starts with `name`; raises MatchError unless it is unique."""
    games = [game for _, game in read_games(folder) if game.id.startswith(name)]
    if len(games) == 1:
        return games[0]
    if games:
        listed = ", ".join(game.id for game in games[:MOST_NAMED])
        more = ", ..." if len(games) > MOST_NAMED else ""
        raise MatchError(f"{len(games)} game ids start with {name!r}: {listed}{more}")
    # A second pass in the rare case of an error takes less memory than all ids.
    ids = (game.id for _, game in read_games(folder))
    raise MatchError(f"{folder / GAMES} has no game {name!r}.{did_you_mean(name, ids)}")


def fault_of(folder: Path, game: GameResult, seat: int | None = None) -> Path:
    """Return the fault file of a game, by seat or else of the first fault.

    Raises MatchError.
    """
    notes = [note for note in game.faults if seat in (None, note.seat)]
    if not notes:
        where = "" if seat is None else f" at seat {seat}"
        seats = ", ".join(f"seat {note.seat}" for note in game.faults)
        other = f"; the faults were at {seats}" if seats else ""
        raise MatchError(f"no bot was at fault in game {game.id}{where}{other}")
    path = fault_path(folder, game.id, notes[0].seat)
    if not path.exists():
        raise MatchError(f"{path} is missing")
    return path


def generator_of(fault: Path) -> str | None:
    """Return the seed of the rng of the bot in a fault file.

    It is derived from the match in whose folder the file is; None if the file is outside the folder
    of a match. Raises MatchError if that match does not have the game.
    """
    path = fault.absolute()
    folder, name = path.parent.parent, FAULT_NAME.fullmatch(path.name)
    if path.parent.name != FAULTS or name is None or not (folder / GAMES).exists():
        return None
    match, game, seat = match_in(folder), find_game(folder, name["game"]), int(name["seat"])
    seeds = seeds_of(match, Block(game.contest, game.deal, game.bots), game.seed)
    copy = game.seats[:seat].count(game.seats[seat])
    return seeds.bot(game.seats[seat], copy, game.id if match.has_seed_per_game else "")
