"""`cardhub learn`: a lesson in plain text."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardhub.cli.main import cli


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep everything out of the user's own folder, and lines 80 wide."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "home"


def run(*words: str, typed: str = "") -> Result:
    """Run the command line."""
    return CliRunner().invoke(cli, words, input=typed, prog_name="cardhub")


def test_a_lesson_is_played_by_typing_its_suggestions(home: Path) -> None:
    """Comments stand out by their margin; the lesson is not among the saved games."""
    result = run("learn", "gargon", "--plain", typed="lay B4\nlay B1\nlay Y3\nfight blue\nquit\n")
    assert (result.exit_code, result.exception) == (0, None), result.output
    comments = " ".join(
        line.removeprefix("  | ") for line in result.output.splitlines() if line.startswith("  | ")
    )
    assert comments.startswith("Welcome to Gargon.")
    assert "Suggested: lay B1, lay Y3. Suggested: lay Y3." in comments
    assert "Suggested: fight yellow. Your Y3 meets Chris's Y0." in comments
    assert [path.name for path in home.rglob("*.jsonl")] == ["gargon.jsonl"]
    assert result.output.endswith("Continue the lesson with: cardhub learn gargon\n")


def test_a_lesson_goes_on_where_it_was_left_unless_it_is_restarted() -> None:
    run("learn", "gargon", "--plain", typed="lay B4\nlay B1\nquit\n")
    continued = run("learn", "gargon", "--plain", typed="quit\n").output
    assert "Welcome to Gargon." not in continued
    assert "  | Suggested: lay Y3." in continued
    restarted = run("learn", "gargon", "--plain", "--restart", typed="quit\n").output
    assert "Welcome to Gargon." in restarted
    assert "Suggested: lay B4, lay B1, lay Y3." in " ".join(restarted.replace("|", "").split())


def test_another_choice_is_made_by_typing_it_twice() -> None:
    """The first time it is refused with a reason."""
    output = run("learn", "gamon", "--plain", typed="prize 1\nprize 1\nquit\n").output
    reason = "Any prize is fine. The lesson plays for three coins. Choose it again to play it any"
    assert output.count(reason) == 1
    assert "Anna leaves the prize at 1 coin" in output


def test_a_game_without_a_lesson_says_so() -> None:
    result = run("learn", "pig", "--plain")
    assert result.exit_code != 0
    assert "has no lesson. fix: `cardhub rules pig`" in result.output
