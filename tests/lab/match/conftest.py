"""Match files written on the spot, and bots made for them."""

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest
from tests.lab.match.match_files import KUHN

from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import SERIAL, RunOptions, run
from cardhub.plugins.registry import PluginRegistry, find_plugins

ENTRANTS = Path(__file__).with_name("entrants")

ReadMatch = Callable[..., Match]
Digests = Callable[[Path], list[str]]
PlayOnce = Callable[..., Path]


@pytest.fixture(scope="session")
def registry() -> PluginRegistry:
    """Return the installed games, and the bots of the folder `entrants`."""
    return find_plugins([ENTRANTS])


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return a function that writes a match file, called by a name without folders."""
    monkeypatch.chdir(tmp_path)

    def write(text: str) -> Path:
        path = Path("cup.yaml")
        path.write_text(dedent(text).lstrip("\n"), "utf-8")
        return path

    return write


@pytest.fixture
def match(file: Callable[[str], Path], registry: PluginRegistry) -> ReadMatch:
    """Return a function that reads a match: KUHN with some parts replaced.

    It has no secret, unless it says so itself: its games are the same whenever a test is run.
    """

    def read(text: str = KUHN, **replaced: str) -> Match:
        for old, new in replaced.items():
            part = next(line for line in text.splitlines() if line.strip().startswith(f"{old}:"))
            text = text.replace(part, part[: len(part) - len(part.lstrip())] + f"{old}: {new}")
        cup = read_match(file(text), registry)
        return cup if "salt:" in text else replace(cup, salt=None)

    return read


@pytest.fixture(scope="session")
def play_once(registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory) -> PlayOnce:
    """Return a function that plays a match the first time, and returns its folder to be read.

    Like those of `match`, the match has no secret, unless it says so itself. With `copied_to`, the
    function copies the folder there, for a test that changes it.
    """

    @cache
    def play(text: str, options: RunOptions) -> Path:
        folder = tmp_path_factory.mktemp("played")
        (folder / "cup.yaml").write_text(dedent(text).lstrip("\n"), "utf-8")
        cup = read_match(folder / "cup.yaml", registry)
        run(cup if "salt:" in text else replace(cup, salt=None), registry, folder / "out", options)
        return folder / "out"

    def play_once(
        text: str, options: RunOptions = SERIAL, *, copied_to: Path | None = None
    ) -> Path:
        folder = play(text, options)
        return folder if copied_to is None else shutil.copytree(folder, copied_to)

    return play_once


@pytest.fixture
def digests() -> Digests:
    """Return a function that returns the hashes of the files that are the same in every run."""

    def of(folder: Path) -> list[str]:
        names = ("games.jsonl", "result.json")
        return [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names]

    return of
