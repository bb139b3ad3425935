"""What a match has come to so far, whether or not it was left in order."""

import json
from pathlib import Path
from typing import Any

from cardhub.analysis import analyse
from cardhub.match.blocks import Games
from cardhub.match.log.lookup import match_in
from cardhub.match.log.match_log import GAMES, RESULT, file_digest, read_json
from cardhub.match.log.result_file import result_of, result_text
from cardhub.match.provenance import clocked
from cardhub.match.run.runner import Nobody, caught_up
from cardhub.plugins.registry import PluginRegistry


def result_in(folder: Path, registry: PluginRegistry) -> dict[str, Any]:
    """Return what `result.json` says, or would say if the match were left now.

    The latter if it is not there, or not of this log. Raises MatchError.
    """
    match = match_in(folder)
    found = _written(folder)
    if found is not None:
        return found
    course = caught_up(match, Games(match, registry.directories), folder, Nobody())
    result = result_of(match, course, folder, clocked(match, registry), analyse)
    plain: dict[str, Any] = json.loads(result_text(result))
    return plain


def _written(folder: Path) -> dict[str, Any] | None:
    """Return `result.json` if it is there, and of the log as it is now."""
    path = folder / RESULT
    if not path.exists():
        return None
    found = read_json(path)
    is_current = found.get("games_sha256") == file_digest(folder / GAMES)
    statistics = found.get("statistics")
    is_whole = isinstance(statistics, dict) and "games" in statistics
    return found if is_current and is_whole else None
