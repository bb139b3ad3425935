"""Long matches need as little memory as short ones."""

import gc
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from typing_extensions import override

from cardhub.cli.match.live_display import LiveState
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.plugins.registry import PluginRegistry

CUP = """
    cardhub_match: 1
    name: cup
    seed: 11
    bots: [{id: a, use: random}, {id: b, use: random}]
    games: [{game: kuhn}]
"""
TESTED = """\
    schedule: {blocks: 130}
    stop: {sprt: {a: a, b: b, nelo: [0, 1]}}
"""
RACE = "    schedule: {mode: racing, blocks: 130, level: 0.9999, margin: 0}\n"
GAMES = (120, 160, 200, 240)
# Bytes of memory by which use may grow from one number of games to the next: 100 for a game.
BOUND = 4_000


class MemoryMeter(LiveState):
    """Live state that records how much memory is in use after some numbers of games."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.used: list[int] = []
        self._games = 0

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        super().game(result, timing)
        self._games += 1
        if self._games in GAMES:
            gc.collect()
            self.used.append(tracemalloc.get_traced_memory()[0])


@pytest.mark.parametrize("rest", [TESTED, RACE], ids=["tested", "race"])
def test_memory_does_not_grow_with_the_games(
    match: Callable[[str], Match], registry: PluginRegistry, tmp_path: Path, rest: str
) -> None:
    cup = match(CUP + rest)
    meter = MemoryMeter(cup)
    tracemalloc.start()
    try:
        run(cup, registry, tmp_path / "out", RunOptions(watcher=meter))
    finally:
        tracemalloc.stop()
    growths = [after - before for before, after in pairwise(meter.used)]
    # Caches may be filled in one of the parts; what grows with the games grows in all.
    assert len(growths) == 3
    assert min(growths) < BOUND, growths
