"""The command line, run within the test or in a new process, with a temporary home."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result
from tests.kit.paths import TESTS

from cardhub.cli.main import cli

SAMPLES = TESTS / "plugins" / "samples"
THINKERS = TESTS / "play" / "workers" / "thinkers"
GARGON = ("gargon", "--players", "3", "--seed", "1")
ENTRANTS = TESTS / "lab" / "match" / "entrants"

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep saved games out of the user's own folder, and lines 80 wide."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("CARDHUB_PLUGINS_DIR", raising=False)
    return tmp_path / "home"


@pytest.fixture
def run() -> Run:
    """Return a function that runs `cardhub` with words as its arguments and with typed lines."""

    def run(*words: str | Path, typed: str | None = None, samples: bool = False) -> Result:
        arguments = [str(word) for word in words]
        if samples:
            arguments = ["--plugins-dir", str(SAMPLES), *arguments]
        return CliRunner().invoke(cli, arguments, input=typed, prog_name="cardhub")

    return run


@pytest.fixture
def start() -> Start:
    """Return a function that starts `python -m cardhub` as a new process."""

    def start(*words: str | Path) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "cardhub", *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        )

    return start


@cache
def recorded(*words: str, typed: str | None = None) -> bytes:
    """Play a game and return its record: each game is played once for all tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "game.jsonl")
        arguments = ["play", *words, "--record"]
        done = CliRunner().invoke(cli, [*arguments, str(path)], input=typed, prog_name="cardhub")
        assert done.exit_code == 0, done.stderr
        return path.read_bytes()


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the record of a whole game of bots."""
    path = tmp_path / "whole.jsonl"
    path.write_bytes(recorded(*GARGON, "--seat", "Zoe=random"))
    return path


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """Return the record of a game that Zoe has left after laying one card."""
    path = tmp_path / "left.jsonl"
    path.write_bytes(recorded(*GARGON, "--seat", "Zoe=human", typed="1\nquit\n"))
    return path
