"""Ratings by least squares, deal by deal."""

from itertools import combinations

import numpy as np
import pytest

from cardhub.lab.stats import fit_by_deal
from cardhub.lab.stats.types import Floats

DEALS = np.arange(6)


def all_pairs(bots: int) -> dict[tuple[int, int], Floats]:
    """Return results of all pairs on six deals, which no ratings explain."""
    rng = np.random.default_rng(1)
    return {pair: rng.uniform(-0.5, 0.5, len(DEALS)) for pair in combinations(range(bots), 2)}


def test_if_all_met_a_rating_is_the_mean_result_against_all_bots() -> None:
    """The mean counts a bot as even against itself; the model need not fit."""
    results = all_pairs(4)
    fit = fit_by_deal({pair: (DEALS, values) for pair, values in results.items()}, 4)
    assert fit is not None
    for bot in range(4):
        own = sum(
            values if pair[0] == bot else -values for pair, values in results.items() if bot in pair
        )
        assert fit.ratings[:, bot] == pytest.approx(np.asarray(own) / 4)
    assert fit.differences((1, 3)) == pytest.approx(fit.ratings[:, 1] - fit.ratings[:, 3])


def test_bots_in_a_circle_are_even() -> None:
    wins = np.full(len(DEALS), 0.5)
    fit = fit_by_deal({(0, 1): (DEALS, wins), (1, 2): (DEALS, wins), (0, 2): (DEALS, -wins)}, 3)
    assert fit is not None
    assert fit.ratings == pytest.approx(np.zeros((6, 3)))


def test_bots_that_did_not_meet_are_compared_through_a_common_opponent() -> None:
    one, other = np.random.default_rng(2).uniform(-0.5, 0.5, (2, len(DEALS)))
    fit = fit_by_deal({(0, 1): (DEALS, one), (0, 2): (DEALS, other)}, 3)
    assert fit is not None
    assert fit.differences((0, 1)) == pytest.approx(one)
    assert fit.differences((1, 2)) == pytest.approx(other - one)


def test_no_difference_is_beyond_the_reach() -> None:
    """The greatest difference: all results of both bots are at the ends."""
    half = np.full(len(DEALS), 0.5)
    results = {(0, 1): half, (0, 2): half, (1, 2): -half, (0, 3): half, (1, 3): -half, (2, 3): half}
    fit = fit_by_deal({pair: (DEALS, values) for pair, values in results.items()}, 4)
    assert fit is not None
    assert fit.differences((0, 1)) == pytest.approx(np.full(len(DEALS), fit.reach((0, 1))))
    assert fit.reach((0, 1)) == pytest.approx(0.75)


def test_only_deals_count_on_which_all_pairs_met() -> None:
    results = {pair: (DEALS, values) for pair, values in all_pairs(3).items()}
    deals, values = results[0, 2]
    fit = fit_by_deal({**results, (0, 2): (deals[2:], values[2:])}, 3)
    assert fit is not None
    assert fit.deals.tolist() == [2, 3, 4, 5]
    assert fit_by_deal({**results, (0, 2): (deals[5:], values[5:])}, 3) is None


def test_without_a_chain_of_pairs_there_are_no_ratings() -> None:
    values = np.zeros(len(DEALS))
    assert fit_by_deal({(0, 1): (DEALS, values), (2, 3): (DEALS, values)}, 4) is None
    assert fit_by_deal({}, 2) is None
