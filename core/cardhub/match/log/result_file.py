"""What a match has come to, as `result.json` says it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cardhub.match.canonical import digest
from cardhub.match.log.disk import replace_file
from cardhub.match.log.match_log import GAMES, RESULT, file_digest, read_header
from cardhub.match.run.match_state import Course
from cardhub.match.spec import Match
from cardhub.match.spec_json import FORMAT, spec_of

Analyse = Callable[[Match, Path], Mapping[str, Any]]
"""Returns the statistics of a match, given the folder with its log, as data for JSON.

It is called whenever `result.json` is written; what it returns stands there under `statistics`. It
must depend on nothing but the match and the log.
"""


def no_statistics(match: Match, folder: Path) -> Mapping[str, Any]:
    """Return nothing: an Analyse for those who only count."""
    return {}


def result_of(
    match: Match, course: Course, folder: Path, unsure: list[str], analyse: Analyse
) -> dict[str, Any]:
    """Return what `result.json` holds: the same for the same match and log.

    `unsure` are the bots that may play otherwise the next time.
    """
    spec = spec_of(match)
    versions = read_header(folder)["versions"]
    return {
        "cardhub_match": FORMAT,
        "name": match.name,
        "spec": spec,
        "spec_sha256": digest(spec),
        "games_sha256": file_digest(folder / GAMES),
        "versions": versions,
        "salt": _salt(match, is_over=course.is_over),
        "is_finished": course.is_over,
        "is_reproducible": not unsure,
        "not_reproducible": unsure,
        **course.as_json(),
        "statistics": dict(analyse(match, folder)),
    }


def _salt(match: Match, *, is_over: bool) -> dict[str, str | None] | None:
    """Return what is told of the secret: its hash, and once the match is over all of it."""
    if match.salt is None:
        return None
    return {"sha256": match.salt.sha256, "revealed": match.salt.secret or None if is_over else None}


def write_result(folder: Path, result: Mapping[str, Any]) -> None:
    """Replace `result.json`."""
    replace_file(folder / RESULT, result_text(result))


def forget_result(folder: Path) -> None:
    """Remove `result.json`, if it is there."""
    (folder / RESULT).unlink(missing_ok=True)


def result_text(result: Mapping[str, Any]) -> str:
    """Return a result as it stands in the file; raises ValueError if a number is not finite."""
    told = json.dumps(result, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    return told + "\n"
