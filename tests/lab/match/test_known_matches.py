"""The list of matches: what is remembered, and how far each of them is."""

import json
from pathlib import Path

import pytest

from cardhub.base.files import reserve
from cardhub.lab.match.log.known_matches import KnownMatch, known_matches, remember_match


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the list in a folder of the test."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def begin(folder: Path, games: int, *, is_finished: bool | None = None) -> KnownMatch:
    """Remember a match with a number of games in its log, and with a result unless it is None."""
    folder.mkdir()
    (folder / "games.jsonl").write_text("{}\n" * (1 + games))
    if is_finished is not None:
        (folder / "result.json").write_text(json.dumps({"is_finished": is_finished}))
    match = KnownMatch(folder, folder / "match.yaml", 200)
    remember_match(match)
    return match


def test_without_a_match_there_is_no_list(home: Path) -> None:
    assert known_matches() == []
    assert not home.exists()


def test_a_match_is_finished_running_or_stopped(tmp_path: Path) -> None:
    """Running: a program has locked its log."""
    begin(tmp_path / "over", 200, is_finished=True)
    begin(tmp_path / "ended", 63, is_finished=False)
    begin(tmp_path / "killed", 0)
    begin(tmp_path / "now", 63)
    with reserve(tmp_path / "now" / "games.jsonl", "busy"):
        by_name = {
            progress.match.folder.name: (progress.state, progress.amount)
            for progress in known_matches()
        }
    assert by_name == {
        "over": ("finished", "200 games"),
        "ended": ("stopped", "63 of 200 games"),
        "killed": ("stopped", "0 of 200 games"),
        "now": ("running", "63 of 200 games"),
    }
    (tmp_path / "now" / ".games.jsonl.lock").touch()  # a killed program leaves it
    assert {progress.state for progress in known_matches()} == {"finished", "stopped"}


def test_a_match_is_listed_once_and_while_its_folder_exists(tmp_path: Path, home: Path) -> None:
    """A damaged list is replaced; a match goes on if the list cannot be written."""
    match = begin(tmp_path / "one", 1)
    remember_match(match)
    assert [progress.match for progress in known_matches()] == [match]
    (home / "matches.json").write_text('{"matches": [1]}')
    assert known_matches() == []
    remember_match(match)
    assert [progress.match for progress in known_matches()] == [match]
    (tmp_path / "one" / "games.jsonl").unlink()
    assert known_matches() == []


def test_a_list_that_cannot_be_written_is_no_error(home: Path, tmp_path: Path) -> None:
    home.write_text("")
    begin(tmp_path / "one", 1)
    assert known_matches() == []
