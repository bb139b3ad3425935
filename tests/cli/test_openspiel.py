"""OpenSpiel's games on the command line: played, resumed, replayed, in matches."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


def test_a_game_is_played_left_resumed_and_replayed(run: Run, tmp_path: Path) -> None:
    """A record names the game as it was typed; one seat's replay hides the other's card."""
    record = str(tmp_path / "leduc.jsonl")
    seats = ("--seat", "Anna=human", "--seat", "Bob=random", "--record", record)
    begun = run("play", "openspiel:leduc_poker", "--plain", "--seed", "3", *seats, typed="call\n")
    assert "Leduc Poker (OpenSpiel)" in begun.output
    done = run("resume", record, "--plain", typed="call\n" * 20)
    assert "Result:" in done.output, done.output
    replayed = run("replay", record, "--as", "Anna")
    assert replayed.exit_code == 0, replayed.output
    assert "Anna: Call" in replayed.output


def test_a_step_is_taken_back(run: Run) -> None:
    done = run(
        *("play", "openspiel:deep_sea", "--plain", "--seat", "Anna=human"),
        typed="1\nundo\nright\nq\n",
    )
    assert "Anna takes back the last action" in done.output, done.output
    assert "......x" in done.output


@pytest.mark.parametrize("is_installed", [True, False])
def test_the_list_of_games_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, is_installed: bool
) -> None:
    if not is_installed:
        monkeypatch.setitem(sys.modules, "pyspiel", None)
    listed = " ".join(run("games").stdout.split())
    assert "openspiel:... cardhub" in listed
    remedy = (
        "OpenSpiel is not installed. fix: pip install '.[openspiel]' in the checkout of cardhub"
    )
    assert (remedy in listed) is not is_installed


def test_games_are_played_in_matches(run: Run, tmp_path: Path) -> None:
    """The match file names the game as the command line does; its log is verified."""
    match = tmp_path / "match.yaml"
    match.write_text(
        "cardhub_match: 1\nname: cup\nseed: 1\nworkers: 1\nschedule: {blocks: 1}\n"
        "bots: [{id: dice, use: random}, {id: tree, use: 'ismcts:20'}]\n"
        "games: [{game: openspiel:tic_tac_toe}]\n"
        f"out: {tmp_path / 'runs'}\n",
        "utf-8",
    )
    done = run("match", str(match), "--pages", "none")
    assert done.exit_code == 0, done.output
    assert "openspiel:tic_tac_toe: 2 games" in done.output
    verified = run("match", "verify", str(tmp_path / "runs"))
    assert verified.exit_code == 0, verified.output


def test_without_openspiel_its_games_are_errors_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ModuleNotFoundError(name='pyspiel')", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "cardhub", "play", "openspiel:chess", "--plain"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "pip install '.[openspiel]' in the checkout of cardhub" in done.stderr
    assert "Traceback" not in done.stderr


def test_games_without_determinizations_are_left_out_or_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A review rates the other games of the match, and a study needs no search."""
    monkeypatch.chdir(tmp_path)
    Path("match.yaml").write_text(
        "cardhub_match: 1\nname: cup\nseed: 1\nworkers: 1\nschedule: {blocks: 1}\n"
        "bots: [{id: dice, use: random}, {id: die, use: random}]\nout: cup\n"
        "games: [{game: openspiel:euchre, fill: mirror}, {game: leduc}]\n",
        "utf-8",
    )
    played = run("match", "match.yaml", "--quiet", "--pages", "none")
    assert played.exit_code == 0, played.output
    words = ("match", "review", "cup", "--workers", "1", "--games", "1", "--with", "ismcts:10")
    reviewed = run(*words)
    assert reviewed.exit_code == 0, reviewed.output
    assert "no determinizations, so not reviewed: openspiel:euchre" in reviewed.stderr
    assert "dice in leduc" in reviewed.stdout
    named = run(*words, "--game", "openspiel:euchre", "--fresh")
    assert (named.exit_code, "fix: use bots that need none" in named.stderr) == (2, True)
    studied = run("study", "openspiel:euchre", "--deals", "1", "--workers", "1", "--out", "study")
    assert studied.exit_code == 0, studied.output
    refused = run("bot", "exploit", "random", "openspiel:euchre")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: openspiel:euchre has no determinizations")
