"""Reading the result of a match, and writing its reports beside the log."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardhub.analysis import analyse
from cardhub.analysis.review import reviews_in
from cardhub.analysis.schema import MatchResult
from cardhub.errors import MatchError
from cardhub.match.blocks import Games
from cardhub.match.log.game_page import page_path
from cardhub.match.log.log_reader import GAMES, RESULT, file_digest, read_games, read_json
from cardhub.match.log.log_writer import replace_file
from cardhub.match.log.lookup import match_in
from cardhub.match.log.result_file import load_result, result_of
from cardhub.match.provenance import clocked
from cardhub.match.run.runner import Watcher, caught_up
from cardhub.plugins.registry import PluginRegistry
from cardhub.report.game_pages import (
    PageList,
    is_same,
    list_path,
    list_text,
    page_list,
    page_texts,
    remove_stale_pages,
    write_pages,
)
from cardhub.report.html import html
from cardhub.report.markdown import markdown
from cardhub.report.ratings_csv import partners, ratings
from cardhub.report.view.page import Page, read_page
from cardhub.report.view.watch import MOST_PAGES

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


def write_reports(
    folder: Path,
    result: MatchResult,
    registry: PluginRegistry | None = None,
    most_pages: int = MOST_PAGES,
) -> list[Path]:
    """Write all reports of a match and return their paths; raises MatchError.

    `result` is that of the log in the folder. At most `most_pages` games have pages of their own,
    none without the `registry` of their rules; pages of a former report are removed.
    """
    most = most_pages if registry else 0
    found = _reports(folder, result, registry, most)
    # Pages before the report and removed after it: its links always lead to a page.
    write_pages(folder, found.pages, most)
    for name, text in found.texts.items():
        replace_file(folder / name, text)
    remove_stale_pages(folder, found.pages, most)
    return [folder / name for name in found.texts]


def changed_reports(folder: Path, result: MatchResult, registry: PluginRegistry) -> list[Path]:
    """Return the existing reports that differ from those of the log; raises MatchError.

    Of pages of games, missing ones are named as well.
    """
    listed = page_list(folder)
    found = _reports(folder, result, registry, listed.most)
    reports = {folder / name: text for name, text in found.texts.items()}
    paths = {path: text for path, text in reports.items() if path.exists()}
    paths |= {page_path(folder, game): text for game, text in found.pages.items()}
    if list_path(folder).exists():
        paths[list_path(folder)] = list_text(PageList(listed.most, tuple(found.pages)))
    return [path for path, text in paths.items() if not is_same(path, text)]


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


class _Reports(NamedTuple):
    # Texts of the reports by file name, and of the pages by game id.
    texts: dict[str, str]
    pages: dict[str, str]


def _reports(
    folder: Path, result: MatchResult, registry: PluginRegistry | None, most: int
) -> _Reports:
    page = _read_page(folder, result, most)
    pages = {}
    if registry is not None and page.pages:
        found = page_texts(match_in(folder), page.pages.values(), page.marks, registry)
        pages = dict(found)
    # A game that cannot be replayed has no page, and no link to one.
    page = replace(page, pages={game: page.pages[game] for game in pages})
    with _explained_schema():
        texts = {HTML: html(page), MARKDOWN: markdown(page), RATINGS: ratings(page.result)}
        mixed = partners(page.result)
    return _Reports(texts | ({PARTNERS: mixed} if mixed else {}), pages)


def _read_page(folder: Path, result: MatchResult, most: int) -> Page:
    review = reviews_in(folder, result.statistics.level)
    with _explained_schema():
        return read_page(result, (game for _, game in read_games(folder)), review, most)


@contextmanager
def _explained_schema() -> Iterator[None]:
    try:
        yield
    except MatchError:
        raise
    except Exception as error:  # a file edited by hand can be wrong in any way
        text = f"{RESULT} does not have the format of this version of cardhub ({error!r:.200})"
        raise MatchError(f"{text}: remove it, and it is derived from {GAMES}") from error
