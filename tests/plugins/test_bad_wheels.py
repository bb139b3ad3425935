"""Packages, each bad in its own way, are installed at once: the others work."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardhub.cli.main import cli
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub_gargon import Gargon

Install = Callable[..., Path]
Run = Callable[..., Result]
HOOKS = """
import sys
import time
from cardhub import BotEntry, Theme, hookimpl
from cardhub.bots.deadline import TIMER
{}
@hookimpl
def register_commands(cli): pass
@hookimpl
def register_bots(): return [{}]
@hookimpl
def register_themes(): return [{}]
"""
THIEF = "BotEntry({!r}, 'claims it', sys.exit)"
# By package, the source of a module with hooks.
BROKEN = {
    "raises": HOOKS.format("1 / 0", "", ""),
    "exits": HOOKS.format("sys.exit(0)", "", ""),
    "asks": HOOKS.format("input('What? ')", "", ""),
    "lacks": HOOKS.format("import no_such_module", "", ""),
    "misspells": HOOKS.format("def", "", ""),
    # The limit of time has passed: without the next line the test would wait for it.
    "hangs": HOOKS.format("TIMER.deadline = 0; time.sleep(600)", "", ""),
}
HARMLESS = {
    "prints": HOOKS.format("print('printed')", "", ""),
    "sleeps": HOOKS.format("time.sleep(0.01)", "", ""),
    "random": HOOKS.format("", THIEF.format("random"), ""),
    "medium": HOOKS.format("", THIEF.format("medium"), ""),
    "theme": HOOKS.format("", "", "Theme('textual-dark', 'claims it', '#112233')"),
}
OLD_SCORES = "scores(self, state, more"
REASONS = {
    "raises": "ZeroDivisionError: division by zero (",
    "exits": "SystemExit: 0 (",
    "asks": "EOFError: ",
    "lacks": "No module named 'no_such_module'",
    "misspells": "SyntaxError: invalid syntax (",
    "hangs": "its import did not end within 60 seconds. fix: leave it out with --no-plugin hangs",
    "missing": "No module named 'bad_missing'",
    "thief": "is ignored: the name belongs to cardhub",
    "old": "Higher has scores(self, state, more), but cardhub calls scores(self, state)",
    "object": "is 5, neither a module nor a class derived from Game",
    "newer": "needs cardhub>=9, but this is cardhub ",
}
WARNINGS = (
    "bot 'random' of plugin 'random' of bad-random 1.0 is ignored",
    "bot 'medium' of plugin 'medium' of bad-medium 1.0 is ignored",
    "theme 'textual-dark' of plugin 'theme' of bad-theme 1.0 is ignored",
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a hanging import is ended by a signal")


@pytest.fixture
def run(install: Install, game_source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Install the packages; return a function that runs `cardhub`."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    for name, source in (BROKEN | HARMLESS).items():
        install(f"bad-{name}", {PLUGINS: {name: f"bad_{name}"}}, **{f"bad_{name}": source})
    install("bad-missing", {PLUGINS: {"missing": "bad_missing"}})
    install("bad-thief", {GAMES: {"gargon": "bad_thief"}}, bad_thief="raise SystemExit(0)")
    install("bad-object", {GAMES: {"number": "bad_object:NUMBER"}}, bad_object="NUMBER = 5")
    install("bad-newer", {GAMES: {"newer": "bad_newer"}}, "cardhub>=9", bad_newer="1 / 0")
    old = game_source.replace('"higher"', '"oldie"').replace("scores(self, state", OLD_SCORES)
    install("bad-old", {GAMES: {"oldie": "bad_old"}}, bad_old=old)

    def run(*words: str | Path) -> Result:
        return CliRunner().invoke(cli, [str(word) for word in words], prog_name="cardhub")

    return run


def test_every_bad_package_is_listed_with_its_reason(run: Run) -> None:
    result = run("plugins", "--json")
    assert result.exit_code == 0
    errors = {row["from"]: row["error"] for row in json.loads(result.stdout)}
    for name, reason in REASONS.items():
        assert reason in errors[f"bad-{name}"]
        assert f"bad-{name} 1.0" in errors[f"bad-{name}"]
    assert [errors[f"bad-{name}"] for name in HARMLESS] == [None] * len(HARMLESS)
    own = {row: error for row, error in errors.items() if not row.startswith("bad-")}
    assert set(own.values()) == {None}
    for warning in WARNINGS:
        assert warning in result.stderr
    assert "printed" in result.stderr


def test_the_help_lists_the_commands_in_spite_of_bad_packages(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "  play " in result.stdout
    assert "printed" not in result.stdout


def test_gargon_is_played_at_every_level_without_an_import_of_bad_packages(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels = {"easy": "rule", "medium": "ismcts:3", "hard": "ismcts:4"}
    monkeypatch.setattr(Gargon, "levels", levels)  # as the levels, but quicker
    record = tmp_path / "game.jsonl"
    seats = [f"--seat={level}={level}" for level in levels]
    result = run("play", "gargon", "--plain", "--seed", "1", *seats, "--record", record)
    assert result.exit_code == 0, result.stderr
    assert "The game is over" in result.stdout
    assert [name for name in sys.modules if name.startswith("bad_")] == []
    exported = run("export", "csv", record)
    assert exported.exit_code == 0
    rows = exported.stdout.splitlines()
    assert rows[0].startswith("number,kind,player,")
    assert all(row.split(",")[0].isdecimal() for row in rows[1:])
    assert run("games", "--json").exit_code == 0
    assert [name for name in sys.modules if name.startswith("bad_")] == []
