"""Reading the result of a match, and writing its reports beside the log."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cardhub.base.errors import MatchError
from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.exploit import exploits_in
from cardhub.lab.analysis.review import reviews_in
from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.match.blocks import Games
from cardhub.lab.match.log.log_reader import GAMES, RESULT, file_digest, read_games, read_json
from cardhub.lab.match.log.log_writer import locked, replace_file
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.log.result_file import load_result, result_of
from cardhub.lab.match.provenance import clocked
from cardhub.lab.match.run.runner import Watcher, caught_up
from cardhub.lab.report.game_pages import (
    PageEntry,
    PageRequest,
    TellPage,
    changed_pages,
    page_list,
    remove_stale_pages,
    write_pages,
)
from cardhub.lab.report.html import html
from cardhub.lab.report.markdown import markdown
from cardhub.lab.report.ratings_csv import partners, ratings
from cardhub.lab.report.view.page import Page, read_page
from cardhub.lab.report.view.watch import MOST_PAGES
from cardhub.plugins.registry import PluginRegistry

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
    tell: TellPage | None = None,
) -> list[Path]:
    """Write all reports of a match and return their paths; raises MatchError.

    `result` is that of the log in the folder. At most `most_pages` games have pages of their own,
    none without the `registry` of their rules; pages of a former report are removed. `tell` is
    called before a page is rendered.
    """
    most = most_pages if registry else 0
    page = _read_page(folder, result, most)
    with _turn(folder):
        # Pages before the report and removed after it: its links always lead to a page.
        entries = write_pages(folder, _request(folder, page, registry), most, tell)
        texts = _texts(page, entries)
        for name, text in texts.items():
            replace_file(folder / name, text)
        remove_stale_pages(folder, entries, most)
    return [folder / name for name in texts]


def changed_reports(
    folder: Path, result: MatchResult, registry: PluginRegistry, *, is_rendered: bool = False
) -> list[Path]:
    """Return the existing reports that differ from those of the log; raises MatchError.

    Of pages of games, missing ones are named as well. Pages are compared by the digests in their
    list, or, with `is_rendered`, with pages made again.
    """
    page = _read_page(folder, result, page_list(folder).most)
    request = _request(folder, page, registry)
    entries, changed = changed_pages(folder, request, is_rendered=is_rendered)
    texts = {folder / name: text for name, text in _texts(page, entries).items()}
    reports = {path: text for path, text in texts.items() if path.exists()}
    return [path for path, text in reports.items() if not is_same(path, text)] + changed


def is_same(path: Path, text: str) -> bool:
    """Return whether a file has exactly this text."""
    # Bytes, not text: universal newlines would hide a changed line end.
    try:
        return path.read_bytes() == text.encode()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise MatchError(f"{path}: {error.strerror}") from error


@contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """Let one program at a time write reports: another one could remove pages of this report."""
    busy = f"another program is writing the reports. fix: cardhub match report {folder}"
    with locked(folder / HTML, busy, is_new=True):
        yield


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


def _request(folder: Path, page: Page, registry: PluginRegistry | None) -> PageRequest | None:
    if registry is None or not page.pages:
        return None
    return PageRequest(match_in(folder), registry, tuple(page.pages.values()), page.marks)


def _texts(page: Page, entries: Sequence[PageEntry]) -> dict[str, str]:
    """Return the texts of the reports by file name."""
    # A game that cannot be replayed has no page, and no link to one.
    page = replace(page, pages={entry.game: page.pages[entry.game] for entry in entries})
    with _explained_schema():
        texts = {HTML: html(page), MARKDOWN: markdown(page), RATINGS: ratings(page.result)}
        mixed = partners(page.result)
    return texts | ({PARTNERS: mixed} if mixed else {})


def _read_page(folder: Path, result: MatchResult, most: int) -> Page:
    review, exploits = reviews_in(folder, result.statistics.level), exploits_in(folder)
    games = (game for _, game in read_games(folder))
    with _explained_schema():
        return read_page(result, games, review, most, exploits)


@contextmanager
def _explained_schema() -> Iterator[None]:
    try:
        yield
    except MatchError:
        raise
    except Exception as error:  # a file edited by hand can be wrong in any way
        text = f"{RESULT} does not have the format of this version of cardhub ({error!r:.200})"
        raise MatchError(f"{text}: remove it, and it is derived from {GAMES}") from error
