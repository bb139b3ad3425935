"""`cardhub bot list`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.cli.conftest import SAMPLES

Run = Callable[..., Result]

PATIENT = """
from cardhub import AnyBot, BotEntry, Flag, Number, hookimpl
from cardhub.bots import RandomBot

OPTIONS = {
    "turns": Number(3, "How many turns it waits before it looks at its cards for once.", 1, 9),
    "loud": Flag(True, "Whether it sighs."),
    "then": AnyBot("random", "Who goes on."),
}

@hookimpl
def register_bots():
    return [BotEntry("patient", "waits", lambda rng, **options: RandomBot(rng), options=OPTIONS)]
"""


@pytest.fixture
def patient(tmp_path: Path) -> Path:
    """Return a plugins directory with a bot that has options, and a game that has levels."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "waiting.py").write_text(PATIENT)
    source = SAMPLES / "higher.py"
    levels = '    state_type = Table\n    levels = {"easy": "random", "medium": "patient:9"}\n'
    higher = source.read_text("utf-8").replace("    state_type = Table\n", levels)
    (folder / "higher.py").write_text(higher)
    return folder


def listed(result: Result) -> dict[str, Any]:
    """Return the listing from JSON."""
    facts: dict[str, Any] = json.loads(result.stdout)
    return facts


def test_the_bots_for_a_game_are_listed_with_the_default_opponent(run: Run) -> None:
    facts = listed(run("bot", "list", "gargon", "--json"))
    bots = {bot["name"]: bot["default_for"] for bot in facts["bots"]}
    assert (bots["random"], bots["rule"]) == ([], ["gargon"])
    assert facts["default"] == {"gargon": "rule"}
    rows = run("bot", "list", "gargon").stdout
    assert "counts colours and values, looks no further (the default\n" in rows
    assert "gamon" not in rows


def test_all_bots_are_listed_with_their_games(run: Run) -> None:
    """`any game` where a bot does not say; a game's own bots play that."""
    result = run("bot", "list", samples=True)
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split("  ")[0] for line in result.stdout.splitlines()]
    assert {"random", "rule", "shower", "picky"} <= set(rows)
    facts = listed(run("bot", "list", "--json", samples=True))
    games = [(bot["name"], bot["games"], bot["default_for"]) for bot in facts["bots"]]
    assert ("picky", ["bridge"], []) in games
    assert ("rule", ["gamon"], ["gamon"]) in games
    assert ("shower", None, []) in games


def test_options_are_listed_with_defaults_ranges_and_help(run: Run, patient: Path) -> None:
    """All that is needed to write a spec, in lines that fit a terminal."""
    result = run("--plugins-dir", patient, "bot", "list")
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.split()[:3] == ["patient", "turns", "3"] for line in lines)
    assert any(line.split()[:3] == ["patient", "loud", "true"] for line in lines)
    assert "(a number from 1 to 9)" in " ".join(result.stdout.split())
    (bot,) = (
        bot
        for bot in listed(run("--plugins-dir", patient, "bot", "list", "--json"))["bots"]
        if bot["name"] == "patient"
    )
    assert bot["options"][0] == {
        "name": "turns",
        "default": 3,
        "values": "a number from 1 to 9",
        "help": "How many turns it waits before it looks at its cards for once.",
    }


def test_levels_are_listed_with_what_they_stand_for(run: Run, patient: Path) -> None:
    """The weakest first; one can be the default opponent."""
    result = run("--plugins-dir", patient, "bot", "list", "higher")
    table = result.stdout.split("\n\n")[-1].splitlines()
    assert [line.split()[:2] for line in table[:3]] == [
        ["level", "stands"],
        ["easy", "random"],
        ["medium", "patient:9"],
    ]
    assert "looks ahead a little (the default opponent)" in " ".join(" ".join(table[2:4]).split())
    facts = listed(run("--plugins-dir", patient, "bot", "list", "--json"))
    assert facts["levels"]["higher"]["medium"] == "patient:9"
    assert "easy" in facts["levels"]["gargon"]


def test_a_level_that_no_bot_can_be_is_a_warning_beside_the_list(run: Run, patient: Path) -> None:
    """The game's bots are listed all the same."""
    path = patient / "higher.py"
    path.write_text(path.read_text("utf-8").replace("patient:9", "patient:99"))
    result = run("--plugins-dir", patient, "bot", "list", "higher")
    assert result.exit_code == 0
    assert "\nrandom " in result.stdout
    assert "Warning: level 'medium' of 'higher' is 'patient:99'" in result.stderr


def test_a_broken_game_is_a_warning_beside_the_list_and_an_error_when_named(
    run: Run, tmp_path: Path
) -> None:
    """Other games are listed, without bots for the broken one."""
    (tmp_path / "odd.py").write_text("import nothing_of_that_name\nclass Odd(Game): pass")
    result = run("--plugins-dir", tmp_path, "bot", "list")
    assert result.exit_code == 0
    assert "Warning: " in result.stderr
    assert "nothing_of_that_name" in result.stderr
