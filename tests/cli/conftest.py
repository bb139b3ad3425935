"""The command line, run within the test or in a new process, with a temporary home."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.kit.paths import TESTS

from cardhub.cli.main import cli

SAMPLES = TESTS / "plugins" / "samples"
THINKERS = TESTS / "play" / "workers" / "thinkers"
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


@pytest.fixture
def record(run: Run, tmp_path: Path) -> Path:
    """Return the record of a whole game of bots."""
    path = tmp_path / "whole.jsonl"
    done = run(
        "play", "gargon", "--players", "3", "--seat", "Zoe=random", "--seed", "1", "--record", path
    )
    assert done.exit_code == 0, done.stderr
    return path


@pytest.fixture
def left(run: Run, tmp_path: Path) -> Path:
    """Return the record of a game that Zoe has left after laying one card."""
    path = tmp_path / "left.jsonl"
    words = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seed", "1")
    done = run(*words, "--record", path, typed="1\nquit\n")
    assert done.exit_code == 0, done.stderr
    return path
