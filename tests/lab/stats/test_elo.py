"""Elo estimates of block scores and their intervals."""

from math import sqrt

import numpy as np
import pytest

from cardhub.lab.estimate import Estimate, OpenEstimate, PointEstimate
from cardhub.lab.stats import (
    as_elo,
    bound_of_equal,
    elo_of_score,
    likelihood_of_superiority,
    mean_of_clusters,
    mean_points,
    mean_score,
    normalized_elo,
    score_of_elo,
)


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (400, 10 / 11), (-190.848501887865, 0.25)])
def test_elo_and_scores_are_two_scales_for_one_thing(elo: float, score: float) -> None:
    """A difference of 400 Elo gives odds of 10 to 1."""
    assert score_of_elo(elo) == pytest.approx(score)
    assert elo_of_score(score) == pytest.approx(elo)


def test_perfect_scores_have_no_elo() -> None:
    """Elo is None for scores of 0 and 1 (infinite)."""
    assert elo_of_score(0) is None
    assert elo_of_score(1) is None
    estimate = as_elo(Estimate(1.0, 0.25, 1.0))
    assert estimate == OpenEstimate(None, elo_of_score(0.25), None)


def test_the_mean_has_students_interval_over_blocks() -> None:
    """Worked by hand: four blocks, three degrees of freedom, 3.182 standard errors."""
    estimate = mean_score([0.25, 0.5, 0.5, 0.75])
    assert estimate is not None
    error = 3.182446 * sqrt(0.125 / 3) / 2
    assert tuple(estimate) == pytest.approx((0.5, 0.5 - error, 0.5 + error), abs=1e-6)
    assert as_elo(estimate).high == pytest.approx(elo_of_score(0.5 + error), abs=1e-3)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Coverage is 95 % in 2,000 matches of 12 blocks, where a normal interval is too narrow."""
    scores = np.random.default_rng(3).choice([0, 0.25, 0.5, 0.75, 1], size=(2000, 12))
    estimates = [mean_score(blocks) for blocks in scores]
    assert 0.93 < np.mean([e is not None and e.low <= 0.5 <= e.high for e in estimates]) < 0.97


@pytest.mark.parametrize("blocks", [1, 5, 100])
def test_equal_blocks_leave_room_for_what_was_not_seen(blocks: int) -> None:
    """N of n wins: worse than the interval they would happen in less than 5 % of matches."""
    estimate = mean_score([1.0] * blocks)
    assert estimate is not None
    assert (estimate.value, estimate.high) == (1, 1)
    assert estimate.low**blocks == pytest.approx(0.05)


def test_even_blocks_are_even_with_room_on_both_sides() -> None:
    """Equal deterministic bots score 1/2 in each block."""
    estimate = mean_score([0.5] * 10)
    assert estimate is not None
    assert estimate.value - estimate.low == pytest.approx(estimate.high - estimate.value)
    assert 0.1 < estimate.high - estimate.low < 0.3


def test_normalized_elo_is_the_mean_in_units_of_a_games_deviation() -> None:
    """Its error is 347 / sqrt(games) for even bots in any game."""
    scores = np.random.default_rng(4).choice([0.25, 0.5, 0.75], size=10_000)
    estimate = normalized_elo(scores, games_per_block=2)
    assert estimate is not None
    assert estimate.value == pytest.approx(
        (scores.mean() - 0.5) / (scores.std(ddof=1) * sqrt(2)) * 347.43558552260146
    )
    error = 1.96 * 347.4 / sqrt(20_000)
    assert estimate.high - estimate.value == pytest.approx(error, rel=1e-3)


def test_superiority_is_a_normal_tail_over_blocks() -> None:
    """One standard error above even is 84.1 %."""
    scores = np.asarray([0.25, 0.75] * 50) + 0.05 * sqrt(25 / 99) * 1.0
    t = (scores.mean() - 0.5) / (scores.std(ddof=1) / 10)
    assert t == pytest.approx(1.0, rel=1e-6)
    assert likelihood_of_superiority(scores) == pytest.approx(0.841345, abs=1e-6)


def test_without_blocks_or_without_variety_there_is_no_answer() -> None:
    """The result is None without blocks and for equal blocks."""
    assert mean_score([]) is None
    for scores in ([], [0.7], [0.7] * 9, [1.0] * 9):
        assert normalized_elo(scores, 2) is None
        assert likelihood_of_superiority(scores) is None


def test_points_have_students_interval_on_a_scale_without_ends() -> None:
    """The interval is None for fewer than two distinct values."""
    estimate = mean_points(np.asarray([2.0, -4.0, 8.0, 10.0]))
    assert estimate is not None
    assert tuple(estimate) == pytest.approx((4, -6.06, 14.06), abs=0.01)
    assert mean_points(np.asarray([3.0, 3.0])) == PointEstimate(3, None, None)
    assert mean_points(np.asarray([3.0])) == PointEstimate(3, None, None)
    assert mean_points(np.zeros(0)) is None


def test_equal_differences_in_points_have_a_bound() -> None:
    value, low, high = bound_of_equal(2.0, 5)
    assert (value, high) == (2, 2)
    assert low is not None
    assert low == pytest.approx(2 * (1 - 2 * (1 - 0.05 ** (1 / 5))))
    assert bound_of_equal(-2.0, 5) == PointEstimate(-2, -2, -low)
    assert bound_of_equal(0.0, 5) == PointEstimate(0, None, None)


def test_the_mean_of_clusters_has_the_interval_of_their_totals() -> None:
    """With equal sizes it is the interval of the cluster means, because units are dependent."""
    totals, sizes = [2.0, -4.0, 8.0, 10.0], [2, 2, 2, 2]
    estimate, means = mean_of_clusters(totals, sizes), mean_points(np.asarray(totals) / 2)
    assert estimate is not None
    assert means is not None
    assert tuple(estimate) == pytest.approx(tuple(means))
    assert mean_of_clusters([6.0, 0.0], [3, 0]) == PointEstimate(2, None, None)
    assert mean_of_clusters([], []) is None


def test_the_interval_of_clusters_covers_the_mean_as_often_as_it_says() -> None:
    """Clusters of 1 to 9 units that share a part of their value."""
    rng, hits, runs = np.random.default_rng(1), 0, 400
    for _ in range(runs):
        sizes = rng.integers(1, 10, 30)
        totals = sizes * rng.normal(0, 1, 30) + rng.normal(0, 1, 30) * np.sqrt(sizes)
        estimate = mean_of_clusters(list(totals), list(sizes))
        assert estimate is not None
        hits += (estimate.low or 0) <= 0 <= (estimate.high or 0)
    assert 0.92 <= hits / runs <= 0.98
