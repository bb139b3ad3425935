"""Interval coverage: rating intervals contain the true value as often as their level says.

Set CARDHUB_RUNS=2000 to simulate 2,000 matches per setting instead of a few.
"""

from collections.abc import Callable
from itertools import combinations
from math import exp, sqrt

import numpy as np
import pytest

from cardhub.lab.stats import PlayedGame, fit_ratings
from cardhub.lab.stats.ratings.fit import ELO

Plant = Callable[..., list[PlayedGame]]
STRENGTHS = [1.2, 0.4, -0.2, 0.0]


def holds(games: list[PlayedGame], truth: list[float], seed: int) -> list[bool]:
    """Return the coverage indicators of all bots but the anchor, the last bot."""
    ratings = fit_ratings(games, len(truth), anchor=len(truth) - 1, draws=300, seed=seed)
    pairs = zip(ratings.by_bot[:-1], truth[:-1], strict=True)
    return [r is not None and r.elo.low <= elo <= r.elo.high for r, elo in pairs]


def check(held: list[bool], runs: int) -> None:
    """Coverage is 93 to 97 %, up to the binomial error of the number of matches."""
    noise = 2 * sqrt(0.05 * 0.95 / runs)
    assert 0.93 - noise <= np.mean(held) <= 0.97 + noise


# Repeats a calibration that a test beside it has in another setting.
REPEATED = pytest.mark.soak("another setting shows the coverage")


@pytest.mark.parametrize(
    ("blocks", "tie", "alike"), [(4, 0.0, 0.0), pytest.param(15, 0.6, 0.5, marks=REPEATED)]
)
def test_ratings_of_duels_hold_the_truth(
    duels: Plant, runs: int, blocks: int, tie: float, alike: float
) -> None:
    """Coverage holds for few blocks per pair, and for ties with correlated games."""
    rng, held = np.random.default_rng(17), []
    truth = [strength * ELO * 2 / (2 + tie) for strength in STRENGTHS]
    for seed in range(runs):
        held += holds(duels(STRENGTHS, blocks, rng, tie, alike), truth, seed)
    check(held, runs)


def on_the_same_deals(deals: int, rng: np.random.Generator) -> list[PlayedGame]:
    """Return a round robin in which all pairs play the same deals, half with shared luck."""
    games = []
    for deal in range(deals):
        luck = rng.random(2) if deal % 2 else None
        for one, other in combinations(range(len(STRENGTHS)), 2):
            chance = 1 / (1 + exp(STRENGTHS[other] - STRENGTHS[one]))
            lots = rng.random(2) if luck is None else luck
            for seats, lot in zip(((one, other), (other, one)), lots.tolist(), strict=True):
                best = one if lot < chance else other
                games.append(
                    PlayedGame(deal, seats, (1 + (seats[0] != best), 1 + (seats[1] != best)))
                )
    return games


@pytest.mark.parametrize("deals", [12, pytest.param(30, marks=REPEATED)])
def test_ratings_on_the_same_deals_hold_the_truth(runs: int, deals: int) -> None:
    """Where all pairs play the same deals, luck is not their own: whole deals are drawn."""
    rng, held = np.random.default_rng(23), []
    truth = [strength * ELO for strength in STRENGTHS]
    for seed in range(runs):
        held += holds(on_the_same_deals(deals, rng), truth, seed)
    check(held, runs)


@pytest.mark.soak("tables of four seats show it in test_fit.py")
def test_ratings_of_tables_hold_the_truth(tables: Plant, runs: int) -> None:
    """Coverage holds for three seats with seat effects, in all rotations of a deal."""
    rng, held = np.random.default_rng(19), []
    truth = [strength * ELO for strength in STRENGTHS]
    for seed in range(runs):
        held += holds(tables(STRENGTHS, [0.3, 0.0, -0.3], 25, rng), truth, seed)
    check(held, runs)
