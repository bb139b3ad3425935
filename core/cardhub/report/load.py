"""Loading the result of a match, also of one that was broken off."""

from pathlib import Path

from cardhub.analysis import analyse
from cardhub.analysis.schema import MatchResult
from cardhub.match.blocks import Games
from cardhub.match.log.log_reader import GAMES, RESULT, file_digest, read_json
from cardhub.match.log.lookup import match_in
from cardhub.match.log.result_file import load_result, result_of
from cardhub.match.provenance import clocked
from cardhub.match.run.runner import NullWatcher, caught_up
from cardhub.plugins.registry import PluginRegistry


def result_in(folder: Path, registry: PluginRegistry) -> MatchResult:
    """Return `result.json`, or its contents if the match were left now.

    The latter if there is no file, or if it does not belong to the log. Raises MatchError.
    """
    match = match_in(folder)
    if _is_current(folder):
        return written_result(folder)
    course = caught_up(match, Games(match, registry.directories), folder, NullWatcher())
    return result_of(match, course, folder, clocked(match, registry), analyse)


def written_result(folder: Path) -> MatchResult:
    """Return `result.json` as it was written; raises MatchError."""
    return load_result(folder, MatchResult)


def _is_current(folder: Path) -> bool:
    """Return whether `result.json` has statistics, and belongs to the log as it is now."""
    path = folder / RESULT
    if not path.exists():
        return False
    found = read_json(path)
    statistics = found.get("statistics")
    is_whole = isinstance(statistics, dict) and "games" in statistics
    return is_whole and found.get("games_sha256") == file_digest(folder / GAMES)
