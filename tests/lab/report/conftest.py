"""Small matches that were really played, one of them with a bot that is at fault."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from tests.kit.paths import TESTS

from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.report_files import write_reports
from cardhub.plugins.registry import PluginRegistry, find_plugins

ENTRANTS = TESTS / "lab" / "match" / "entrants"
CUP = """
cardhub_match: 1
salt: none
isolate: no
name: small-cup
seed: 5
bots:
  - {id: dice, use: random}
  - {id: steady, use: steady}
  - {id: broken, use: "raiser:after=1", plays: [leduc]}
games:
  - {game: leduc, score: rank}
  - {game: kuhn, score: rank}
schedule: {blocks: 6}
faults: {max: 100, share: 1}
rating: {anchor: {dice: 0}, bootstrap: 100}
"""
DUEL = """
cardhub_match: 1
salt: none
isolate: no
name: duel
seed: 5
bots:
  - {id: dice, use: random}
  - {id: first, use: first}
games:
  - {game: kuhn, score: rank}
schedule: {blocks: 60}
stop: {sprt: {a: dice, b: first, nelo: [0, 150]}}
rating: {bootstrap: 100}
"""
CHIPS = """
cardhub_match: 1
salt: none
isolate: no
name: chips
seed: 5
bots:
  - {id: dice, use: random}
  - {id: first, use: first}
  - {id: broken, use: "raiser:after=1"}
games:
  - {game: kuhn}
schedule: {blocks: 80}
stop: {sprt: {a: first, b: dice, nelo: [0, 100]}}
faults: {max: 100, share: 1}
rating: {bootstrap: 100}
"""
Result = dict[str, Any]


@dataclass(frozen=True)
class Played:
    """A match in its folder, with its reports."""

    folder: Path
    result: Result
    games: tuple[GameResult, ...]

    @property
    def typed(self) -> MatchResult:
        """The result as reports read it."""
        return convert(self.result, MatchResult)

    def text(self, name: str) -> str:
        """Return one of its files."""
        return (self.folder / name).read_text("utf-8")

    def game(self, name: str) -> GameResult:
        """Return a game by its id."""
        return next(game for game in self.games if game.id == name)


@pytest.fixture(scope="session")
def registry() -> PluginRegistry:
    """Return the installed games with additional bots that are at fault."""
    return find_plugins([ENTRANTS])


@pytest.fixture(scope="session")
def cup(tmp_path_factory: pytest.TempPathFactory, registry: PluginRegistry) -> Played:
    """Return a match of several bots and games."""
    return play(tmp_path_factory.mktemp("cup"), CUP, registry)


@pytest.fixture(scope="session")
def duel(tmp_path_factory: pytest.TempPathFactory, registry: PluginRegistry) -> Played:
    """Return a match that its test has ended."""
    return play(tmp_path_factory.mktemp("duel"), DUEL, registry)


@pytest.fixture(scope="session")
def chips(tmp_path_factory: pytest.TempPathFactory, registry: PluginRegistry) -> Played:
    """Return a match for points with a test, and with a bot that is at fault."""
    return play(tmp_path_factory.mktemp("chips"), CHIPS, registry)


@pytest.fixture
def retold(cup: Played, tmp_path: Path) -> Callable[..., Played]:
    """Return a function that writes the reports of a changed result."""

    def write(change: Callable[[Result], object]) -> Played:
        shutil.copy(cup.folder / "games.jsonl", tmp_path)
        result = json.loads(cup.text("result.json"))
        change(result)
        write_reports(tmp_path, convert(result, MatchResult))
        return Played(tmp_path, result, cup.games)

    return write


def play(folder: Path, text: str, registry: PluginRegistry) -> Played:
    """Play a match and write its reports."""
    (folder / "cup.yaml").write_text(text, "utf-8")
    run(read_match(folder / "cup.yaml", registry), registry, folder, RunOptions(analyse=analyse))
    result = json.loads((folder / "result.json").read_bytes())
    write_reports(folder, convert(result, MatchResult))
    return Played(folder, result, tuple(game for _, game in read_games(folder)))
