"""A bot's fault is saved next to the record, and can be reproduced."""

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[str]"]

MOODY = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"name": "moody", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        steps = [step for step in message["news"] if step["seat"] == 1]
        if steps:
            sys.exit("I have acted once, and that is enough")
        print(json.dumps({"action": message["legal"][0]["action"]}), flush=True)
"""


@pytest.fixture
def moody(tmp_path: Path) -> str:
    """Return the spec of a program that ends when it is to act for the second time."""
    path = tmp_path / "moody.py"
    path.write_text(MOODY)
    return f"cmd:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}"


def play(run: Run, spec: str, record: Path) -> Result:
    """Play a game of Gargon in which this bot sits in the second seat."""
    words = ("--players", "3", "--seat", "Zoe=rule", "--seat", f"Bob={spec}", "--seed", "1")
    return run("play", "gargon", *words, "--record", record, samples=True)


def test_a_fault_is_kept_beside_the_record(run: Run, moody: str, tmp_path: Path) -> None:
    """The message says how to reproduce it; the exit code is the code for bots."""
    result = play(run, moody, tmp_path / "game.jsonl")
    assert result.exit_code == 3
    assert "the bot Bob" in result.stderr
    assert "ended while it was asked" in result.stderr
    assert "I have acted once" not in result.stderr
    assert f"To reproduce it: cardhub bot repro {tmp_path / 'game.fault.json'}" in result.stderr
    assert (tmp_path / "game.fault.json").exists()


def test_a_fault_shows_again(run: Run, moody: str, tmp_path: Path) -> None:
    """Exit code 3, with the first fault and the new one."""
    play(run, moody, tmp_path / "game.jsonl")
    result = run("bot", "repro", tmp_path / "game.fault.json")
    assert result.exit_code == 3
    assert "Then (crash), in decision 2 of cmd:" in result.output
    assert "Now (crash), in decision 2: " in result.output
    assert result.output.endswith("The fault is reproduced.\n")


def test_a_bot_that_was_mended_does_not_show_it(run: Run, moody: str, tmp_path: Path) -> None:
    """Exit code 0, and the action it chooses."""
    play(run, moody, tmp_path / "game.jsonl")
    program = tmp_path / "moody.py"
    program.write_text(program.read_text().replace("if steps:", "if False:"))
    result = run("bot", "repro", tmp_path / "game.fault.json")
    assert result.exit_code == 0
    assert "The fault is not reproduced." in result.output
    assert "It chose another action" not in result.output


def test_another_bot_can_be_asked_instead(run: Run, moody: str, tmp_path: Path) -> None:
    play(run, moody, tmp_path / "game.jsonl")
    path = tmp_path / "game.fault.json"
    assert run("bot", "repro", path, "--bot", "rule").exit_code == 0
    result = run("bot", "repro", path, "--bot", "fool", samples=True)
    assert result.exit_code == 3
    assert "ZeroDivisionError" in result.output
    assert "It is at fault again, earlier: exception." in result.output


def test_a_fault_of_a_bot_within_this_process_has_its_traceback(run: Run, tmp_path: Path) -> None:
    play(run, "fool", tmp_path / "game.jsonl")
    result = run("bot", "repro", tmp_path / "game.fault.json", samples=True)
    assert result.exit_code == 3
    assert "return 1 // 0" in result.output


def test_programs_can_read_the_outcome(run: Run, moody: str, tmp_path: Path) -> None:
    play(run, moody, tmp_path / "game.jsonl")
    result = run("bot", "repro", tmp_path / "game.fault.json", "--json")
    outcome = json.loads(result.stdout)
    assert result.exit_code == 3
    assert (outcome["seat"], outcome["asked"], outcome["decisions"], outcome["changed"]) == (
        1,
        2,
        2,
        0,
    )
    assert outcome["before"]["fault"] == outcome["now"]["fault"] == "crash"
    assert outcome["chosen"] is None


def test_a_game_that_is_resumed_fails_and_shows_it_again(
    run: Run, moody: str, tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    play(run, moody, record)
    result = run("resume", record, "--allow-programs")
    assert result.exit_code == 3
    assert "game.fault2.json" in result.stderr
    result = run("bot", "repro", tmp_path / "game.fault2.json")
    assert result.exit_code == 3
    assert "decision 1 of cmd:" in result.output


def test_a_file_that_is_no_reproduction_is_refused(run: Run, record: Path) -> None:
    result = run("bot", "repro", record)
    assert result.exit_code == 1
    assert "whole.jsonl: not JSON" in result.stderr


def test_a_command_that_cannot_be_is_an_error_of_the_command_line(run: Run, tmp_path: Path) -> None:
    result = play(run, "cmd:pyhton3 bot.py", tmp_path / "game.jsonl")
    assert result.exit_code == 2
    assert "there is no program 'pyhton3'. Did you mean" in result.stderr
    assert not (tmp_path / "game.jsonl").exists()


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_program_that_introduces_itself_badly_keeps_the_game_from_beginning(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_terminal: bool
) -> None:
    """No record is written, and no screen is opened."""
    monkeypatch.setattr("cardhub.cli.session.front_end.is_terminal", lambda: is_terminal)
    result = play(run, "cmd:echo hello", tmp_path / "game.jsonl")
    assert result.exit_code == 3
    assert "bot 'cmd:echo hello' cannot be made: it wrote 'hello'" in result.stderr
    assert not (tmp_path / "game.jsonl").exists()


def test_with_a_chosen_seed_the_generator_comes_from_the_record_beside(
    run: Run, moody: str, tmp_path: Path
) -> None:
    """The file itself omits it, because it could reveal the deal."""
    play(run, moody, tmp_path / "game.jsonl")
    path = tmp_path / "game.fault.json"
    assert json.loads(path.read_text("utf-8"))["generator"] is None
    assert "Warning" not in run("bot", "repro", path).stderr


def test_without_the_record_the_bot_gets_a_new_generator(
    run: Run, moody: str, tmp_path: Path
) -> None:
    """Which is said, and how to do better; the record may be named."""
    record, path = tmp_path / "game.jsonl", tmp_path / "elsewhere" / "given.fault.json"
    play(run, moody, record)
    path.parent.mkdir()
    (tmp_path / "game.fault.json").rename(path)
    fresh = run("bot", "repro", path)
    assert fresh.exit_code == 3
    assert "Warning: the bot gets a new random generator" in fresh.stderr
    assert "Warning" not in run("bot", "repro", path, "--record", record).stderr


def test_the_record_of_another_game_is_refused(
    run: Run, moody: str, record: Path, tmp_path: Path
) -> None:
    play(run, moody, tmp_path / "game.jsonl")
    result = run("bot", "repro", tmp_path / "game.fault.json", "--record", record)
    assert result.exit_code == 1
    assert "whole.jsonl:1: this is not the game in which the bot failed" in result.stderr
