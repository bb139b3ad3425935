"""A new game, created and installed in a temporary folder."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.kit.warm_python import WarmPython

from cardhub.cli.game.new_package import write_package

Run = Callable[..., "subprocess.CompletedProcess[str]"]
# The programs that are run often, and what they import.
WARM = ("cardhub", "pytest")
IMPORTED = (
    "pytest",
    "cardhub.cli.game.check_game",
    "cardhub.cli.game.game_info",
    "cardhub.cli.main",
    "cardhub.cli.match.run_match",
    "cardhub.cli.session.play_game",
    "cardhub.testing",
)


def environment_in(folder: Path) -> dict[str, str]:
    """Return an environment with the packages in the folder's `site` on the path."""
    return os.environ | {
        "CARDHUB_HOME": str(folder / "home"),
        "COLUMNS": "80",
        "PYTHONPATH": str(folder / "site"),
        "PYTHONIOENCODING": "utf-8",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # as in an environment with cardhub and pytest alone
    }


def run_in(folder: Path, *words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a Python module by its name."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=environment_in(folder),
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def run_here() -> Iterator[Run]:
    """Return a function that runs `cardhub` or `pytest` in a folder.

    They are not imported anew for each run, if the system has forks.
    """
    if not hasattr(os, "fork"):
        yield run_in
        return
    python = WarmPython(*IMPORTED)
    yield lambda folder, *words, typed="": python.run(words, folder, environment_in(folder), typed)
    python.close()


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
def run(new_game: Path, run_here: Run) -> Run:
    """Return a function that runs a module of Python where the new game is installed."""
    return lambda *words, typed="": (run_here if words[0] in WARM else run_in)(
        new_game, *words, typed=typed
    )
