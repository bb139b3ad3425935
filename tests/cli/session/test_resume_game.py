"""`cardhub resume`: going on where a game was left."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardhub.play.records.reading import read_record

Run = Callable[..., Result]
ZOE = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seed")


def test_a_game_goes_on_where_it_was_left(run: Run, left: Path) -> None:
    before = left.read_bytes()
    result = run("resume", left, typed="1\n" * 300)
    assert result.exit_code == 0
    assert "laid (1)" in result.stdout.partition("Zoe> ")[0]
    assert "Result:" in result.stdout
    assert left.read_bytes().startswith(before)
    assert read_record(left).is_finished


def test_without_a_file_the_game_played_last_goes_on(run: Run, home: Path) -> None:
    """Finished games do not count; going on with a game makes it the last."""
    run(*ZOE, "11", typed="1\n")
    run(*ZOE, "22", typed="1\n")
    run("play", "gargon", "--seat", "Zoe=random", "--seed", "33")
    paths = {read_record(path).header.seed: path for path in (home / "games").iterdir()}
    for age, seed in enumerate((33, 22, 11)):
        os.utime(paths[seed], (1_000_000 - age, 1_000_000 - age))
    assert run("resume", typed="1\n").stdout.startswith("Gargon, seed 22\n")
    os.utime(paths[11], (2_000_000_000, 2_000_000_000))
    assert run("resume", typed="").stdout.startswith("Gargon, seed 11\n")


def test_with_nothing_to_go_on_with_that_is_said(run: Run, home: Path) -> None:
    """Exit code 1, and where was looked."""
    result = run("resume")
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"there is no unfinished game in {home / 'games'}" in result.stderr


@pytest.mark.parametrize("words", [(), ("--list",)])
def test_a_file_in_place_of_the_folder_is_told(
    run: Run, home: Path, words: tuple[str, ...]
) -> None:
    home.write_text("")
    result = run("resume", *words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{home} is not a folder. fix: name another one with CARDHUB_HOME" in result.stderr


def test_a_damaged_save_is_passed_over_with_a_warning(run: Run, home: Path) -> None:
    """It must not keep one from the others."""
    run(*ZOE, "11", typed="1\n")
    bad = home / "games" / "bad.jsonl"
    bad.write_text("rubbish\n")
    os.utime(bad, (2_000_000_000, 2_000_000_000))
    result = run("resume", typed="")
    assert result.exit_code == 0
    assert "bad.jsonl:1: not JSON" in result.stderr
    assert result.stdout.startswith("Gargon, seed 11\n")


def test_a_line_torn_off_is_left_out_with_a_warning(run: Run, left: Path) -> None:
    """A torn last line is dropped with a warning; going on writes over it."""
    whole = left.read_bytes()
    left.write_bytes(whole + b'{"seat": 0, "act')
    number = len(whole.splitlines()) + 1
    for command in ("replay", "resume"):
        result = run(command, left, typed="")
        assert result.exit_code == 0
        assert f"Warning: {left}: line {number} is incomplete and left out" in result.stderr
    assert left.read_bytes() == whole


def test_games_to_go_on_with_can_be_listed(run: Run, home: Path) -> None:
    assert "There are no unfinished games" in run("resume", "--list").stderr
    run(*ZOE, "11", typed="1\n")
    path = next((home / "games").iterdir())
    [facts] = json.loads(run("resume", "--json").stdout)
    assert facts["players"] == ["Zoe", "Anna", "Bob"]
    expected = {"number": 1, "game": "gargon", "seed": 11, "actions": 1, "file": str(path)}
    assert facts | expected == facts
    [line] = run("resume", "--list").stdout.splitlines()
    assert line.split("  ")[0].strip() == "1"
    assert "3 players" in line
    assert "just now" in line
    assert len(line) <= 80


def test_a_number_of_the_list_names_a_game(run: Run, home: Path) -> None:
    """Finished games are not counted; a file that is called by a number needs its folder."""
    run(*ZOE, "11", typed="1\n")
    run(*ZOE, "22", typed="1\n")
    paths = {read_record(path).header.seed: path for path in (home / "games").iterdir()}
    for age, seed in enumerate((22, 11)):
        os.utime(paths[seed], (1_000_000 - age, 1_000_000 - age))
    assert run("resume", "2", typed="").stdout.startswith("Gargon, seed 11\n")
    result = run("resume", "3")
    assert result.exit_code == 2
    assert "there is no saved game number 3; `cardhub resume --list` lists them" in result.stderr


def test_a_finished_game_is_sent_to_replay(run: Run, record: Path) -> None:
    result = run("resume", record)
    assert result.exit_code == 1
    assert "this game is over; replay it instead" in result.stderr


def test_a_record_of_a_missing_game_names_it(run: Run, left: Path) -> None:
    left.write_text(left.read_text("utf-8").replace('"gargon"', '"gone"', 1), "utf-8")
    result = run("resume", left)
    assert result.exit_code == 1
    assert f"{left}:1: unknown game 'gone'" in result.stderr


def test_a_record_from_elsewhere_starts_no_program_unasked(
    run: Run, left: Path, home: Path, tmp_path: Path
) -> None:
    """A save names its bots; a program among them is shown and refused, unless it is one's own."""
    marker = tmp_path / "started"
    program = f"{sys.executable} -c \"open('{marker}','w').close()\" \x1b[2J"
    header, rest = left.read_text("utf-8").split("\n", 1)
    facts = json.loads(header)
    for player in facts["players"]:
        player["kind"] = player["kind"].replace("rule", f"cmd:seconds=0.5 {program}")
    left.write_text(f"{json.dumps(facts)}\n{rest}", "utf-8")
    refused = run("resume", left, typed="1\n")
    assert (refused.exit_code, marker.exists()) == (2, False)
    assert (
        f"{left}:1: continuing would start a program or load a file: {sys.executable} -c"
        in refused.stderr
    )
    assert r"\x1b[2J" in refused.stderr
    assert "fix: add --allow-programs" in refused.stderr
    run("resume", left, "--allow-programs", typed="1\n")
    assert marker.exists()
    marker.unlink()
    own = home / "games" / "own.jsonl"
    own.parent.mkdir(parents=True)
    own.write_bytes(left.read_bytes())
    run("resume", own, typed="1\n")
    assert marker.exists()


def test_a_file_that_is_not_there_is_a_usage_error(run: Run) -> None:
    result = run("resume", "nowhere.jsonl")
    assert result.exit_code == 2
    assert "there is no file 'nowhere.jsonl'" in result.stderr


def test_a_game_without_hints_has_none_when_it_goes_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    words = ("play", "gargon", "--players", "3", "--seed", "1", "--no-hints", "--record", path)
    refused = "Hints and undo are off at this table."
    assert run(*words, typed="1\nhint\nundo\n").stdout.count(refused) == 2
    assert run("resume", path, typed="hint\nundo\n").stdout.count(refused) == 2
    assert '"helps": false' in path.read_text("utf-8")


def test_programs_of_players_who_came_later_are_not_started_unasked(run: Run, left: Path) -> None:
    for kind in (f"cmd:{sys.executable} -c pass", "rule"):
        line = {"seat": 1, "player": {"name": "Dora", "kind": kind}}
        with left.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    refused = run("resume", left, typed="1\n")
    assert refused.exit_code == 2
    assert f"continuing would start a program or load a file: {sys.executable} -c" in refused.stderr
