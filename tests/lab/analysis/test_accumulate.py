"""One pass over a log."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardhub.lab.analysis.accumulate import accumulate
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.task import GameTask

Analysed = Callable[..., dict[str, Any]]


def by_deal(task: GameTask) -> list[int]:
    """Return scores of some variety."""
    return [(int(task.seed, 16) >> 2 * seat) % 7 for seat in range(len(task.seats))]


def test_a_block_leaves_a_few_numbers(
    analysed: Analysed, cup: Callable[..., str], tmp_path: Path
) -> None:
    kept = {}
    for blocks in (100, 1500):
        analysed(cup("ab", blocks=blocks), by_deal)
        match = match_in(tmp_path)
        tracemalloc.start()
        log = accumulate(match, tmp_path)
        kept[blocks] = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert log.contests["kuhn"].blocks == blocks
    now, peak = ((kept[1500][n] - kept[100][n]) / 1400 for n in (0, 1))
    assert now < 200, "bytes a block"
    assert peak < 400, "bytes a block"
