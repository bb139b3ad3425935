"""One build for all tests: the core, Kuhn poker, and two games in a folder of plugins."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.kit.paths import ROOT

from cardhub.base.native.folder import VARIABLE
from cardhub.compiling.compiled_games import build_request, game_sources
from cardhub.compiling.native_build import build
from cardhub.plugins.registry import find_plugins

KUHN = ROOT / "examples" / "kuhn" / "kuhn"
PROBE = Path(__file__).with_name("probe.py")
SHARE = '''

def share(players: int) -> int:
    """Return the share of each player."""
    pot = 10
    return pot // players


def face_of(state: Table, token: int) -> int:
    """Return the face of a token."""
    return state.face[token]
'''


class Build(NamedTuple):
    """A folder of compiled modules, and the folder of plugins it was made for."""

    folder: Path
    plugins: Path


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Return the build; no test may change it."""
    home = tmp_path_factory.mktemp("compiled")
    plugins = write_plugins(home / "plugins")
    sources = game_sources(find_plugins([plugins]))
    games = ("kuhn", "magpie", "wren")
    request = build_request((sources[name] for name in games), optimization="0")
    assert not build(request, home / "build", games).obstacles
    return Build(home / "build", plugins)


@pytest.fixture
def copied(compiled: Build, tmp_path: Path) -> Build:
    """Return a copy of the build that a test may change; its plugins are the same."""
    folder = shutil.copytree(compiled.folder, tmp_path / "copy")
    return compiled._replace(folder=folder)


def write_plugins(folder: Path) -> Path:
    """Write Magpie, a package, and Wren and Rook, single files."""
    source = (KUHN / "game.py").read_text("utf-8") + SHARE
    package = folder / "magpie"
    shutil.copytree(KUHN, package, ignore=shutil.ignore_patterns("__pycache__", "game.py"))
    package.joinpath("__init__.py").write_text("from .rules import Magpie\n", "utf-8")
    package.joinpath("rules.py").write_text(renamed(source, "Magpie"), "utf-8")
    folder.joinpath("wren.py").write_text(renamed(source, "Wren"), "utf-8")
    # A game that is not compiled, with a method of another form than the compiled core calls.
    old = renamed(source, "Rook").replace("def scores(self, state", "def scores(self, state, more")
    folder.joinpath("rook.py").write_text(old, "utf-8")
    shutil.copy(KUHN / "cards.yaml", folder)
    return folder


def renamed(source: str, name: str) -> str:
    """Return the source of Kuhn poker under another game's name."""
    return source.replace("Kuhn", name).replace('"kuhn"', f'"{name.lower()}"')


def run(words: tuple[str, ...], folder: Path | None) -> subprocess.CompletedProcess[str]:
    """Run a Python program with the modules of a folder, or without compiled modules."""
    environment = {**os.environ, VARIABLE: str(folder or 0)}
    command = [sys.executable, *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def cardhub(folder: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of cardhub."""
    return run(("-m", "cardhub", *words), folder)


def probe(build: Build, folder: Path | None) -> Mapping[str, Any]:
    """Return the output of the probe."""
    done = run((str(PROBE), str(build.plugins)), folder)
    assert not done.returncode, done.stderr
    facts: Mapping[str, Any] = json.loads(done.stdout)
    return facts
