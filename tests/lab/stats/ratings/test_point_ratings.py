"""Ratings in points, fitted to the mean differences of pairs."""

import numpy as np
import pytest

from cardhub.lab.stats import payoffs_of_scores, point_ratings


def test_ratings_of_a_whole_round_robin_are_means_over_the_opponents() -> None:
    """Consistent differences are fitted exactly, and the mean is 0."""
    deals, level = range(20), np.ones(20)
    payoffs = payoffs_of_scores(
        {(0, 1): (deals, 2 * level), (0, 2): (deals, 6 * level), (1, 2): (deals, 4 * level)}, 3
    )
    rated = [rating for rating in point_ratings(payoffs, draws=50) if rating is not None]
    assert [rating.value for rating in rated] == pytest.approx([8 / 3, 2 / 3, -10 / 3])


def test_a_bot_that_met_few_others_is_rated_through_them() -> None:
    deals = range(10)
    payoffs = payoffs_of_scores({(0, 1): (deals, [3.0] * 10), (0, 2): (deals, [1.0] * 10)}, 4)
    ratings = point_ratings(payoffs, draws=50)
    values = [rating.value for rating in ratings if rating is not None]
    assert values[0] - values[1] == pytest.approx(3)
    assert values[2] - values[1] == pytest.approx(2)
    assert ratings[3] is None


def test_equal_blocks_show_no_error_and_so_give_no_interval() -> None:
    """Draws of equal differences are equal, which does not make the rating certain."""
    payoffs = payoffs_of_scores(
        {(0, 1): (range(30), [3.0] * 30), (1, 2): (range(30), [0.1] * 30)}, 3
    )
    rated = [rating for rating in point_ratings(payoffs, draws=50) if rating is not None]
    assert [(rating.low, rating.high) for rating in rated] == [(None, None)] * 3


def test_few_deals_give_no_interval() -> None:
    """A bootstrap of a handful of deals would show far too little doubt."""
    payoffs = payoffs_of_scores({(0, 1): (range(7), [3.0] * 7), (0, 2): (range(9), [1.0] * 9)}, 3)
    rated = [rating for rating in point_ratings(payoffs, draws=50) if rating is not None]
    assert [(rating.low, rating.high) for rating in rated] == [(None, None)] * 3


def test_the_interval_of_a_rating_covers_the_truth() -> None:
    rng = np.random.default_rng(1)
    strengths, covered = np.asarray([3.0, 0.0, -3.0]), 0
    for seed in range(200):
        pairs = [(0, 1), (0, 2), (1, 2)]
        blocks = {
            (a, b): (range(40), strengths[a] - strengths[b] + rng.normal(0, 8, 40))
            for a, b in pairs
        }
        rating = point_ratings(payoffs_of_scores(blocks, 3), draws=200, seed=seed)[0]
        assert rating is not None
        assert rating.low is not None
        assert rating.high is not None
        covered += rating.low <= 3 <= rating.high
    assert 0.90 <= covered / 200 <= 0.99
