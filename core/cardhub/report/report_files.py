"""Reading the result of a match, and writing its reports beside the log."""

from collections.abc import Iterable
from pathlib import Path

from cardhub.analysis import analyse
from cardhub.analysis.schema import MatchResult
from cardhub.errors import MatchError
from cardhub.match.blocks import Games
from cardhub.match.log.log_reader import GAMES, RESULT, file_digest, read_games, read_json
from cardhub.match.log.log_writer import replace_file
from cardhub.match.log.lookup import match_in
from cardhub.match.log.result_file import load_result, result_of
from cardhub.match.provenance import clocked
from cardhub.match.run.runner import Watcher, caught_up
from cardhub.match.task import GameResult
from cardhub.plugins.registry import PluginRegistry
from cardhub.report.html import html
from cardhub.report.markdown import markdown
from cardhub.report.ratings_csv import partners, ratings
from cardhub.report.view.page import read_page

HTML, MARKDOWN, RATINGS = "report.html", "report.md", "ratings.csv"
PARTNERS = "partners.csv"


def result_in(folder: Path, registry: PluginRegistry) -> MatchResult:
    """Return the result of the match in a folder, also of an unfinished one; raises MatchError."""
    # `result.json` is written at the end of a run: after an interruption it may be missing, or
    # belong to a shorter log. Then the result is computed from the log.
    match = match_in(folder)
    if _is_current(folder):
        return written_result(folder)
    state = caught_up(match, Games(match, registry.directories), folder, Watcher())
    return result_of(match, state, folder, clocked(match, registry), analyse)


def written_result(folder: Path) -> MatchResult:
    """Decode `result.json`; raises MatchError."""
    return load_result(folder, MatchResult)


def write_reports(folder: Path, result: MatchResult) -> list[Path]:
    """Write all reports of a match and return their paths; raises MatchError.

    `result` is that of the log in the folder.
    """
    texts = _texts(result, (game for _, game in read_games(folder)))
    for name, text in texts.items():
        replace_file(folder / name, text)
    return [folder / name for name in texts]


def changed_reports(folder: Path, result: MatchResult) -> list[Path]:
    """Return the existing reports that differ from those of the log; raises MatchError."""
    texts = _texts(result, (game for _, game in read_games(folder)))
    paths = {folder / name: text for name, text in texts.items() if (folder / name).exists()}
    # Bytes, not text: universal newlines would hide a changed line end.
    return [path for path, text in paths.items() if path.read_bytes() != text.encode()]


def _is_current(folder: Path) -> bool:
    """Return whether `result.json` has statistics and the hash of the present log."""
    path = folder / RESULT
    if not path.exists():
        return False
    found = read_json(path)
    statistics = found.get("statistics")
    # Statistics are missing from the result of a run without `analyse`.
    is_whole = isinstance(statistics, dict) and "games" in statistics
    return is_whole and found.get("games_sha256") == file_digest(folder / GAMES)


def _texts(result: MatchResult, games: Iterable[GameResult]) -> dict[str, str]:
    try:
        page = read_page(result, games)
        texts = {HTML: html(page), MARKDOWN: markdown(page), RATINGS: ratings(page.result)}
        mixed = partners(page.result)
        return texts | ({PARTNERS: mixed} if mixed else {})
    except MatchError:
        raise
    except Exception as error:  # a file edited by hand can be wrong in any way
        text = f"{RESULT} does not have the format of this version of cardhub ({error!r:.200})"
        raise MatchError(f"{text}: remove it, and it is derived from {GAMES}") from error
