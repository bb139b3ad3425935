"""Grades of submissions: each is on its own, and the same ones get the same grades again."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.lab.match.results import contest, seated_result

from cardhub.base.errors import AssignmentFileError
from cardhub.cli.main import cli
from cardhub.lab.match.match_spec import Contest
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing.grading.assignment import REFERENCE, SUBMISSION, read_assignment
from cardhub.testing.grading.check_process import check_submission
from cardhub.testing.grading.grader import find_submissions
from cardhub.testing.grading.standing import Standing

ASSIGNMENT = """
cardhub_assignment: 1
name: kuhn-bots
seed: 7
game: kuhn
checks: 2
positions: 4
blocks: 3
thresholds:
  - {against: random, points: 3, at_least: -1.5}
  - {against: random, points: 1.5, at_least: 4}
"""
FIRST = """
class Mine:
    def choose(self, observation, /):
        return observation.legal()[0]
"""
FAULTY = FIRST.replace("return observation.legal()[0]", "raise ValueError('no idea')")


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed plugins."""
    return find_plugins(())


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of submissions, beside the file of the assignment."""
    monkeypatch.chdir(tmp_path)
    Path("assignment.yaml").write_text(ASSIGNMENT, "utf-8")
    folder = Path("submissions")
    files = {"ann.py": FIRST, "bob/my_own.py": FAULTY, "cid, c..py": "import nowhere"}
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source, "utf-8")
    (folder / "dan").mkdir()
    (folder / "eve.py").symlink_to("nowhere.py")
    (folder / "..py").touch()
    return folder


def _grade(out: str, expected: int = 0) -> str:
    words = ["grade", "assignment.yaml", "submissions", "--out", out, "--workers", "1"]
    result = CliRunner().invoke(cli, words, prog_name="cardhub")
    assert result.exit_code == expected, result.output
    return result.output


def _results(folder: Path) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((folder / "results.json").read_bytes())
    return results


def test_a_bad_file_costs_its_student_only_and_grades_are_equal_again(course: Path) -> None:
    printed = _grade("first")
    assert "kuhn-bots: at most 6.5 points" in printed
    with Path("first/grades.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    points = {student: row["points"] for student, row in rows.items()}
    assert points == {"ann": "5", "bob": "0", "cid, c.": "0", "dan": "0", "eve": "0"}
    title = "a mean lead of −1.5 chips over random"
    assert [rows["ann"][f"{title}: {part}"] for part in ("blocks", "open")] == ["3", "yes"]
    ann, bob, cid = (_results(Path("first", name)) for name in ("ann", "bob", "cid_c."))
    assert ann["score"] == 5
    assert [test["status"] for test in ann["tests"]] == ["passed", "passed", "failed"]
    assert [test["max_score"] for test in ann["tests"]] == [2, 3, 1.5]
    assert "after 3 blocks" in ann["tests"][1]["output"]
    assert "ValueError: no idea" in bob["tests"][0]["output"]
    assert "Faults: exception in 6 games" in bob["tests"][1]["output"]
    assert "No module named 'nowhere'" in cid["tests"][0]["output"]
    assert cid["tests"][1]["output"] == "it did not play, because it cannot be made"
    assert "it cannot be read" in _results(Path("first/eve"))["tests"][0]["output"]
    assert "0 Python files" in _results(Path("first/dan"))["tests"][0]["output"]

    assert "first is not empty" in _grade("first", expected=2)
    (course / "bob/my_own.py").unlink()  # the grades of others do not depend on it
    _grade("second")
    for name in ("ann", "cid_c.", "dan"):
        again = Path("second", name, "results.json").read_bytes()
        assert again == Path("first", name, "results.json").read_bytes()


def test_code_that_ends_its_process_or_never_returns_is_not_made(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("import os\nos._exit(0)\n", "utf-8")
    checked = check_submission((), file, "kuhn", 4, 0, None)
    assert (checked.is_made, checked.problems) == (False, ("its checks ended with exit code 0",))
    file.write_text("import time\ntime.sleep(600)\n", "utf-8")
    checked = check_submission((), file, "kuhn", 4, 0, None, patience=0.1)
    assert checked.problems == ("its checks did not end within 0.1 seconds",)


def test_a_submission_is_a_file_or_a_folder_with_one(tmp_path: Path) -> None:
    for name in (
        "ann.py",
        "bob/bot.py",
        "_draft.py",
        "bob/other.py",
        "cid/a.py",
        "cid/b.py",
        "notes.txt",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "__pycache__").mkdir()
    ann, bob, cid = find_submissions(tmp_path)
    assert (ann.student, ann.file) == ("ann", tmp_path / "ann.py")
    assert (bob.student, bob.file) == ("bob", tmp_path / "bob/bot.py")
    assert (cid.student, cid.file) == ("cid", None)
    assert cid.reason == "it has 2 Python files, and none of them is bot.py"


def _standing(game: Contest, goals: list[float], leads: list[int]) -> Standing:
    standing = Standing(game, 0.95, goals)
    for number, lead in enumerate(leads):
        if standing.is_enough(number):
            break
        result = seated_result([SUBMISSION, REFERENCE], [lead, 0])
        standing.block(None, [result])  # type: ignore[arg-type]  # only the results count
    return standing


def test_a_match_ends_as_soon_as_no_goal_is_within_the_interval() -> None:
    leads = [3, 5] * 200
    clear = _standing(contest(2, "points"), [0.0], leads)
    assert (clear.side(0.0), clear.blocks < len(leads)) == ("above", True)
    assert _standing(contest(2, "points"), [10.0], leads).side(10.0) == "below"
    near = _standing(contest(2, "points"), [0.0, 4.0], leads)
    assert ([near.side(goal) for goal in (0.0, 4.0)], near.blocks) == (["above", "open"], 400)


def test_scores_without_points_are_compared_with_one_half() -> None:
    game = contest(2, "win")
    assert _standing(game, [game.even], [1] * 100).side(game.even) == "above"
    assert _standing(game, [game.even], [1, -1] * 20).side(game.even) == "open"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("game: kuhn", "game: kun", ":4:7: unknown game 'kun'"),
        ("against: random", "against: randm", ":9:15: unknown bot 'randm'"),
        ("points: 3,", "", ":9:5: missing key 'points'"),
        (
            "at_least: 4",
            "at_least: -1.5",
            ":10:15: .* against random is there twice",
        ),
        ("blocks: 3", "block: 3", ":7:1: unknown key 'block'"),
        ("blocks: 3", "players: 9", ":7:10: Kuhn poker is for 2 players, not for 9"),
    ],
)
def test_all_problems_of_an_assignment_have_positions(
    old: str, new: str, problem: str, tmp_path: Path, registry: PluginRegistry
) -> None:
    file = tmp_path / "assignment.yaml"
    file.write_text(ASSIGNMENT.replace(old, new).strip() + "\n", "utf-8")
    with pytest.raises(AssignmentFileError, match=problem):
        read_assignment(file, registry)
