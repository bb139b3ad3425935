"""Encode games as records: JSON Lines, append-only, flushed after every line."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, TextIO

from cardhub.base.errors import RecordError, RecordExistsError
from cardhub.base.errors.quoting import in_json
from cardhub.base.files import record_access, sync, sync_folder
from cardhub.model.table.state import CHANCE, OVER
from cardhub.play.history_entries import (
    Dealt,
    EditionChanged,
    Ended,
    Entry,
    Hinted,
    Noted,
    Seated,
    Shuffled,
    Taken,
    TakenBack,
    Undone,
)
from cardhub.play.records.header import write_faces
from cardhub.play.referee import Referee
from cardhub.play.seating import Player

# The version of the record format, the value of `cardhub_record` in the first line.
FORMAT = 1
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "))
# Writes the data of an open file to disk, as `files.sync`.
Sync = Callable[[IO[bytes]], object]
BUSY = "this game is being played in another terminal; leave it there first"


def line_of(referee: Referee[Any], entry: Entry) -> dict[str, Any]:
    """Return an entry of a game as the dict for a line of its record."""
    game = referee.game
    match entry:
        case Dealt():
            return _header(referee, entry)
        case Taken(seat, _, notation):
            return {"seat": "chance" if seat == CHANCE else seat, "action": notation}
        case Shuffled(outcome):
            return {"seat": "chance", "shuffle": write_faces(game, outcome.faces, outcome.backs)}
        case Undone(seat):
            return {"seat": seat, "undo": 1}
        case TakenBack(seat, count, agreed, answers, is_anew):
            line = {"seat": seat, "takeback": count, "agreed": list(agreed)}
            line |= {"chance": "anew"} if is_anew else {}
            return line | ({"answers": list(answers)} if answers else {})
        case Ended(scores, places, returns, sides):
            line = {"scores": list(scores), "places": list(places), "returns": list(returns)}
            line |= {"sides": list(sides)} if sides else {}
            return line | ({"reveal": referee.seed} if referee.commitment else {})
        case _:
            return _stateless(entry)


def _stateless(entry: Hinted | Seated | Noted | EditionChanged) -> dict[str, Any]:
    """Return the line of an entry that does not change the state."""
    match entry:
        case Hinted(seat, bot):
            return {"seat": seat, "hint": bot}
        case Seated(seat, player, agreed, by):
            line = {"seat": seat, "player": _player(player)}
            line |= {"agreed": list(agreed)} if agreed else {}
            return line | ({"by": by} if by is not None else {})
        case Noted(seat, note):
            return {"seat": seat, "note": note}
        case EditionChanged(edition, changes):
            return {"edition": edition._asdict(), "changes": list(changes)}


def _header(referee: Referee[Any], dealt: Dealt) -> dict[str, Any]:
    game, deal = referee.game, dealt.deal
    return {
        "cardhub_record": FORMAT,
        "game": game.name,
        "version": game.version,
        "options": dict(referee.settings),
        "players": [_player(player) for player in referee.first_players],
        "seed": referee.seed,
        **({"commitment": referee.commitment} if referee.commitment else {}),
        **({"played_on": referee.played_on._asdict()} if referee.played_on else {}),
        **({"edition": referee.edition._asdict()} if referee.edition else {}),
        **({} if referee.helps else {"helps": False}),
        "deal": write_faces(game, deal.faces, deal.backs),
    }


def _player(player: Player) -> dict[str, str]:
    return {"name": player.name, "kind": player.kind}


def create_record(path: Path) -> TextIO:
    """Create the file of a new record, and return it open for writing.

    Raises RecordExistsError if the file exists, and RecordError if it cannot be created.
    """
    # Created exclusively: of two programs that begin the same record, one fails.
    with record_access(path, "written"):
        try:
            return path.open("x", encoding="utf-8", newline="\n")
        except FileExistsError:
            message = f"{path} exists already: a record is never overwritten"
            raise RecordExistsError(message) from None


def record_to(referee: Referee[Any], path: Path, later: Sync | None = None) -> None:
    """Start a new record of a game.

    Raises RecordExistsError if the file exists, and RecordError if it cannot be created. `later`
    syncs the file after further lines that concern people, except at the end of the game.
    """
    create_record(path).close()
    file = _RecordFile(referee, path)
    try:
        for entry in referee.entries:
            file.append(entry)
    except RecordError:
        path.unlink()  # a record without a complete header cannot be read
        raise
    file.sync = later or sync
    referee.subscribe(file.append)
    # Without this the name of the new file could be lost with the power, and the record with it.
    with record_access(path, "written"):
        sync_folder(path.parent)


def continue_record(
    referee: Referee[Any], path: Path, size: int, later: Sync | None = None
) -> None:
    """Append to a record after its first `size` bytes, complete lines; raises RecordError.

    `later` is as in `record_to`.
    """
    # An incomplete line after a kill is overwritten, because the next line must not be joined to
    # it.
    with record_access(path, "written"), path.open("r+b") as file:
        file.truncate(size)
    record = _RecordFile(referee, path)
    record.sync = later or sync
    referee.subscribe(record.append)


def as_record(referee: Referee[Any]) -> str:
    """Return the record of a game up to its last entry."""
    return "".join(as_line(line_of(referee, entry)) for entry in referee.entries)


def as_line(line: Mapping[str, Any]) -> str:
    """Encode a line of a record as a string; equal content gives equal bytes."""
    return in_json(_ENCODER.encode(line)) + "\n"


class _RecordFile:
    """Appends entries to a file; raises RecordError if it cannot be written, from then on always.

    A line after an incomplete one could not be read, and a line after a gap would be wrong.
    """

    def __init__(self, referee: Referee[Any], path: Path) -> None:
        self._referee = referee
        self._path = path
        self._is_settled = True
        self._failure: RecordError | None = None
        self.sync: Sync = sync

    def append(self, entry: Entry) -> None:
        """Encode an entry and write it as a line."""
        if self._failure is not None:
            raise self._failure
        # A sync takes up to 10 ms, too long for every action of a bot: these need not survive a
        # power failure. After and before an action of a person, and at the end, the file is synced.
        referee, was_settled, seat = self._referee, self._is_settled, self._referee.seat
        self._is_settled = seat == OVER or (seat >= 0 and referee.players[seat].is_human)
        line = as_line(line_of(referee, entry))
        try:
            # Closed after each line: then a kill of the program does not lose lines.
            with record_access(self._path, "written"), self._path.open("ab") as file:
                file.write(line.encode())
                if seat == OVER:
                    sync(file)  # at once, as other files may tell of the end
                elif was_settled or self._is_settled:
                    self.sync(file)
        except RecordError as error:
            self._failure = error
            raise
