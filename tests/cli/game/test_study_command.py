"""`cardhub study`."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.cli.conftest import Run

from cardhub.cli.main import cli

FEW = ("--bot", "random", "--deals", "3", "--workers", "1")


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a study of Kuhn poker."""
    folder = tmp_path_factory.mktemp("studies") / "old"
    words = ["study", "kuhn", *FEW, "--out", str(folder)]
    assert CliRunner().invoke(cli, words, prog_name="cardhub").exit_code == 0
    return folder


@pytest.fixture
def old(studied: Path, tmp_path: Path) -> Path:
    """Return a copy of the folder."""
    return Path(shutil.copytree(studied, tmp_path / "old"))


def test_a_study_prints_its_answers_and_writes_its_files(run: Run, tmp_path: Path) -> None:
    """The page, the figures, and the matches that they rest on."""
    outcome = run("study", "kuhn", *FEW, "--out", tmp_path / "kuhn")
    assert outcome.exit_code == 0
    assert "Fairness of seats" in outcome.output
    assert "Bot against itself" in outcome.output
    names = {path.name for path in (tmp_path / "kuhn").iterdir()}
    assert names == {"plain", "deals.json", "study.html", "study.json"}


def test_json_is_that_of_the_file(run: Run, tmp_path: Path) -> None:
    outcome = run("study", "kuhn", *FEW, "--json", "--out", tmp_path)
    assert json.loads(outcome.output) == json.loads((tmp_path / "study.json").read_text())


def test_sets_of_options_are_compared(run: Run, tmp_path: Path) -> None:
    words = ("--compare", "default,order=descending", "--out", tmp_path)
    outcome = run("study", "goofspiel", "--set", "cards=3", *FEW, *words)
    assert outcome.exit_code == 0, outcome.output
    assert "Compared with order=random" in outcome.output
    assert (tmp_path / "compared-goofspiel.html").exists()
    assert (tmp_path / "goofspiel-2p-order-descending" / "study.html").exists()


def test_a_study_is_compared_with_another_folder(run: Run, old: Path, tmp_path: Path) -> None:
    words = ("--with", old, "--seed", "2", "--out", tmp_path / "new")
    outcome = run("study", "kuhn", *FEW, *words)
    assert "It is not certain whether old: old or new: new is fairer." in outcome.output
    assert "Compared with old: old" in outcome.output
    assert "Differences in the score with a use" in outcome.output
    compared = json.loads(run("study", "kuhn", *FEW, *words, "--json").output)
    assert len(compared["studies"]) == 2


def test_a_study_is_not_compared_with_its_own_folder(run: Run, old: Path) -> None:
    """It would be compared with what it has just written."""
    outcome = run("study", "kuhn", *FEW, "--with", old, "--out", old)
    assert outcome.exit_code == 2
    assert "is the folder of the new study" in outcome.output


def test_the_games_so_far_can_be_studied(run: Run, old: Path) -> None:
    words = ("--bot", "random", "--deals", "9", "--no-play", "--out", old)
    outcome = run("study", "kuhn", *words)
    assert outcome.exit_code == 0
    assert "Not all games are played yet" in outcome.output


def test_the_command_in_the_report_repeats_a_study_for_a_time(run: Run, tmp_path: Path) -> None:
    words = ("--bot", "random", "--minutes", "1e-9", "--workers", "1")
    outcome = run("study", "kuhn", *words, "--out", tmp_path / "time")
    assert outcome.exit_code == 0, outcome.output
    (command,) = [line for line in outcome.output.splitlines() if line.startswith("  cardhub ")]
    run(*shlex.split(command)[1:], "--workers", "1", "--out", tmp_path / "again")
    first, second = (tmp_path / name / "study.json" for name in ("time", "again"))
    assert first.read_bytes() == second.read_bytes()
    assert command.strip() == json.loads(first.read_text())["command"]


def test_a_study_plays_for_a_time_or_a_number_of_deals(run: Run, tmp_path: Path) -> None:
    outcome = run("study", "kuhn", *FEW, "--minutes", "1", "--out", tmp_path)
    assert outcome.exit_code == 2
    assert "mutually exclusive" in outcome.output


def test_wrong_arguments_are_refused_before_a_game_is_played(run: Run, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "none")
    for words, message in (
        (("--compare", "coins"), "is not OPTION=VALUE"),
        (("--compare", "coins=24,colour=red"), "unknown option 'colour'"),
        (("--players", "7"), "is for 2 players"),
        (("--bot", "rul"), "--bot rul"),
    ):
        outcome = run("study", "gamon", *words, *out)
        assert outcome.exit_code == 2, words
        assert message in outcome.output
    assert not (tmp_path / "none").exists()


def test_a_folder_without_a_study_cannot_be_compared(run: Run, tmp_path: Path) -> None:
    """The error says how to make one, and comes before a game is played."""
    outcome = run("study", "kuhn", *FEW, "--with", tmp_path, "--out", tmp_path / "new")
    assert outcome.exit_code != 0
    assert "there is no study in this folder\nfix: " in outcome.output
    assert not (tmp_path / "new").exists()
