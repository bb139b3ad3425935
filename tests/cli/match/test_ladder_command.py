"""`cardhub ladder`: begin, go on, list."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardhub.cli.main import cli

Run = Callable[..., Result]


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs `cardhub ladder mine` with some words."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Result:
        arguments = ["ladder", "mine", "--workers", "1", *words]
        return CliRunner().invoke(cli, arguments, prog_name="cardhub")

    return run


def test_a_ladder_is_begun_and_goes_on(ladder: Run) -> None:
    begun = ladder("--game", "kuhn", "--add", "random", "--add", "ismcts:1", "--meetings", "1")
    assert begun.exit_code == 0, begun.output
    assert "Version: ismcts-1 (ismcts:1)" in begun.stderr
    assert "kuhn: 20 games in 1 meeting, Elo above the first version" in begun.stdout
    facts = json.loads(ladder("--meetings", "2", "--json", "--quiet").stdout)
    assert (facts["meetings"], facts["games"]) == (3, 60)
    assert json.loads(Path("mine/ratings.json").read_bytes()) == facts
    page = Path("mine/ladder.html").read_text("utf-8")
    assert '<th scope="row">ismcts-1</th>' in page
    assert "2 versions, 2 players at the table: 60 games played in 3 meetings." in page


def test_a_ladder_has_to_be_begun_and_needs_two_bots(ladder: Run) -> None:
    missing = ladder("--meetings", "1")
    assert missing.exit_code == 1
    assert "fix: begin it with --game GAME" in missing.output
    alone = ladder("--game", "kuhn", "--add", "random")
    assert alone.exit_code == 0
    assert "fix: add a bot with --add BOT" in alone.stderr
