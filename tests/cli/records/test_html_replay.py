"""`cardhub replay --html`: a page that can be sent, with what its viewers saw."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.kit.replay_texts import decompressed

from cardhub.play.pages.building_data import ReplayData

Run = Callable[..., Result]


def data_of(path: Path) -> ReplayData:
    """Return the data of a page."""
    match = re.search(r'id="replay-data">([^<]*)<', path.read_text("utf-8"))
    assert match is not None
    return decompressed(match[1])


def test_a_finished_game_is_written_for_all_viewers(run: Run, record: Path, tmp_path: Path) -> None:
    """Into a new file only; the data have neither the folder nor the name of the record."""
    out, record = tmp_path / "game.html", Path(shutil.copy(record, tmp_path / "z7q2x9.jsonl"))
    done = run("replay", record, "--html", out)
    assert (done.exit_code, done.stdout) == (0, "")
    assert str(out) in done.stderr
    data = data_of(out)
    assert [viewer.name for viewer in data.viewers] == ["Zoe", "Anna", "Bob", "spectator", "all"]
    assert data.viewers[data.first].name == "all"
    assert record.stem not in out.read_text("utf-8")
    again = run("replay", record, "--html", out)
    assert again.exit_code == 1
    assert "exists already, and files are not overwritten" in again.stderr


def test_a_page_for_one_viewer_has_nothing_else(run: Run, record: Path, tmp_path: Path) -> None:
    """No seed, from which the deal would follow, and no hands of the others."""
    out = tmp_path / "game.html"
    assert run("replay", record, "--html", out, "--as", "anna").exit_code == 0
    data = data_of(out)
    (viewer,) = data.viewers
    assert viewer.name == "Anna"
    assert viewer.result is not None
    assert (viewer.result.seed, viewer.result.hands, viewer.result.sections) == ("", (), ())


def test_an_unfinished_game_is_written_for_its_person(run: Run, left: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    assert run("replay", left, "--html", out).exit_code == 0
    assert [viewer.name for viewer in data_of(out).viewers] == ["Zoe", "spectator"]
    refused = run("replay", left, "--html", tmp_path / "other.html", "--as", "Anna")
    assert refused.exit_code == 2
    assert "still secret" in refused.stderr
    assert not (tmp_path / "other.html").exists()


def test_the_hands_of_several_people_stay_apart(run: Run, tmp_path: Path) -> None:
    """A page of their unfinished game shows a spectator's view, unless a player is named."""
    path, out, own = (tmp_path / name for name in ("two.jsonl", "two.html", "own.html"))
    seats = ("--seat", "Zoe=human", "--seat", "Yan=human", "--players", "3", "--seed", "1")
    assert run("play", "gargon", *seats, "--record", path, typed="quit\n").exit_code == 0
    assert run("replay", path, "--html", out).exit_code == 0
    assert [viewer.name for viewer in data_of(out).viewers] == ["spectator"]
    assert run("replay", path, "--html", own, "--as", "Yan").exit_code == 0
    assert [viewer.name for viewer in data_of(own).viewers] == ["Yan"]


@pytest.mark.parametrize("option", ["--rounds", "--json", "--analyse=rule"])
def test_a_page_is_not_printed(run: Run, record: Path, tmp_path: Path, option: str) -> None:
    refused = run("replay", record, "--html", tmp_path / "game.html", option)
    assert refused.exit_code == 2
    assert "--html and options for printing are mutually exclusive" in refused.stderr
