"""Writing the reports of a match beside its log."""

from collections.abc import Iterable
from pathlib import Path

from cardhub.analysis.schema import MatchResult
from cardhub.errors import MatchError
from cardhub.match.log.log_reader import GAMES, RESULT, read_games
from cardhub.match.log.log_writer import replace_file
from cardhub.match.task import GameResult
from cardhub.report.html import html
from cardhub.report.markdown import markdown
from cardhub.report.page import read_page
from cardhub.report.ratings import ratings

HTML, MARKDOWN, RATINGS = "report.html", "report.md", "ratings.csv"


def write_reports(folder: Path, result: MatchResult) -> list[Path]:
    """Write all reports of a match and return their paths; raises MatchError.

    `result` is that of the log in the folder.
    """
    texts = _texts(result, (game for _, game in read_games(folder)))
    for name, text in texts.items():
        replace_file(folder / name, text)
    return [folder / name for name in texts]


def changed_reports(folder: Path, result: MatchResult) -> list[Path]:
    """Return the existing reports that do not follow from the log; raises MatchError."""
    texts = _texts(result, (game for _, game in read_games(folder)))
    paths = {folder / name: text for name, text in texts.items() if (folder / name).exists()}
    return [path for path, text in paths.items() if path.read_bytes() != text.encode()]


def _texts(result: MatchResult, games: Iterable[GameResult]) -> dict[str, str]:
    """Return the text of each report by file name."""
    try:
        page = read_page(result, games)
        return {HTML: html(page), MARKDOWN: markdown(page), RATINGS: ratings(page.result)}
    except MatchError:
        raise
    except Exception as error:  # a file that was changed by hand may be wrong in any way
        told = f"{RESULT} is not as this version of cardhub writes it (see {error!r:.200})"
        raise MatchError(f"{told}: remove it, and it is derived from {GAMES}") from error
