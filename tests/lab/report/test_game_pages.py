"""Pages of single games in the folder of a report."""

import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.kit.browsing import Visitor
from tests.lab.report.conftest import Played

from cardhub.base.errors import MatchError
from cardhub.base.files import reserve
from cardhub.lab.match.log.game_page import game_page
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.task import FaultNote
from cardhub.lab.report import game_pages
from cardhub.lab.report.game_pages import PageRequest, find_pages, list_path, page_list
from cardhub.lab.report.report_files import changed_reports, write_reports
from cardhub.lab.report.view.listings import MOST_PAGES
from cardhub.lab.report.view.page import read_page
from cardhub.plugins.registry import PluginRegistry

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
    """Return a function that writes at most `most` pages and returns their file names."""
    copied(cup, tmp_path)

    def write(most: int) -> list[str]:
        write_reports(tmp_path, cup.typed, registry, most)
        return sorted(path.name for path in (tmp_path / "games").glob("*.html"))

    return write


def test_a_figure_leads_to_its_games_and_to_the_page_of_one(
    paged: Played, visit_page: Visitor
) -> None:
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
    games = set(page_list(paged.folder).games)
    assert len(games) <= MOST_PAGES
    for game in paged.result["statistics"]["games"]:
        for bot in game["bots"]:
            assert {loss["game_id"] for loss in bot["worst_games"][:1]} <= games
        for fault in game["faults"]:
            assert fault["game_ids"][0] in games


def test_pages_are_bounded_and_fair(cup: Played) -> None:
    page = read_page(cup.typed, iter(cup.games), None, 4)
    firsts = [listing.selection.ids[0] for listing in page.listings if listing.selection.ids]
    assert list(page.pages) == list(dict.fromkeys(firsts))[:4]


def test_pages_are_written_once_and_removed_when_no_figure_needs_them(
    write: Write, tmp_path: Path
) -> None:
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
    one, two = write(2)
    assert changed_reports(tmp_path, cup.typed, registry) == []
    page = tmp_path / "games" / one
    page.write_bytes(page.read_bytes() + b" ")
    (tmp_path / "games" / two).unlink()
    changed = changed_reports(tmp_path, cup.typed, registry)
    assert sorted(path.name for path in changed) == [one, two]


def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the ids of games whose pages are rendered."""
    made: list[str] = []

    def game_page_seen(match: Any, result: Any, game: Any, **options: Any) -> str:
        made.append(result.id)
        return game_page(match, result, game, **options)

    monkeypatch.setattr(game_pages, "game_page", game_page_seen)
    return made


def test_a_page_is_rendered_again_only_if_its_inputs_or_its_bytes_have_changed(
    cup: Played,
    write: Write,
    registry: PluginRegistry,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another mark, another version of the scripts, or an edited file."""
    made = rendered(monkeypatch)
    names = write(3)
    assert len(made) == 3
    write(3)
    assert changed_reports(tmp_path, cup.typed, registry) == []
    assert len(made) == 3
    page = tmp_path / "games" / names[0]
    text = page.read_bytes()
    page.write_bytes(text + b" ")
    write(3)
    assert made[3:] == [page.stem]
    assert page.read_bytes() == text
    # All digests are the same again, and a thorough check renders all pages.
    assert changed_reports(tmp_path, cup.typed, registry, is_rendered=True) == []
    assert len(made) == 7
    monkeypatch.setattr(game_pages, "page_version", lambda: "another")
    write(3)
    assert len(made) == 10


def test_a_thorough_check_does_not_trust_the_list(
    cup: Played, write: Write, registry: PluginRegistry, tmp_path: Path
) -> None:
    """The list could have been edited together with a page."""
    (name,) = write(1)
    page, path = tmp_path / "games" / name, list_path(tmp_path)
    before = sha256(page.read_bytes()).hexdigest()
    page.write_bytes(page.read_bytes() + b" ")
    after = sha256(page.read_bytes()).hexdigest()
    path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")
    assert changed_reports(tmp_path, cup.typed, registry, is_rendered=True) == [page, path]


DAMAGED = [
    b"",
    b"\xff\x00",
    b"[" * 100_000,
    b'{"most": -1, "pages": []}',
    b'{"most": 1e400}',
    b'{"most": 123456789012345678901234567890}',
    b'{"most": 2, "pages": [{"game": "../../report", "inputs": "", "page": ""}]}',
    b'{"most": 2, "pages": [{"game": 5}]}',
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_list_costs_a_rendering(
    content: bytes, write: Write, tmp_path: Path, cup: Played, registry: PluginRegistry
) -> None:
    names = write(2)
    list_path(tmp_path).write_bytes(content)
    assert list_path(tmp_path) in changed_reports(tmp_path, cup.typed, registry)
    assert write(2) == names
    assert (tmp_path / "report.html").exists()
    assert changed_reports(tmp_path, cup.typed, registry) == []


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_replaced_and_its_target_stays(write: Write, tmp_path: Path) -> None:
    """A page that is a link to another file, and a list that is one."""
    (name,) = write(1)
    own = tmp_path / "own.txt"
    own.write_text("mine", "utf-8")
    for path in (tmp_path / "games" / name, list_path(tmp_path)):
        path.unlink()
        path.symlink_to(own)
    assert write(1) == [name]
    assert own.read_text("utf-8") == "mine"
    assert not (tmp_path / "games" / name).is_symlink()


def test_an_interrupted_report_leaves_whole_files(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report before it is still there, and its links lead to pages."""
    before = write(1)
    report = (tmp_path / "report.html").read_bytes()
    writes = count()

    def fsync(_number: int) -> None:
        if next(writes) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(KeyboardInterrupt):
        write(5)
    monkeypatch.undo()
    assert not list(tmp_path.rglob("*.new"))
    assert (tmp_path / "report.html").read_bytes() == report
    names = sorted(path.name for path in (tmp_path / "games").glob("*.html"))
    assert set(before) < set(names) <= {f"{game}.html" for game in page_list(tmp_path).games}
    assert all(b"</html>" in (tmp_path / "games" / name).read_bytes() for name in names)
    assert write(1) == before


def test_one_program_at_a_time_writes_reports(write: Write, tmp_path: Path) -> None:
    """The second program gets an error; afterwards the lock is gone."""
    with reserve(tmp_path / "report.html", "busy", is_new=True):
        with pytest.raises(MatchError, match=r"another program is writing the reports\. fix: "):
            write(1)
        assert not (tmp_path / "games").exists()
    write(1)
    assert not list(tmp_path.glob(".*"))


def test_a_folder_that_cannot_be_written_is_named(write: Write, tmp_path: Path) -> None:
    """Here a file has the name of the pages' folder."""
    (tmp_path / "games").write_text("mine", "utf-8")
    with pytest.raises(MatchError, match="games"):
        write(1)
    assert (tmp_path / "games").read_text("utf-8") == "mine"


@pytest.mark.parametrize("note", [(10**9, 1), (2, 99)])
def test_a_note_on_a_fault_that_cannot_be_costs_no_report(
    cup: Played, registry: PluginRegistry, note: tuple[int, int]
) -> None:
    """A log may have been edited by hand: steps and seats outside of the game."""
    fault: Any = FaultNote(seat=note[1], bot="dice", step=note[0], fault="illegal")
    game: Any = msgspec.structs.replace(cup.games[0], faults=(fault,))
    request = PageRequest(match_in(cup.folder), registry, [game], {})
    assert len(list(find_pages(request, {}))) <= 1


def test_a_game_that_the_match_does_not_have_costs_no_report(
    cup: Played, registry: PluginRegistry
) -> None:
    """A log may have been edited by hand."""
    game: Any = msgspec.structs.replace(cup.games[0], contest="other")
    assert list(find_pages(PageRequest(match_in(cup.folder), registry, [game], {}), {})) == []


def test_an_id_cannot_name_a_file_elsewhere(cup: Played, registry: PluginRegistry) -> None:
    """A log may have been edited by hand."""
    game: Any = msgspec.structs.replace(cup.games[0], id="../evil")
    assert list(find_pages(PageRequest(match_in(cup.folder), registry, [game], {}), {})) == []


def test_a_game_that_cannot_be_replayed_has_no_page(cup: Played, registry: PluginRegistry) -> None:
    moves = (*cup.games[0].moves, (0, "jump"))
    game: Any = msgspec.structs.replace(cup.games[0], moves=moves)
    assert list(find_pages(PageRequest(match_in(cup.folder), registry, [game], {}), {})) == []
