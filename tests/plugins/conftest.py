"""Packages and plugins directories that exist for one test."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

SAMPLES = Path(__file__).with_name("samples")

BOTS = '''
"""Bots for the tests of plugins."""
from cardhub import BotEntry, hookimpl

class Shower:
    def __init__(self, rng):
        self.rng = rng
    def choose(self, observation):
        return observation.legal()[0]

@hookimpl
def register_bots():
    picky = BotEntry("picky", "plays few games", Shower, ("bridge",))
    return [BotEntry("shower", "shows its card", Shower), picky]
'''

Install = Callable[..., Path]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder to install packages in; its modules are unloaded after the test."""
    before = set(sys.modules)
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in set(sys.modules) - before:
        if not name.startswith("cardhub."):
            del sys.modules[name]


@pytest.fixture
def install(site: Path) -> Install:
    """Install a package: its name, its entry points by group, and the source of its modules.

    `needs`: the requirement of cardhub in its metadata.
    """

    def install(
        name: str, groups: dict[str, dict[str, str]], needs: str = "", **modules: str
    ) -> Path:
        info = site / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        requirements = f"Requires-Dist: click\nRequires-Dist: {needs}\n" if needs else ""
        (info / "METADATA").write_text(metadata + requirements)
        lines = [
            line
            for group, points in groups.items()
            for line in (f"[{group}]", *(f"{point} = {value}" for point, value in points.items()))
        ]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        for module, source in modules.items():
            (site / f"{module}.py").write_text(dedent(source))
        return site

    return install


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty plugins directory."""
    path = tmp_path / "plugins"
    path.mkdir()
    return path


@pytest.fixture
def game_source() -> str:
    """Return the source of a module that defines the game `higher`."""
    return (SAMPLES / "higher.py").read_text("utf-8")


@pytest.fixture
def bots_source() -> str:
    """Return the source of a module that registers bots for any game."""
    return BOTS
