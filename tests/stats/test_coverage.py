"""Whether the intervals of ratings hold the truth as often as they say.

CARDHUB_RUNS=2000 python -m pytest tests/stats/test_coverage.py plays 2,000 matches per setting.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest

from cardhub.stats import PlayedGame, fit_ratings
from cardhub.stats.ratings import ELO

Plant = Callable[..., list[PlayedGame]]
STRENGTHS = [1.2, 0.4, -0.2, 0.0]


def holds(games: list[PlayedGame], truth: list[float], seed: int) -> list[bool]:
    """Return for each bot but the anchor, the last one, whether its interval holds the truth."""
    found = fit_ratings(games, len(truth), anchor=len(truth) - 1, draws=300, seed=seed)
    pairs = zip(found.by_bot[:-1], truth[:-1], strict=True)
    return [r is not None and r.elo.low <= elo <= r.elo.high for r, elo in pairs]


def check(held: list[bool], runs: int) -> None:
    """93 to 97 %, give or take what so many matches leave open (one bot's share of them)."""
    noise = 2 * sqrt(0.05 * 0.95 / runs)
    assert 0.93 - noise <= np.mean(held) <= 0.97 + noise


@pytest.mark.parametrize(("blocks", "tie", "alike"), [(4, 0.0, 0.0), (15, 0.6, 0.5)])
def test_ratings_of_duels_hold_the_truth(
    duels: Plant, runs: int, blocks: int, tie: float, alike: float
) -> None:
    """With few blocks a pair; and with ties, where half the blocks show one game twice."""
    rng, held = np.random.default_rng(17), []
    truth = [strength * ELO * 2 / (2 + tie) for strength in STRENGTHS]
    for seed in range(runs):
        held += holds(duels(STRENGTHS, blocks, rng, tie, alike), truth, seed)
    check(held, runs)


def test_ratings_of_tables_hold_the_truth(tables: Plant, runs: int) -> None:
    """Three seats with edges, each deal in all rotations."""
    rng, held = np.random.default_rng(19), []
    truth = [strength * ELO for strength in STRENGTHS]
    for seed in range(runs):
        held += holds(tables(STRENGTHS, [0.3, 0.0, -0.3], 25, rng), truth, seed)
    check(held, runs)
