"""Read the result of a match, and write its reports and its tables of ratings into its folder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from cardhub.base.csv_text import csv_text
from cardhub.base.errors import MatchError
from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.exploit import exploits_in
from cardhub.lab.analysis.model_figures import models_in
from cardhub.lab.analysis.review import reviews_in
from cardhub.lab.analysis.schema import (
    AllGames,
    BotRow,
    GameStatistics,
    MatchResult,
    PartnersRow,
    RankedBot,
)
from cardhub.lab.estimate import UNKNOWN, OpenEstimate
from cardhub.lab.match.blocks import Games
from cardhub.lab.match.log.log_reader import GAMES, RESULT, file_digest, read_games, read_json
from cardhub.lab.match.log.log_writer import locked, replace_file
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.log.result_file import load_result, result_of
from cardhub.lab.match.log.run_records import had_sandbox
from cardhub.lab.match.provenance import clock_dependent_bots
from cardhub.lab.match.run.runner import Watcher, replay_log
from cardhub.lab.report.game_pages import (
    OnPage,
    PageEntry,
    PageRequest,
    changed_pages,
    page_list,
    remove_stale_pages,
    write_pages,
)
from cardhub.lab.report.rendering import html, markdown
from cardhub.lab.report.resources import read_resources
from cardhub.lab.report.view.listings import MOST_PAGES
from cardhub.lab.report.view.page import Page, read_page
from cardhub.plugins.registry import PluginRegistry, for_referee

HTML, MARKDOWN, RATINGS = "report.html", "report.md", "ratings.csv"
PARTNERS = "partners.csv"


def result_in(folder: Path, registry: PluginRegistry) -> MatchResult:
    """Return the result of the match in a folder, finished or not; raises MatchError."""
    # `result.json` is written at the end of a run: after an interruption it may be missing, or
    # belong to a shorter log. Then the result is computed from the log.
    match = match_in(folder)
    if _is_current(folder):
        return written_result(folder)
    state = replay_log(match, Games(match, registry.directories), folder, Watcher())
    clock_dependent = clock_dependent_bots(match, for_referee(registry))
    return result_of(match, state, folder, clock_dependent, analyse)


def written_result(folder: Path) -> MatchResult:
    """Decode `result.json`; raises MatchError."""
    return load_result(folder, MatchResult)


def write_reports(
    folder: Path,
    result: MatchResult,
    registry: PluginRegistry | None = None,
    most_pages: int = MOST_PAGES,
    on_page: OnPage | None = None,
) -> list[Path]:
    """Write all reports of a match and return their paths; raises MatchError.

    `result` is the result of the log in the folder. At most `most_pages` games get pages; without a
    `registry` for their rules, no game does. Pages of a former report are removed. `on_page` is
    called before a page is rendered.
    """
    most = most_pages if registry else 0
    page = _read_page(folder, result, most)
    with _turn(folder):
        # New pages are written before the report, and old ones removed after it, because its links
        # must always lead to a page.
        entries = write_pages(folder, _request(folder, page, registry), most, on_page)
        texts = _texts(page, entries)
        for name, text in texts.items():
            replace_file(folder / name, text)
        remove_stale_pages(folder, entries, most)
    return [folder / name for name in texts]


def report_html(folder: Path, result: MatchResult) -> str:
    """Return the report as a page that links to no other files; raises MatchError."""
    with _explained_schema():
        return html(_read_page(folder, result, 0))


def changed_reports(
    folder: Path, result: MatchResult, registry: PluginRegistry, *, is_rendered: bool = False
) -> list[Path]:
    """Return the existing reports that do not follow from the log; raises MatchError.

    Missing pages of games are included. Pages are compared with the digests in their list or, if
    `is_rendered`, with pages that are rendered again.
    """
    page = _read_page(folder, result, page_list(folder).most)
    request = _request(folder, page, registry)
    entries, changed = changed_pages(folder, request, is_rendered=is_rendered)
    texts = {folder / name: text for name, text in _texts(page, entries).items()}
    reports = {path: text for path, text in texts.items() if path.exists()}
    return [path for path, text in reports.items() if not is_same(path, text)] + changed


def is_same(path: Path, text: str) -> bool:
    """Return whether a file has exactly this text."""
    # Bytes, because universal newlines would hide a changed line end.
    try:
        return path.read_bytes() == text.encode()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise MatchError(f"{path}: {error.strerror}") from error


@contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """Lock the reports: a second program could remove pages of this report."""
    busy = f"another program is writing the reports. fix: cardhub match report {folder}"
    with locked(folder / HTML, busy, is_new=True):
        yield


def _is_current(folder: Path) -> bool:
    """Return whether `result.json` has statistics and the hash of the current log."""
    path = folder / RESULT
    if not path.exists():
        return False
    result = read_json(path)
    statistics = result.get("statistics")
    # Statistics are missing from the result of a run without `analyse`.
    is_whole = isinstance(statistics, dict) and "games" in statistics
    return is_whole and result.get("games_sha256") == file_digest(folder / GAMES)


def _request(folder: Path, page: Page, registry: PluginRegistry | None) -> PageRequest | None:
    if registry is None or not page.pages:
        return None
    return PageRequest(match_in(folder), registry, tuple(page.pages.values()), page.marks)


def _texts(page: Page, entries: Sequence[PageEntry]) -> dict[str, str]:
    """Return the texts of the reports by file name."""
    # A game that cannot be replayed has no page, and the report has no link to it.
    page = replace(page, pages={entry.game: page.pages[entry.game] for entry in entries})
    with _explained_schema():
        texts = {HTML: html(page), MARKDOWN: markdown(page), RATINGS: ratings(page.result)}
        mixed = partners(page.result)
    return texts | ({PARTNERS: mixed} if mixed else {})


def _read_page(folder: Path, result: MatchResult, most: int) -> Page:
    review, exploits = reviews_in(folder, result.statistics.level), exploits_in(folder)
    games = (game for _, game in read_games(folder))
    with _explained_schema():
        page = read_page(result, games, review, most, exploits, models_in(folder))
    return replace(page, has_sandbox=had_sandbox(folder), resources=read_resources(folder))


@contextmanager
def _explained_schema() -> Iterator[None]:
    try:
        yield
    except MatchError:
        raise
    except Exception as error:  # a file that was edited by hand may cause any error
        text = f"{RESULT} does not have the format of this version of cardhub ({error!r:.200})"
        raise MatchError(f"{text}: remove it, and cardhub computes it from {GAMES}") from error


COLUMNS = (
    "game",
    "view",
    "bot",
    "rating",
    "low",
    "high",
    "rank",
    "rank_low",
    "rank_high",
    "games",
    "blocks",
    "faults",
    "points",
    "points_low",
    "points_high",
    "ad_hoc",
    "ad_hoc_low",
    "ad_hoc_high",
    "score",
)
# The game of rankings over the games that all bots play.
SHARED = "shared"
PARTNER_COLUMNS = ("game", "bot", "partner", "score", "low", "high", "reached", "games", "blocks")


def ratings(result: MatchResult) -> str:
    """Encode a row for each bot and game, then a row for each bot and ranking over several games.

    In rankings, `game` is empty, or `shared` for the games that all bots play; counts are sums over
    the ranked games. Missing values and infinite ends of intervals are empty strings.
    """
    statistics = result.statistics
    rows = [_row(game, bot) for game in statistics.games for bot in game.bots]
    # A match of one game has no rankings over several games.
    for over, several in (("", statistics.overall), (SHARED, statistics.shared)):
        if several is not None:
            rows += _several(over, several, statistics.games)
    return csv_text(COLUMNS, rows)


def partners(result: MatchResult) -> str:
    """Encode a row for each pair of partners of a game; empty in a match without mixed partners."""
    rows = [_partners(row) for game in result.statistics.games for row in game.partners]
    return csv_text(PARTNER_COLUMNS, rows) if rows else ""


def _partners(row: PartnersRow) -> dict[str, Any]:
    score = row.score or UNKNOWN
    return {
        "game": row.game,
        "bot": row.bots[0],
        "partner": row.bots[1],
        "score": score.value,
        "low": score.low,
        "high": score.high,
        "reached": row.reached.value if row.reached else None,
        "games": row.games,
        "blocks": row.blocks,
    }


def _row(game: GameStatistics, bot: BotRow) -> dict[str, Any]:
    return {
        "game": game.game,
        "bot": bot.bot,
        **_rating(bot),
        "games": bot.games,
        "blocks": bot.blocks,
        "faults": game.fault_count(bot.bot),
        **_interval("points", bot.points),
        "score": bot.score,
        **_interval("ad_hoc", next((row.score for row in game.ad_hoc if row.bot == bot.bot), None)),
    }


def _several(
    over: str, several: AllGames, games: Sequence[GameStatistics]
) -> Iterator[dict[str, Any]]:
    games = [game for game in games if game.game in several.games]
    for view in several.views:
        for bot in view.bots:
            rows = [row for game in games for row in game.bots if row.bot == bot.bot]
            counts: dict[str, int] = {
                "games": sum(row.games for row in rows),
                "blocks": sum(row.blocks for row in rows),
                "faults": sum(game.fault_count(bot.bot) for game in games),
            }
            yield {
                "game": over,
                "view": view.view,
                "bot": bot.bot,
                **_rating(bot),
                **counts,
            }


def _rating(bot: BotRow | RankedBot) -> dict[str, Any]:
    # None becomes an empty cell, which spreadsheets do not read as 0.
    elo = bot.elo or UNKNOWN
    return {
        "rating": elo.value,
        "low": elo.low,
        "high": elo.high,
        "rank": bot.rank,
        "rank_low": bot.best,
        "rank_high": bot.worst,
    }


def _interval(name: str, estimate: OpenEstimate | None) -> dict[str, Any]:
    ends = estimate or UNKNOWN
    return {name: ends.value, f"{name}_low": ends.low, f"{name}_high": ends.high}
