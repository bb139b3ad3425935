"""Writing reports: the same bytes each time, also for unfinished matches."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.result_file import result_text
from cardhub.lab.report.report_files import result_in, write_reports, written_result
from cardhub.plugins.registry import PluginRegistry

NAMES = ("report.html", "report.md", "ratings.csv")
SOURCES = ("games.jsonl", "result.json", "runs.json")


@pytest.fixture
def folder(cup: Any, tmp_path: Path) -> Path:
    """Return a folder with a copy of a match without its reports."""
    for name in SOURCES:
        shutil.copy(cup.folder / name, tmp_path)
    return tmp_path


def test_the_same_match_gives_the_same_bytes_anywhere(
    cup: Any, folder: Path, registry: PluginRegistry
) -> None:
    paths = write_reports(folder, result_in(folder, registry))
    assert [path.name for path in paths] == list(NAMES)
    for path in paths:
        assert path.read_bytes() == (cup.folder / path.name).read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == sorted([*NAMES, *SOURCES])


def test_a_result_that_is_not_there_is_derived_from_the_log(
    cup: Any, folder: Path, registry: PluginRegistry
) -> None:
    (folder / "result.json").unlink()
    result = result_in(folder, registry)
    assert result.games == cup.result["games"]
    assert not result.is_finished
    write_reports(folder, result)
    assert "Unfinished" in (folder / "report.html").read_text("utf-8")


def test_a_result_of_another_log_is_derived_again(
    cup: Any, folder: Path, registry: PluginRegistry
) -> None:
    """The log may have grown since, or a line may be torn."""
    lines = (folder / "games.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "games.jsonl").write_text("".join(lines[:8]) + lines[8][:40], "utf-8")
    result = result_in(folder, registry)
    assert result.games == 7
    assert result.spec_sha256 == cup.result["spec_sha256"]
    assert not result.is_finished
    write_reports(folder, result)
    assert "covers the 7 games played so far" in (folder / "report.md").read_text("utf-8")


def test_a_match_without_a_game_has_a_report(folder: Path, registry: PluginRegistry) -> None:
    first = (folder / "games.jsonl").read_text("utf-8").splitlines(keepends=True)[0]
    (folder / "games.jsonl").write_text(first, "utf-8")
    write_reports(folder, result_in(folder, registry))
    for name in NAMES[:2]:
        assert "There is no result yet" in (folder / name).read_text("utf-8")


def test_a_result_with_another_schema_is_an_error(
    cup: Any, folder: Path, registry: PluginRegistry
) -> None:
    result = json.loads(cup.text("result.json"))
    del result["statistics"]["games"][0]["pairs"]
    (folder / "result.json").write_text(json.dumps(result), "utf-8")
    wrong = r"required field `pairs` - at `\$\.statistics\.games\[0\]`\); fix: remove it"
    with pytest.raises(MatchError, match=wrong):
        write_reports(folder, result_in(folder, registry))
    assert not (folder / "report.html").exists()


def test_a_folder_without_a_match_is_an_error(tmp_path: Path, registry: PluginRegistry) -> None:
    with pytest.raises(MatchError, match=r"games\.jsonl: No such file"):
        result_in(tmp_path, registry)


def test_an_unreadable_result_is_an_error(folder: Path, registry: PluginRegistry) -> None:
    (folder / "result.json").write_text("{", "utf-8")
    with pytest.raises(MatchError, match=r"result\.json: not JSON"):
        result_in(folder, registry)


def test_every_value_of_a_result_fits_the_schema(cup: Any, duel: Any) -> None:
    """Decoding and encoding a file keeps its bytes."""
    for played in (cup, duel):
        assert result_text(written_result(played.folder)) == played.text("result.json")
