"""One build for all tests: a part of the core, Kuhn poker, and two games in a folder of plugins.

The wheel of `.ci/run` has all hot modules of the core, and `make soak` compiles them for one test.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.kit.paths import ROOT

from cardhub.base.native.finder import digest, manifest_of, read_manifest
from cardhub.base.native.folder import MANIFEST, VARIABLE
from cardhub.compiling.compiled_games import build_request, game_sources
from cardhub.compiling.hot_modules import core_folder, generator_sources
from cardhub.compiling.native_build import BuildRequest, build
from cardhub.plugins.registry import find_plugins

KUHN = ROOT / "examples" / "kuhn" / "kuhn"
GAMES = ("kuhn", "magpie", "wren")
# The modules that compiled games derive from. All others are interpreted.
COMPILED = ("model.game.game", "model.table.faces", "model.table.state")
# What runs mypyc, and what it reads for these modules: it would read the rest for seconds.
READ = ("base", "compiling", "model/cards", "model/game", "model/table")
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
def compiled(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Build:
    """Return the build; no test may change it.

    It takes many seconds of processor time, so the next session of tests takes it from pytest's
    cache if nothing has changed that went into it.
    """
    home = tmp_path_factory.mktemp("compiled")
    made = Build(home / "build", write_plugins(home / "plugins"))
    sources = game_sources(find_plugins([made.plugins]))
    whole = build_request((sources[name] for name in GAMES), optimization="0")
    request = part_of(whole, write_part_of_core(home / "core"))
    cache = pytestconfig.cache
    if cache is None:
        assert not build(request, made.folder, GAMES).obstacles
        return made
    kept = cache.mkdir("compiled") / fingerprint(request)
    if not take(kept, made.folder, request):
        assert not build(request, made.folder, GAMES).obstacles
        keep(made.folder, kept)
    return made


def part_of(whole: BuildRequest, core: Path) -> BuildRequest:
    """Return a request for a few modules of the core and for all games; mypy reads `core`."""
    names = {f"cardhub.{name}" for name in COMPILED}
    modules = {
        name: path
        for name, path in whole.modules.items()
        if name in names or not name.startswith("cardhub.")
    }
    packages = {**whole.packages, "cardhub": core}
    return BuildRequest(modules, packages, whole.states, whole.optimization)


def write_part_of_core(folder: Path) -> Path:
    """Copy what a compiler of a part of the core reads."""
    for room in READ:
        shutil.copytree(core_folder() / room, folder / room)
    for file in ("__init__.py", "api.py", "model/__init__.py"):
        shutil.copyfile(core_folder() / file, folder / file)
    return folder


def fingerprint(request: BuildRequest) -> str:
    """Return a hash of all that goes into a build: sources, libraries, and Python."""
    libraries = {f"{library.name} {library.version}" for library in distributions()}
    inputs = blake2b("\n".join([sys.version, *sorted(libraries)]).encode(), digest_size=16)
    sources = {
        f"{name}/{path.relative_to(folder).as_posix()}": path
        for name, folder in request.packages.items()
        for path in folder.rglob("*.py")
    }
    for name, path in sorted((sources | dict(request.modules)).items()):
        inputs.update(f"\n{name} {digest(path)}".encode())
    return inputs.hexdigest()


def take(kept: Path, folder: Path, request: BuildRequest) -> bool:
    """Copy a kept build, with a manifest for the sources of this session; False: there is none."""
    try:
        shutil.copytree(kept, folder)
    except OSError:  # another session of tests may just have replaced it
        shutil.rmtree(folder, ignore_errors=True)
        return False
    manifest = read_manifest(folder)
    assert manifest is not None
    modules = {name: request.modules[name] for name in manifest.modules}
    read = (*request.modules.values(), *generator_sources())
    hashes = {path: digest(path) for path in read}
    text = manifest_of(manifest.games, modules, hashes).as_json()
    folder.joinpath(MANIFEST).write_text(text, "utf-8")
    return True


def keep(folder: Path, kept: Path) -> None:
    """Keep a build in place of earlier ones, as a whole or not at all."""
    for earlier in kept.parent.iterdir():
        shutil.rmtree(earlier, ignore_errors=True)
    new = kept.with_name(f"new {os.getpid()}")
    with suppress(OSError):  # another session of tests keeps the same build
        shutil.copytree(folder, new)
        new.rename(kept)


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
