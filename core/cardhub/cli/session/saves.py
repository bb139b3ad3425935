"""Where games are saved by themselves, and which of them can go on."""

import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs

from cardhub.errors import RecordError
from cardhub.files import unused_path
from cardhub.play.records.reading import Record, read_record
from cardhub.play.referee import Referee


def home() -> Path:
    """Return the folder cardhub keeps its own files in; CARDHUB_HOME overrides it."""
    given = os.environ.get("CARDHUB_HOME")
    return Path(given) if given else platformdirs.user_state_path("cardhub")


def new_save(referee: Referee[Any]) -> Path:
    """Return a path that is not taken yet: date and game.

    The seed is not in it, as faults are kept under the same name for those who wrote the bots.
    """
    folder = home() / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(
            f"games cannot be saved in {folder}: {error.strerror}. Name a file with --record, "
            "or another folder with CARDHUB_HOME"
        ) from error
    game = "-".join(re.findall(r"[\w-]+", referee.game.name))  # not every system takes a colon
    stem = f"{datetime.now():%Y-%m-%dT%H-%M-%S}_{game}"
    return unused_path(folder, stem, ".jsonl")


def saved_games() -> list[Path]:
    """Return all games saved by themselves, the one played last first."""
    found = (home() / "games").glob("*.jsonl")
    return sorted(found, key=lambda path: (_last_change(path), path.name), reverse=True)


def unfinished() -> Iterator[Record | RecordError]:
    """Yield the saved games that are not over, or why one cannot be read; the last played first."""
    for path in saved_games():
        try:
            record = read_record(path)
        except RecordError as error:
            yield error
            continue
        if not record.is_finished:
            yield record


def _last_change(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0  # a dangling link, or gone meanwhile
