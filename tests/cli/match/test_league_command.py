"""`cardhub league`."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

FILE = """\
cardhub_league: 1
name: small
seed: 3
game: kuhn
rounds: 2
every: 10
blocks: 12
workers: 1
trainer: tests.learning.learn.trainers:make
"""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a league in an empty folder, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text(FILE, "utf-8")
    return tmp_path / "small.yaml"


def content(folder: Path) -> dict[str, bytes]:
    """Return the checkpoints of a league, and the games of its matches."""
    paths = [*folder.glob("pool/*.zip"), *folder.glob("matches/*/games.jsonl")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_a_league_prints_its_ratings(run: Run) -> None:
    """The bots that do not learn, and each checkpoint; progress is not part of the output."""
    done = run("league", "small.yaml")
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "kuhn: 2 checkpoints, one after every 10 steps"
    assert lines[2].split() == ["bot", "steps", "chips", "a", "game", "from", "to", "games"]
    assert [line.split()[0] for line in lines[3:6]] == ["random", "step_00000010", "step_00000020"]
    assert lines[-1] == f"Checkpoints and matches: {Path('leagues', 'small')}"
    assert "step_00000010: " in done.stderr


def test_an_interrupted_league_goes_on(run: Run, file: Path) -> None:
    """The same command continues it, to the same bytes as without an interruption."""
    assert run("league", "small.yaml", "--quiet").exit_code == 0
    whole = content(Path("leagues/small"))
    Path("leagues/small").rename("whole")
    file.write_text(FILE + "learner: {stops_at: 2}\n", "utf-8")
    stopped = run("league", "small.yaml")
    assert stopped.exit_code == 130
    assert "small has the league so far. The same command continues." in stopped.stderr
    assert sorted(content(Path("leagues/small"))) == [
        "matches/step_00000010/games.jsonl",
        "pool/step_00000010.zip",
    ]
    assert run("league", "small.yaml", "--quiet").output == ""
    assert content(Path("leagues/small")) == whole


def test_more_rounds_train_on(run: Run) -> None:
    assert run("league", "small.yaml", "--rounds", "1", "--quiet").exit_code == 0
    first = json.loads(run("league", "small.yaml", "--ratings", "--json").stdout)
    assert (first["league"], first["rounds"], first["level"]) == ("small", 1, 0.95)
    assert [row["steps"] for row in first["ratings"]] == [0, 10]
    second = json.loads(run("league", "small.yaml", "--json").stdout)
    assert [row["bot"] for row in second["ratings"]] == ["random", "step_00000010", "step_00000020"]
    (met,) = (row for row in second["ratings"] if row["bot"] == "random")
    assert met["games"] == 2 * 2 * 12
    assert met["low"] < met["rating"] < met["high"]


def test_an_invalid_file_leaves_no_folder(run: Run, file: Path) -> None:
    file.write_text(FILE + "learner: {pase: 1}\nrival: [random]\n", "utf-8")
    refused = run("league", "small.yaml", "--out", "none")
    assert refused.exit_code == 1
    assert "small.yaml:10:17: learner: TypeError" in refused.stderr
    assert "small.yaml:11:1: unknown key 'rival'. Did you mean 'rivals'?" in refused.stderr
    assert not Path("none").exists()
    missing = run("league", "small.yml")
    assert (missing.exit_code, "there is no file 'small.yml'" in missing.stderr) == (2, True)


def test_ratings_need_a_league(run: Run) -> None:
    refused = run("league", "small.yaml", "--ratings", "--out", "none")
    assert refused.exit_code == 1
    assert "there is no league in none. fix: run it" in refused.stderr
    assert not Path("none").exists()
