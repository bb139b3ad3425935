"""`cardhub stats` and `cardhub verify`."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def played(run: Run, home: Path) -> Path:
    """Play a game of Gargon to its end and begin another one; return the folder of games."""
    game = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seat", "Bob=random")
    run(*game, "--seat", "Chris=random", "--seed", "1", typed="1\n" * 300)
    run(*game, "--seed", "2", typed="1\n")
    return home / "games"


def test_finished_games_are_listed_by_game_and_bots(run: Run, played: Path) -> None:
    result = run("stats")
    assert result.exit_code == 0
    head, row = result.stdout.splitlines()
    assert head.split() == ["game", "bots", "games", "won", "average"]
    assert row.split()[:3] == ["Gargon", "random", "1"]
    assert " of 1 " in row
    assert "points" in row


def test_statistics_are_exported(run: Run, played: Path) -> None:
    [row] = csv.DictReader(StringIO(run("stats", "gargon", "--csv").stdout))
    facts = json.loads(run("stats", "--json").stdout)
    [game] = facts["games"]
    assert row["name"] == game["name"] == "Zoe"
    assert row["score"] == str(game["score"])
    assert facts["rows"][0]["average"] == game["score"]
    assert Path(row["file"]).parent == played


def test_another_game_or_person_has_no_games(run: Run, played: Path) -> None:
    """A message says so, which is not an error; JSON and CSV stay readable for programs."""
    for words in (("stats", "gamon"), ("stats", "--name", "Anna")):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (0, "")
        assert "no finished game" in result.stderr
    assert json.loads(run("stats", "gamon", "--json").stdout) == {"rows": [], "games": []}
    assert run("stats", "--csv", "--json").exit_code == 2


def test_a_game_with_a_drawn_seed_can_be_verified(run: Run, tmp_path: Path) -> None:
    """The exit code is 0 with one line, or 1 with a line for each problem."""
    path = tmp_path / "game.jsonl"
    run("play", "gargon", "--seat", "Zoe=random", "--record", path)
    result = run("verify", path)
    assert result.exit_code == 0
    assert result.stdout == "The deal matches the commitment from before the first card was seen.\n"
    text = path.read_text("utf-8")
    seed = json.loads(text.splitlines()[0])["seed"]
    path.write_text(text.replace(seed, "5eed" * 8), "utf-8")
    result = run("verify", path)
    assert result.exit_code == 1
    assert "the revealed seed is not the one committed to in line 1\n" in result.stdout


def test_a_game_with_a_chosen_seed_cannot_be_checked(run: Run, record: Path) -> None:
    """The message says that the seed was chosen."""
    result = run("verify", record)
    assert result.exit_code == 1
    assert "whole.jsonl:1: no commitment: whoever chose the seed knew the deal" in result.stdout
