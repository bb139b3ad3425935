"""Anytime-valid confidence sequences."""

import numpy as np
import pytest

from cardhub.lab.estimate import Estimate
from cardhub.lab.stats import ConfidenceSequence
from cardhub.lab.stats.sequential.confidence_sequence import Capital


@pytest.mark.parametrize(
    ("values", "shares"),
    [
        ([0, 0.25, 0.5, 0.75, 1], [0.06, 0.22, 0.44, 0.22, 0.06]),
        ([0, 1], [0.5, 0.5]),
        ([0, 1], [0.1, 0.9]),
        ([0, 0.5, 1], [0.02, 0.96, 0.02]),
    ],
)
def test_the_truth_is_ever_missed_in_less_than_5_percent_of_matches(
    values: list[float], shares: list[float]
) -> None:
    """The truth is excluded at any of 1,000 looks in at most 5 % of 2,000 matches."""
    scores = np.random.default_rng(5).choice(values, size=(1000, 2000), p=shares)
    capital = Capital(np.full(2000, np.dot(values, shares)), alpha=0.05)
    missed = np.zeros(2000, dtype=bool)
    for row in scores:
        capital.add(row)
        missed |= capital.log() >= np.log(20)
    assert missed.mean() <= 0.05


def test_intervals_only_ever_shrink_and_close_in_on_the_mean() -> None:
    """Intervals are intersected over time and never grow."""
    sequence, widths = ConfidenceSequence(), []
    for score in np.random.default_rng(1).choice([0.25, 0.5, 1.0], size=1500):
        before = sequence.interval()
        sequence.add(float(score))
        after = sequence.interval()
        assert before.low <= after.low <= after.high <= before.high
        widths.append(after.high - after.low)
    assert after.low < 1.75 / 3 < after.high
    assert widths[-1] < 0.08 < widths[10]


def test_an_interval_of_many_blocks_is_not_much_wider_than_a_usual_one() -> None:
    """The sequence is less than three times as wide as a normal interval."""
    scores = np.random.default_rng(2).choice([0, 0.5, 1.0], size=2000)
    sequence = ConfidenceSequence()
    for score in scores:
        sequence.add(float(score))
    usual = 2 * 1.96 * scores.std() / np.sqrt(2000)
    assert usual < sequence.interval().high - sequence.interval().low < 3 * usual


def test_nothing_is_known_before_the_first_block() -> None:
    sequence = ConfidenceSequence()
    assert sequence.interval() == Estimate(0.5, 0, 1)
    assert sequence.p_value() == 1
    assert sequence.blocks == 0


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_equal_blocks_close_in_on_their_value(score: float) -> None:
    """All wins, all losses or all even: still an interval, one that holds the value."""
    sequence = ConfidenceSequence()
    sequence.add(score)
    one = sequence.interval()
    for _ in range(200):
        sequence.add(score)
    interval = sequence.interval()
    assert one.high - one.low > 0.5
    assert interval.low <= score <= interval.high
    assert interval.high - interval.low < 0.15


def test_the_p_value_and_the_interval_agree_about_even_bots() -> None:
    """1/2 leaves the interval when the p-value reaches 5 %."""
    sequence = ConfidenceSequence(points=101)
    for score in [1.0, 0.5, 1.0, 1.0] * 30:
        sequence.add(score)
        assert (sequence.p_value() <= 0.05) <= (sequence.interval().low >= 0.49)
        assert (sequence.interval().low > 0.5) <= (sequence.p_value() <= 0.05)
    assert sequence.p_value() < 1e-3


def test_a_mean_that_changes_leaves_the_last_interval() -> None:
    """If every mean is rejected, the last interval is kept."""
    sequence = ConfidenceSequence(points=101)
    for score in [0.0] * 300 + [1.0] * 3000:
        sequence.add(score)
    interval = sequence.interval()
    assert 0 <= interval.low < interval.high <= 1


@pytest.mark.parametrize("points", [2, 100])
def test_a_grid_without_the_middle_is_refused(points: int) -> None:
    with pytest.raises(ValueError, match="it must be odd"):
        ConfidenceSequence(points=points)


def test_scores_and_levels_out_of_range_are_refused() -> None:
    """Scores outside [0, 1] and NaN are refused."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        ConfidenceSequence().add(float("nan"))
    with pytest.raises(ValueError, match=r"such as 0\.95"):
        ConfidenceSequence(level=95)
