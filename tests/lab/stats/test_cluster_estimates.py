"""Estimates over clusters: intervals that cover, differences, slopes of draws."""

import numpy as np
import pytest

from cardhub.lab.estimate import Measure
from cardhub.lab.stats import (
    cluster_ratio,
    difference,
    mean_of_clusters,
    p_of_measure,
    p_of_no_slope,
    paired_difference,
    slope_of_draws,
)


def ratio(totals: list[float], sizes: list[float]) -> Measure:
    """Return the ratio of two sums, of which the second is not 0."""
    measure = cluster_ratio(totals, sizes)
    assert measure is not None
    return measure


def covers(estimate: Measure, truth: float) -> bool:
    """Return whether an interval has the true value."""
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


def test_clusters_of_one_size_have_the_interval_of_their_means() -> None:
    """As `mean_of_clusters` computes it."""
    totals = [3.0, 5.0, 4.0, 8.0]
    estimate, known = ratio(totals, [2.0] * 4), mean_of_clusters(totals, [2] * 4)
    assert known is not None
    assert (estimate.value, estimate.freedom, estimate.deals) == (2.5, 3.0, 4)
    assert estimate.high == pytest.approx(known.high)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(1000):
        sizes = rng.integers(1, 6, 15).astype(float)
        totals = sizes * (1.0 + rng.normal(0, 1, 15)) + np.sqrt(sizes) * rng.normal(0, 1, 15)
        hits += covers(ratio(totals.tolist(), sizes.tolist()), 1.0)
    assert 0.93 <= hits / 1000 <= 0.98


def test_equal_clusters_have_no_error() -> None:
    assert cluster_ratio([2.0, 4.0], [1.0, 2.0]) == Measure(2.0, None, None, None, 0.0, 2)
    assert cluster_ratio([2.0], [1.0]) == Measure(2.0, None, None, None, 0.0, 1)
    assert cluster_ratio([0.0], [0.0]) is None


def test_one_large_cluster_leaves_few_degrees_of_freedom() -> None:
    """Nine small clusters next to it add little."""
    estimate = ratio([50.0, *[1.0, 0.0] * 5], [100.0, *[1.0] * 10])
    assert estimate.error is None or estimate.freedom < 1


def test_the_p_value_is_that_of_the_interval() -> None:
    estimate = ratio([3.0, 5.0, 4.0, 8.0], [2.0] * 4)
    assert estimate.low is not None
    assert p_of_measure(estimate, estimate.low) == pytest.approx(0.05)
    assert p_of_measure(estimate, estimate.value) == 1
    assert p_of_measure(ratio([2.0], [1.0])) is None


def test_the_error_of_a_difference_has_both_errors() -> None:
    one, other = Measure(3.0, 0, 6, 3.0, 10.0, 11), Measure(1.0, -2, 4, 3.0, 10.0, 11)
    estimate = difference(one, other)
    assert estimate.value == 2
    assert estimate.error == pytest.approx(18**0.5)
    assert estimate.freedom == pytest.approx(20)
    assert difference(one, other, sign=1).value == 4


def test_rare_cards_without_effect_are_hardly_ever_certain() -> None:
    """Of 60 cards each seat is dealt five, and the deal decides who wins.

    Tests with the residuals of the slope would call a card certain in two of three studies.
    """
    rng, studies, deals, cards = np.random.default_rng(1), 60, 50, 60
    false, shares = 0, []
    for _ in range(studies):
        scores = rng.integers(0, 2, deals) - 0.5
        order = np.argsort(rng.random((deals, cards)), axis=1)
        p_values = []
        for card in range(cards):
            has = [(order[:, seat * 5 : seat * 5 + 5] == card).any(axis=1) for seat in (0, 1)]
            x = [column - column.mean() for column in has]
            p = p_of_no_slope(list(x[0] * scores - x[1] * scores))
            p_values.append(1.0 if p is None else p)
        false += min(p_values) < 0.05 / cards
        shares.append(np.mean([p < 0.05 for p in p_values]))
    assert false <= 0.05 * studies
    assert 0.005 <= np.mean(shares) <= 0.05


def test_the_p_value_of_no_slope_is_that_of_a_sign_test_with_many_equal_terms() -> None:
    """Of 100 terms of one size 60 are positive: two standard deviations more than half."""
    assert p_of_no_slope([1.0] * 60 + [-1.0] * 40) == pytest.approx(0.0455, abs=1e-4)
    assert p_of_no_slope([1.0, -1.0, 0.0]) == 1
    assert p_of_no_slope([0.0, 0.0]) is None


def test_a_paired_interval_covers_the_difference_and_is_narrower() -> None:
    """Clusters are deals with a large effect of their own; ten of them lack a partner."""
    rng = np.random.default_rng(5)
    hits, runs, widths = 0, 400, [0.0, 0.0]
    for _ in range(runs):
        deals = rng.normal(0, 3, 40)
        old, new = deals[:30] + rng.normal(0, 1, 30), deals + 0.5 + rng.normal(0, 1, 40)
        one, other = ratio(list(new), [1.0] * 40), ratio(list(old), [1.0] * 30)
        shifts = [(new - one.value) / 40, (old - other.value) / 30]
        paired = paired_difference(one, other, (list(shifts[0]), list(shifts[1])))
        hits += covers(paired, 0.5)
        for number, estimate in enumerate((paired, difference(one, other))):
            assert estimate.error is not None
            widths[number] += estimate.error
    assert 0.93 <= hits / runs <= 0.98
    assert widths[0] < 0.7 * widths[1]


def test_clusters_without_partners_give_the_error_of_independent_estimates() -> None:
    one, other = ratio([3.0, 5.0, 4.0, 8.0], [2.0] * 4), ratio([1.0, 2.0, 4.0], [1.0] * 3)
    shifts = [(total - 2.0 * one.value) / 8 for total in (3.0, 5.0, 4.0, 8.0)]
    others = [(total - other.value) / 3 for total in (1.0, 2.0, 4.0)]
    apart = paired_difference(one, other, ([*shifts, 0.0, 0.0, 0.0], [0.0] * 4 + others))
    assert apart.error == pytest.approx(difference(one, other).error)


def test_a_slope_of_draws_is_that_of_least_squares() -> None:
    """Its interval has the slopes of the draws."""
    draws = np.asarray([[0.0, 1.0, 2.0], [0.0, 2.0, 4.0], [0.0, 3.0, 6.0]])
    estimate = slope_of_draws([0, 1, 2], [0, 2, 4], draws, 0.9, deals=7)
    assert estimate is not None
    assert estimate.value == pytest.approx(2)
    assert estimate.low is not None
    assert estimate.high is not None
    assert 1 <= estimate.low < 2 < estimate.high <= 3
    assert estimate.deals == 7
    assert slope_of_draws([1, 1], [0, 2], draws[:, :2], 0.9, deals=7) is None
