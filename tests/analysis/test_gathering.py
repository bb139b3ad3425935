"""Going through a log once."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardhub.analysis.gathering import gather
from cardhub.analysis.histogram import MOST_BARS, Histogram
from cardhub.match.log.lookup import match_in
from cardhub.match.task import GameTask

Analysed = Callable[..., dict[str, Any]]


def by_deal(task: GameTask) -> list[int]:
    """Return scores of some variety."""
    return [(int(task.seed, 16) >> 2 * seat) % 7 for seat in range(len(task.seats))]


def test_a_block_leaves_a_few_numbers(
    analysed: Analysed, cup: Callable[..., str], tmp_path: Path
) -> None:
    """Not an object for each game: a match of a million games is read in flat memory."""
    kept = {}
    for blocks in (100, 1500):
        analysed(cup("ab", blocks=blocks), by_deal)
        match = match_in(tmp_path)
        tracemalloc.start()
        gathered = gather(match, tmp_path)
        kept[blocks] = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert gathered.contests["kuhn"].blocks == blocks
    now, peak = ((kept[1500][n] - kept[100][n]) / 1400 for n in (0, 1))
    assert now < 200, "bytes a block"
    assert peak < 400, "bytes a block"


def test_histograms_widen_their_bars_instead_of_getting_longer() -> None:
    """By the same steps whatever the order; 0 keeps a bar of its own, and both sides mirror."""
    numbers = [*range(-90, 91), 0, 0]
    one, other = Histogram(), Histogram()
    for number in numbers:
        one.add(number)
    for number in reversed(numbers):
        other.add(number)
    rows = one.rows()
    assert rows == other.rows()
    assert len(rows) <= 2 * MOST_BARS + 1
    assert {"from": 0, "to": 0, "games": 3} in rows
    assert rows[-1] == {"from": 89, "to": 96, "games": 2}
    assert rows[0] == {"from": -96, "to": -89, "games": 2}
    assert {row["to"] - row["from"] for row in rows if row["from"]} == {7}
    assert sum(row["games"] for row in rows) == len(numbers)


def test_small_numbers_have_a_bar_each() -> None:
    """Nothing is joined that need not be."""
    histogram = Histogram()
    for number in (3, -1, 3, 20):
        histogram.add(number)
    assert [(row["from"], row["to"], row["games"]) for row in histogram.rows()] == [
        (-1, -1, 1),
        (3, 3, 2),
        (20, 20, 1),
    ]
