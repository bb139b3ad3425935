"""Pages of single games in the folder of a report."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.browsing import Visitor
from tests.report.conftest import Played

from cardhub.match.log.lookup import match_in
from cardhub.plugins.registry import PluginRegistry
from cardhub.report.game_pages import list_path, page_list, page_texts
from cardhub.report.report_files import changed_reports, write_reports
from cardhub.report.view.page import read_page
from cardhub.report.view.watch import MOST_PAGES

Write = Callable[..., list[str]]


def copied(played: Played, folder: Path) -> Path:
    """Return a folder with a copy of a match without its reports."""
    folder.mkdir(exist_ok=True)
    for name in ("games.jsonl", "result.json"):
        shutil.copy(played.folder / name, folder)
    return folder


@pytest.fixture(scope="module")
def paged(
    cup: Played, registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    """Return the cup with pages of its games."""
    folder = copied(cup, tmp_path_factory.mktemp("paged"))
    write_reports(folder, cup.typed, registry)
    return Played(folder, cup.result, cup.games)


@pytest.fixture
def write(cup: Played, registry: PluginRegistry, tmp_path: Path) -> Write:
    """Return a function that writes reports with so many pages, and returns their file names."""
    copied(cup, tmp_path)

    def write(most: int) -> list[str]:
        write_reports(tmp_path, cup.typed, registry, most)
        return sorted(path.name for path in (tmp_path / "games").glob("*.html"))

    return write


def test_a_figure_leads_to_its_games_and_to_the_page_of_one(
    paged: Played, visit_page: Visitor
) -> None:
    """In a browser, from the part of games to watch, and back to the report."""
    seen = visit_page(paged.folder / "report.html")
    page = seen.page
    page.get_by_role("navigation").get_by_role("link", name="Games to watch").click()
    name = paged.result["statistics"]["games"][0]["bots"][-1]["worst_games"][0]["game_id"]
    page.get_by_role("link", name=name).first.click()
    page.wait_for_url(f"**/games/{name}.html*")
    assert name in page.inner_text("body")
    assert seen.complaints == []
    back = page.get_by_role("link", name="report")
    assert back.get_attribute("href") == "../report.html"


def test_every_link_to_a_page_leads_to_one(paged: Played) -> None:
    """And games without pages have the command that makes one."""
    text = paged.text("report.html")
    files = {path.stem for path in (paged.folder / "games").glob("*.html")}
    assert files == set(page_list(paged.folder).games)
    linked = {part.split(".html")[0] for part in text.split('href="games/')[1:]}
    assert linked == files
    others = {game.id for game in paged.games} - files
    shown = {part.split(" --html")[0] for part in text.split("cardhub match show . ")[1:]}
    assert shown & others
    assert not shown & files


def test_the_worst_losses_and_faults_of_all_bots_have_pages(paged: Played) -> None:
    """Lists take turns, and the first of each comes first."""
    found = set(page_list(paged.folder).games)
    assert len(found) <= MOST_PAGES
    for game in paged.result["statistics"]["games"]:
        for bot in game["bots"]:
            assert {loss["game_id"] for loss in bot["worst_games"][:1]} <= found
        for fault in game["faults"]:
            assert fault["game_ids"][0] in found


def test_pages_are_bounded_and_fair(cup: Played) -> None:
    """With few of them, each list of named games has its first one before any has a second."""
    page = read_page(cup.typed, iter(cup.games), None, 4)
    firsts = [found.selection.ids[0] for found in page.listings if found.selection.ids]
    assert list(page.pages) == list(dict.fromkeys(firsts))[:4]


def test_pages_are_written_once_and_removed_when_no_figure_needs_them(
    write: Write, tmp_path: Path
) -> None:
    """Pages that a person made stay."""
    many = write(6)
    assert len(many) == 6
    times = {name: (tmp_path / "games" / name).stat().st_mtime_ns for name in many}
    own = tmp_path / "games" / "mine.html"
    own.write_text("<p>mine</p>", "utf-8")
    few = write(3)
    assert set(few) < {*many, "mine.html"}
    assert len(few) == 4
    for name in set(few) - {"mine.html"}:
        assert (tmp_path / "games" / name).stat().st_mtime_ns == times[name]
    assert write(0) == ["mine.html"]
    assert not list_path(tmp_path).exists()
    assert "games/" not in (tmp_path / "report.html").read_text("utf-8")


def test_pages_are_checked_with_the_other_reports(
    cup: Played, write: Write, registry: PluginRegistry, tmp_path: Path
) -> None:
    """With the number of pages that the report was written with."""
    one, two = write(2)
    assert changed_reports(tmp_path, cup.typed, registry) == []
    page = tmp_path / "games" / one
    page.write_bytes(page.read_bytes() + b" ")
    (tmp_path / "games" / two).unlink()
    changed = changed_reports(tmp_path, cup.typed, registry)
    assert sorted(path.name for path in changed) == [one, two]


def test_an_id_cannot_name_a_file_elsewhere(cup: Played, registry: PluginRegistry) -> None:
    """A log may have been edited by hand."""
    game: Any = msgspec.structs.replace(cup.games[0], id="../evil")
    assert list(page_texts(match_in(cup.folder), [game], {}, registry)) == []


def test_a_game_that_cannot_be_replayed_has_no_page(cup: Played, registry: PluginRegistry) -> None:
    """The report is written without it."""
    moves = (*cup.games[0].moves, (0, "jump"))
    game: Any = msgspec.structs.replace(cup.games[0], moves=moves)
    assert list(page_texts(match_in(cup.folder), [game], {}, registry)) == []
