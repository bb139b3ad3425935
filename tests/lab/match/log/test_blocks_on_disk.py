"""Games of a block share a deal: none is on disk before the last of them is over."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import SERIAL, RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import PluginRegistry

LEDUC = """
    cardhub_match: 1
    isolate: no
    name: cup
    seed: 5
    bots: [{id: a, use: random}, {id: b, use: steady}]
    games: [{game: leduc}]
    schedule: {blocks: 10}
"""
FAULTY = """
    cardhub_match: 1
    isolate: no
    name: cup
    seed: 5
    bots: [{id: a, use: random}, {id: b, use: steady}, {id: bad, use: "cheat:after=1"}]
    games: [{game: goofspiel, players: 3, seating: full}]
    schedule: {blocks: 3}
    faults: {max: 7, share: 1}
"""
ReadMatch = Callable[[str], Match]
Digests = Callable[[Path], list[str]]


def texts(folder: Path) -> dict[str, str]:
    """Return all files of a match, those in folders of it, too."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in files}


class Reader(Watcher):
    """Reads the folder after every game, like a bot in the next game of the block could."""

    def __init__(self, folder: Path, size: int) -> None:
        self._folder = folder
        self._size = size
        self._played: Counter[int] = Counter()
        self.looked = 0
        self.found: list[str] = []

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """Look for the game that was played just now, if its block goes on."""
        self._played[result.deal] += 1
        if self._played[result.deal] == self._size:
            return
        self.looked += 1
        for name, text in texts(self._folder).items():
            if result.id in name + text or result.seed in text:
                self.found.append(f"{name}: {result.id}")


@pytest.mark.parametrize("workers", [1, 2])
def test_the_second_game_of_a_block_is_not_foretold_by_the_log(
    match: ReadMatch, registry: PluginRegistry, workers: int
) -> None:
    """No file names the deal while it is still played: 0 of 10."""
    reader = Reader(Path("out"), size=2)
    how = RunOptions(make_executor(workers), 4 * workers if workers > 1 else 1, reader)
    run(match(LEDUC), registry, Path("out"), how)
    assert (reader.looked, reader.found) == (10, [])


def test_with_a_secret_all_groups_are_done_with_a_deal_before_it_is_on_disk(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    """Every group of two out of three bots plays each deal, one after the other."""
    text = LEDUC.replace("steady}", "steady}, {id: c, use: random}").replace("10", "5")
    reader = Reader(Path("out"), size=6)
    run(match(text + "    salt: drawn\n"), registry, Path("out"), RunOptions(watcher=reader))
    assert (reader.looked, reader.found) == (25, [])


def test_faults_and_games_played_for_nothing_wait_as_well(
    match: ReadMatch, registry: PluginRegistry
) -> None:
    reader = Reader(Path("out"), size=6)
    state = run(match(FAULTY), registry, Path("out"), RunOptions(make_executor(2), 8, reader))
    assert state.counts.withdrawn
    assert (reader.looked > 10, reader.found) == (True, [])
    assert any(name.startswith("faults") for name in texts(Path("out")))


class Leaving(Watcher):
    """Leaves after some number of games."""

    def __init__(self, games: int) -> None:
        self._left = games

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """Interrupt the match like Ctrl-C."""
        self._left -= 1
        if not self._left:
            raise KeyboardInterrupt


def test_a_match_left_in_the_midst_of_a_block_has_nothing_of_it(
    match: ReadMatch, registry: PluginRegistry, tmp_path: Path, digests: Digests
) -> None:
    """All written lines are complete, and the match continues to the same bytes."""
    cup, folder = match(FAULTY), tmp_path / "left"
    with pytest.raises(KeyboardInterrupt):
        run(cup, registry, folder, RunOptions(watcher=Leaving(8)))
    lines = (folder / "games.jsonl").read_text("utf-8").splitlines()[1:]
    assert [json.loads(line)["deal"] for line in lines] == [0] * 6
    assert json.loads((folder / "result.json").read_text("utf-8"))["games"] == 6
    assert len(list((folder / "faults").iterdir())) == 6
    assert verify(folder, registry).is_fine
    run(cup, registry, folder)
    run(cup, registry, tmp_path / "whole", SERIAL)
    assert digests(folder) == digests(tmp_path / "whole")
