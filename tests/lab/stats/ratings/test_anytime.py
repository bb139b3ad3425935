"""Ratings of bots that join and meet at any time: the intervals hold, however often one looks."""

import numpy as np
import pytest

from cardhub.lab.stats.ratings.anytime import FIRST_BLOCKS, AnytimeRatings, PairCounts
from cardhub.lab.stats.ratings.fit import ELO

LEVEL = 0.95
BOTS, BLOCKS, MEETINGS = 12, 10, 150


def misses(seed: int) -> int:
    """Return for how many of 11 bots an interval ever lacks the planted strength.

    Four bots begin, and four join twice; two meetings are always being played, and either of them
    ends first.
    """
    rng = np.random.default_rng(seed)
    truth = np.concatenate([[0.0], rng.normal(0, 150, BOTS - 1)])
    counts: dict[tuple[int, int], PairCounts] = {}
    pending: list[tuple[int, int]] = []
    missed: set[int] = set()
    for number in range(MEETINGS):
        bots = BOTS // 3 * (1 + 3 * number // MEETINGS)
        ratings = AnytimeRatings(bots, counts)
        for bot in range(bots):
            elo = ratings.elo(bot, LEVEL)
            if elo.low is not None and elo.high is not None:
                missed |= set() if elo.low <= truth[bot] <= elo.high else {bot}
        while len(pending) < 2:
            pair = ratings.next_pair(range(bots), BLOCKS, pending)
            assert pair is not None
            pending.append(pair)
        first, second = pending.pop(int(rng.integers(2)))
        chance = 1 / (1 + np.exp((truth[second] - truth[first]) / ELO))
        scores = (rng.random((BLOCKS, 2)) < chance).mean(axis=1)
        before = counts.get((first, second), PairCounts())
        counts[first, second] = before.plus(scores.tolist())
    return len(missed)


def test_no_look_at_a_growing_ladder_misses_more_often_than_its_level() -> None:
    """5 % of the bots may be missed at any of 150 looks; it is 1 to 2 %."""
    runs = 12
    assert sum(misses(seed) for seed in range(runs)) <= 0.05 * runs * (BOTS - 1)


def test_the_first_bot_is_the_zero_and_few_blocks_give_no_interval() -> None:
    counts = {(0, 1): PairCounts().plus([1.0, 0.5] * 20), (0, 2): PairCounts().plus([0.5] * 5)}
    ratings = AnytimeRatings(3, counts)
    assert list(ratings.elo(0, LEVEL)) == [0.0, 0.0, 0.0]
    known, unknown = ratings.elo(1, LEVEL), ratings.elo(2, LEVEL)
    assert known.value == pytest.approx(-190, abs=8)  # it scores 1/4; the prior is weak
    assert known.low is not None
    assert ratings.blocks_of(2) < FIRST_BLOCKS
    assert (unknown.low, unknown.high) == (None, None)


def test_a_bot_without_games_is_chosen_first_and_a_lopsided_pair_last() -> None:
    counts = {
        (0, 1): PairCounts().plus([0.5] * 50),
        (1, 2): PairCounts().plus([1.0] * 50),
        (0, 2): PairCounts().plus([1.0] * 50),
    }
    ratings = AnytimeRatings(4, counts)
    chosen = ratings.next_pair(range(4), BLOCKS)
    assert chosen is not None
    assert 3 in chosen
    assert 3 not in (ratings.next_pair(range(3), BLOCKS) or ())
    assert ratings.next_pair([2], BLOCKS) is None
    assert ratings.next_pair(range(4), 200, [chosen] * 3) != chosen  # it is played already


def test_a_ladder_without_games_has_even_ratings() -> None:
    ratings = AnytimeRatings(3, {})
    assert [ratings.elo(bot, LEVEL).value for bot in range(3)] == [0.0, 0.0, 0.0]
    assert ratings.next_pair(range(3), BLOCKS) is not None
