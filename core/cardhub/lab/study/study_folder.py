"""The folder of a study: its match files, their logs, and the result."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path

import msgspec

from cardhub.base.errors import MatchError
from cardhub.base.files import LimitError, read_within
from cardhub.lab.match.blocks import Games, count_games
from cardhub.lab.match.log.log_reader import GAMES, explained, read_games
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.task import GameResult
from cardhub.lab.study.study_request import StudyPart, StudyRequest, study_parts
from cardhub.lab.study.study_schema import FORMAT, STUDY, StudyResult
from cardhub.plugins.registry import PluginRegistry

MATCH_FILE, PAGE = "match.yaml", "study.html"
# Maximum size of a result in bytes.
MOST_BYTES = 50_000_000
ELSEWHERE = "choose another folder with --out"


def prepare(
    folder: Path, request: StudyRequest, registry: PluginRegistry
) -> list[tuple[Path, Match]]:
    """Write the match files of a study and return its matches, each with its folder.

    Raises CardhubError; MatchError if the folder has another study.
    """
    parts = study_parts(request, registry)
    for part in parts:
        _check_same(folder / part.name, part)
    matches = []
    for part in parts:
        part_folder = folder / part.name
        with explained(part_folder):
            part_folder.mkdir(parents=True, exist_ok=True)
        replace_file(part_folder / MATCH_FILE, part.text)
        matches.append((part_folder, read_match(part_folder / MATCH_FILE, registry)))
    return matches


def _check_same(folder: Path, part: StudyPart) -> None:
    with explained(folder), suppress(FileNotFoundError):
        before = (folder / MATCH_FILE).read_text("utf-8")
        # The last line has the number of deals, which may grow.
        if (folder / GAMES).exists() and before.splitlines()[:-1] != part.text.splitlines()[:-1]:
            problem = "has a study with other bots, options, players or another seed"
            raise MatchError(f"{folder.parent} {problem}\nfix: {ELSEWHERE}")


def whole_blocks(folder: Path, match: Match) -> Iterator[list[GameResult]]:
    """Yield the games of each whole block in the log of a match; raises MatchError."""
    if not (folder / GAMES).exists():
        return
    games = Games(match)
    logged = (result for _, result in read_games(folder))
    for (contest, _, bots), block in groupby(logged, lambda r: (r.contest, r.deal, r.bots)):
        results = list(block)
        if len(results) == games.size(contest, bots):
            yield results


def is_whole(folder: Path, match: Match) -> bool:
    """Return whether all games of a match are in its log."""
    if not (folder / GAMES).exists():
        return False
    return sum(1 for _ in read_games(folder)) >= count_games(match)


def write_study(folder: Path, result: StudyResult) -> Path:
    """Write `study.json`, and return its path; raises MatchError."""
    text = msgspec.json.format(msgspec.json.encode(result), indent=1).decode()
    replace_file(folder / STUDY, text + "\n")
    return folder / STUDY


def read_study(folder: Path) -> StudyResult:
    """Decode the result in the folder of a study; raises MatchError."""
    path = folder / STUDY
    fix = f"fix: cardhub study GAME --out {folder}"
    try:
        result = msgspec.json.decode(read_within(path, MOST_BYTES), type=StudyResult)
    except FileNotFoundError as error:
        raise MatchError(f"{path}: there is no study in this folder\n{fix}") from error
    except (OSError, LimitError, msgspec.MsgspecError) as error:
        raise MatchError(f"{path}: this is not the result of a study: {error}\n{fix}") from error
    if result.cardhub_study != FORMAT:
        problem = f"the file has version {result.cardhub_study}, not {FORMAT}"
        raise MatchError(f"{path}: {problem}\n{fix}")
    return result
