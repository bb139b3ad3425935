"""Statistics of matches that were played: the same on any number of workers, and verified."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typing_extensions import override

from cardhub.lab.analysis import analyse
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import PluginRegistry, find_plugins

GAMES = "[{game: kuhn, score: rank}, {game: pig}]"


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed games and bots."""
    return find_plugins()


@pytest.fixture
def match(tmp_path: Path, cup: Callable[..., str], registry: PluginRegistry) -> Match:
    """Return a quick match of three bots in two games."""
    (tmp_path / "cup.yaml").write_text(cup("abc", GAMES, blocks=4), "utf-8")
    return read_match(tmp_path / "cup.yaml", registry)


class Impatient(Watcher):
    """Presses Ctrl-C after some games."""

    def __init__(self, games: int) -> None:
        self._left = games

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self._left -= 1
        if not self._left:
            raise KeyboardInterrupt


def test_figures_are_the_same_on_any_number_of_workers(
    match: Match, registry: PluginRegistry, tmp_path: Path
) -> None:
    """Byte by byte, and for a match that was left and continued."""
    ways = {
        "one": RunOptions(analyse=analyse),
        "two": RunOptions(make_executor(2), 8, analyse=analyse),
    }
    for name, how in ways.items():
        run(match, registry, tmp_path / name, how)
    left = RunOptions(watcher=Impatient(7), analyse=analyse)
    with pytest.raises(KeyboardInterrupt):
        run(match, registry, tmp_path / "left", left)
    interim = json.loads((tmp_path / "left" / "result.json").read_bytes())
    assert [game["blocks"] for game in interim["statistics"]["games"]] == [3, 0]
    run(match, registry, tmp_path / "left", ways["one"])
    results = {(tmp_path / name / "result.json").read_bytes() for name in ("one", "two", "left")}
    assert len(results) == 1


def test_verifying_derives_the_figures_again(
    match: Match, registry: PluginRegistry, tmp_path: Path
) -> None:
    how = RunOptions(analyse=analyse)
    run(match, registry, tmp_path, how)
    assert verify(tmp_path, registry, options=how).is_fine
    path = tmp_path / "result.json"
    result = json.loads(path.read_bytes())
    result["statistics"]["games"][1]["bots"][0]["elo"]["low"] += 0.01
    path.write_text(json.dumps(result, ensure_ascii=False, indent=2, sort_keys=True) + "\n")
    (problem,) = verify(tmp_path, registry, options=how).problems
    assert "statistics.games[1].bots[0].elo.low should be " in problem
