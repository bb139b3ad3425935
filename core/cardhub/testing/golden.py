"""Records that an author keeps beside the tests still replay, with the same scores."""

from pathlib import Path
from typing import Any

from cardhub.errors import RecordError
from cardhub.game.game import Game
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.testing.faults import ConformanceError


def records_in(folder: Path | None) -> list[Path]:
    """Return the records of a folder, in order; none if there is no such folder."""
    return sorted(folder.glob("*.jsonl")) if folder else []


def check_golden(game: Game[Any], _: None, path: Path) -> None:
    """Check that a finished record replays, line by line, to the scores that it ends with."""
    try:
        record = read_record(path)
        if record.header.game != game.name:
            raise record.wrong(1, f"this is a record of {record.header.game}, not of {game.name}")
        if not record.is_finished:
            last = record.lines[-1][0] if record.lines else 1
            raise record.wrong(last, "the game is not over, so there are no scores to compare")
        replayed(record, open_record(game, record))
    except RecordError as error:
        raise ConformanceError("golden", game.name, str(error)) from error
