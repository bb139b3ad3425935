"""Cups of the games of this folder."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.task import GameResult
from cardhub.lab.match.verifier import verify
from cardhub.lab.report.report_files import write_reports, written_result
from cardhub.plugins.registry import PluginRegistry, find_plugins

GAMES = Path(__file__).with_name("games")
CUP = """
cardhub_match: 1
salt: none
isolate: no
name: cup
seed: 5
bots:
  - {id: dice, use: random}
  - {id: high, use: high}
  - {id: other, use: random}
games: [{game: GAME}]
schedule: {blocks: 12}
faults: {max: 100, share: 1}
rating: {bootstrap: 100}
"""


class Played(NamedTuple):
    """The result of a cup, its games and its folder."""

    result: MatchResult
    games: list[GameResult]
    folder: Path


Play = Callable[..., Played]


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed games, and the games of this folder."""
    return find_plugins([GAMES])


def play_cup(
    folder: Path,
    registry: PluginRegistry,
    game: str,
    more: str = "",
    *,
    blocks: int = 12,
    most_faults: int = 100,
    mode: str = "round_robin",
    **replaced: str,
) -> Played:
    """Play the cup of a game, verify it and write its reports; other words replace bots."""
    text = CUP.replace("GAME", game).replace("blocks: 12", f"mode: {mode}, blocks: {blocks}")
    text = text.replace("max: 100", f"max: {most_faults}")
    for old, new in replaced.items():
        text = text.replace(f"use: {old}", f"use: {new}", 1)
    (folder / "cup.yaml").write_text(text + more, "utf-8")
    options = RunOptions(make_executor(1), 1, analyse=analyse)
    run(read_match(folder / "cup.yaml", registry), registry, folder, options)
    result = written_result(folder)
    write_reports(folder, result)
    assert verify(folder, registry, options=options).problems == []
    return Played(result, [game for _, game in read_games(folder)], folder)


@pytest.fixture(scope="module")
def play(registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Return `play_cup` for a folder of its own; equal cups are played once."""

    @cache
    def play(game: str, more: str = "", **options: Any) -> Played:
        return play_cup(tmp_path_factory.mktemp("cup"), registry, game, more, **options)

    return play
