"""A new game, created and installed in a temporary folder."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.cli.game.new_package import write_package

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def run_in(folder: Path, *words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a Python module by its name, with the packages in the folder's `site` on the path."""
    environment = os.environ | {
        "CARDHUB_HOME": str(folder / "home"),
        "COLUMNS": "80",
        "PYTHONPATH": str(folder / "site"),
        "PYTHONIOENCODING": "utf-8",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # as in an environment with cardhub and pytest alone
    }
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def install(folder: Path, package: str) -> None:
    """Install a package of a folder into `site`, without an index or other packages."""
    words = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    done = run_in(folder, "pip", "install", *words, "--target", "site", f"./{package}")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def new_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the new game `tiny_trick`, which is installed there."""
    folder = tmp_path_factory.mktemp("new_game")
    write_package("tiny_trick", folder)
    install(folder, "tiny_trick")
    return folder


@pytest.fixture
def run(new_game: Path) -> Run:
    """Return a function that runs a module of Python where the new game is installed."""
    return lambda *words, typed="": run_in(new_game, *words, typed=typed)
