"""The folder of saved games."""

import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs

from cardhub.base.errors import RecordError
from cardhub.base.files import numbered_paths
from cardhub.play.referee import Referee


def home() -> Path:
    """Return the folder of cardhub's own files; CARDHUB_HOME overrides it."""
    override = os.environ.get("CARDHUB_HOME")
    return Path(override) if override else platformdirs.user_state_path("cardhub")


def save_paths(referee: Referee[Any]) -> Iterator[Path]:
    """Return paths for a record, named after date and game, without end; raises RecordError."""
    # Without the seed: fault files, which are sent to authors of bots, get names like this one.
    folder = home() / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(
            f"games cannot be saved in {folder}: {error.strerror}. Name a file with --record, "
            "or another folder with CARDHUB_HOME"
        ) from error
    # Windows does not allow colons in file names.
    game = "-".join(re.findall(r"[\w-]+", referee.game.name))
    stem = f"{datetime.now():%Y-%m-%dT%H-%M-%S}_{game}"
    return numbered_paths(folder, stem, ".jsonl")


def saved_games(folder: Path | None = None) -> list[Path]:
    """Return the paths of all saved games, most recently played first.

    `folder` is `games` in `home()` by default.
    """
    paths = (folder or home() / "games").glob("*.jsonl")
    return sorted(paths, key=lambda path: (last_change(path), path.name), reverse=True)


def check_saves() -> None:
    """Check that the folder of saved games exists or can be created; raises RecordError."""
    for path in (home(), home() / "games"):
        if path.exists() and not path.is_dir():
            raise RecordError(f"{path} is not a folder. fix: name another one with CARDHUB_HOME")


def last_change(path: Path) -> int:
    """Return when a file was last written, in nanoseconds since the epoch; 0 if it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0  # a dangling link, or deleted meanwhile
