"""Games of equal seeds give the bytes they gave before, version fields aside."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cardhub.cli.main import cli

HERE = Path(__file__).parent
RECORDS = sorted((HERE / "records").glob("*.jsonl"))
# Fields of a first line that follow the versions of formats, games, cardhub and Python.
VERSIONS = {
    *("cardhub_record", "version", "edition"),
    *("cardhub_match", "versions", "sha256", "match"),
}


def cardhub(*arguments: str) -> None:
    """Run one command that has to succeed."""
    result = CliRunner().invoke(cli, arguments, prog_name="cardhub")
    assert result.exit_code == 0, result.output


def first_line(lines: list[str]) -> dict[str, Any]:
    """Return the first line, without the fields that follow versions."""
    return {key: value for key, value in json.loads(lines[0]).items() if key not in VERSIONS}


def assert_same(now: Path, before: Path) -> None:
    """Compare two files: their first lines as values, all others as text."""
    new, old = (path.read_text("utf-8").splitlines() for path in (now, before))
    assert first_line(new) == first_line(old)
    assert new[1:] == old[1:]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests out of the user's own files."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("record", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_game_gives_the_record_it_gave_before(record: Path, tmp_path: Path) -> None:
    """The seed decides the deal and every choice of rules of thumb, random bots and searches."""
    header = json.loads(record.read_text("utf-8").splitlines()[0])
    seats = [word for player in header["players"] for word in seat(player)]
    now = tmp_path / "now.jsonl"
    seed = ("--seed", str(header["seed"]))
    cardhub("play", header["game"], "--plain", *seed, *seats, "--record", str(now))
    assert_same(now, record)


def seat(player: dict[str, str]) -> tuple[str, str]:
    """Return the option that seats a player of a record."""
    return "--seat", f"{player['name']}={player['kind']}"


def test_a_match_gives_the_log_it_gave_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match seats three bots everywhere in three games; its log is compared with a file."""
    monkeypatch.chdir(tmp_path)
    cardhub("match", str(HERE / "match" / "match.yaml"), "--workers", "1", "--pages", "none")
    assert_same(tmp_path / "run" / "games.jsonl", HERE / "match" / "games.jsonl")
