"""Records in which players changed, left and took actions back, on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import Result

from cardhub.play.records.recording import record_to
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon

Run = Callable[..., Result]
TOLD = (
    "Anna leaves the table",
    "A bot (random) plays for Anna",
    "Anna plays again",
    "Dora takes Bob's seat",
)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the record of a finished game in which Dora takes Bob's seat."""
    path = tmp_path / "game.jsonl"
    players = [Player("Anna", "human"), Player("Bob", "human"), Player("Chris", "random")]
    referee = set_up(Gargon(), players, {}, 3)
    record_to(referee, path)
    referee.proceed()
    rng = Random(1)

    def act() -> None:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))

    while referee.why_no_takeback(1):
        act()
    referee.note(0, "left")
    referee.seat_player(0, Player("Anna", "random"))
    referee.seat_player(0, Player("Anna", "human"))
    referee.seat_player(1, Player("Dora", "human"))
    referee.take_back(1, [0])
    while not referee.is_over:
        act()
    return path


@pytest.mark.parametrize("form", ["text", "csv"])
def test_exports_tell_the_names_of_then(run: Run, record: Path, form: str) -> None:
    exported = run("export", form, record).stdout
    lines = [line for line in exported.splitlines() if any(text in line for text in TOLD)]
    assert [text for line in lines for text in TOLD if text in line] == list(TOLD)
    before, _, after = exported.partition(TOLD[-1])
    assert "Bob" in before
    assert "Bob:" not in after
    assert ",Bob," not in after


def test_a_replay_has_the_players_of_its_steps(run: Run, record: Path, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    assert run("replay", record, "--html", page).exit_code == 0
    assert "Dora" in page.read_text("utf-8")
    shown = run("replay", record, "--as", "Dora")
    assert shown.exit_code == 0
    assert all(text in shown.stdout for text in TOLD)
    facts = json.loads(run("replay", record, "--json").stdout)
    players = {event["player"] for event in facts["events"]}
    assert {"Anna", "Bob", "Dora"} <= players


def test_an_unfinished_record_is_shown_to_its_people_only(run: Run, record: Path) -> None:
    lines = record.read_text("utf-8").splitlines()
    line = {"seat": 1, "player": {"name": "Dora", "kind": "random"}}
    record.write_text("\n".join([*lines[:3], json.dumps(line), ""]), "utf-8")
    assert run("replay", record, "--as", "Dora").exit_code == 0
    refused = run("replay", record, "--as", "all")
    assert refused.exit_code == 2
    assert "Use --as Anna or Dora or spectator" in refused.stderr
