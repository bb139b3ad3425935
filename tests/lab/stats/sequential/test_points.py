"""Sequential tests and anytime-valid intervals of differences in points."""

from collections.abc import Callable
from math import log

import numpy as np
import pytest

from cardhub.lab.estimate import PointEstimate
from cardhub.lab.stats import (
    AsymptoticSequence,
    Hypotheses,
    PairOrder,
    Race,
    Sprt,
    Verdict,
)
from cardhub.lab.stats.sequential.confidence_sequence import FIRST, log_mixture, mixture_scale
from cardhub.lab.stats.sequential.llr import closed_llr
from cardhub.lab.stats.sequential.sprt import POINT_CELLS, PointTally
from cardhub.lab.stats.types import Floats

Draw = Callable[[np.random.Generator, int], Floats]


def even_chips(rng: np.random.Generator, blocks: int) -> Floats:
    """Return blocks of small stakes, half points apart."""
    return np.round(rng.normal(0, 6, blocks)) / 2


def skewed(rng: np.random.Generator, blocks: int) -> Floats:
    """Return blocks that lose often and little, and win rarely and much."""
    return np.asarray(np.round(4 * (rng.exponential(1, blocks) - 1)))


def rare(rng: np.random.Generator, blocks: int) -> Floats:
    """Return blocks most of which end even."""
    return np.asarray(np.where(rng.random(blocks) < 0.2, even_chips(rng, blocks), 0.0))


def verdict_of(blocks: Floats, hypotheses: Hypotheses) -> Verdict:
    """Return the verdict of a test."""
    test = Sprt(hypotheses)
    for value in blocks.tolist():
        if test.add(value) is not Verdict.UNDECIDED:
            break
    return test.verdict


def test_a_test_does_not_depend_on_the_unit() -> None:
    """Normalized hypotheses are about the mean in standard deviations: cents decide as dollars."""
    blocks = even_chips(np.random.default_rng(1), 60) + 0.5
    llrs = []
    for unit in (0.25, 1, 100):
        test = Sprt(Hypotheses(0, 60, in_points=True))
        llrs.append([(test.add(unit * value), test.llr)[1] for value in blocks.tolist()])
    assert llrs[0] == pytest.approx(llrs[1], rel=1e-6)
    assert llrs[2] == pytest.approx(llrs[1], rel=1e-6)


def test_the_ratio_of_many_blocks_is_near_the_closed_form() -> None:
    """That one rests on mean and variance alone."""
    tally = PointTally()
    for value in (even_chips(np.random.default_rng(2), 400) + 0.25).tolist():
        tally.add(value)
    hypotheses = Hypotheses(0, 20, in_points=True)
    t1 = 2**0.5 * 20 * log(10) / 800
    closed = closed_llr(tally.values(), tally.counts(), 0, t1, 2, even=0)
    assert hypotheses.llr(tally) == pytest.approx(closed, abs=0.02)


@pytest.mark.parametrize(
    "draw",
    [
        skewed,
        *(
            pytest.param(draw, marks=pytest.mark.soak("skewed points are tested, too"))
            for draw in (even_chips, rare)
        ),
    ],
)
def test_even_bots_seldom_pass_and_better_ones_seldom_fail(draw: Draw, runs: int) -> None:
    """Wald's error rates of 5 %, with three standard errors more."""
    rng, matches = np.random.default_rng(3), runs // 2
    hypotheses = Hypotheses(0, 120, in_points=True)
    ahead = 2**0.5 * 120 * log(10) / 800 * float(draw(rng, 100_000).std())
    even = [verdict_of(draw(rng, 600), hypotheses) for _ in range(matches)]
    better = [verdict_of(draw(rng, 600) + ahead, hypotheses) for _ in range(matches)]
    most = 0.05 * matches + 3 * (0.05 * 0.95 * matches) ** 0.5
    assert even.count(Verdict.BETTER) <= most
    assert better.count(Verdict.NOT_BETTER) <= most
    assert (even + better).count(Verdict.UNDECIDED) <= most


def test_hypotheses_in_points_are_about_the_mean() -> None:
    hypotheses = Hypotheses(0, 2, model="points", in_points=True)
    blocks = even_chips(np.random.default_rng(4), 400)
    assert verdict_of(blocks + 2 - blocks.mean(), hypotheses) is Verdict.BETTER
    assert verdict_of(blocks - blocks.mean(), hypotheses) is Verdict.NOT_BETTER


def test_a_mean_in_points_is_not_judged_before_differences_were_seen() -> None:
    """Deals that end even do not show the size of the others."""
    hypotheses = Hypotheses(0, 1, model="points", in_points=True)
    assert verdict_of(np.zeros(200), hypotheses) is Verdict.UNDECIDED
    assert verdict_of(np.asarray([0.0] * 50 + [9.0, -9.0] * 4), hypotheses) is Verdict.UNDECIDED


def test_no_test_in_points_is_decided_by_a_handful_of_blocks() -> None:
    """They do not show yet what a large difference is."""
    hypotheses = Hypotheses(0, 400, in_points=True)
    assert verdict_of(np.asarray([-2.0, 0.5] * 4), hypotheses) is Verdict.UNDECIDED
    assert verdict_of(np.asarray([-2.0, 0.5] * 5), hypotheses) is Verdict.NOT_BETTER


def test_points_have_no_logistic_elo() -> None:
    with pytest.raises(ValueError, match="invalid model 'logistic'"):
        Hypotheses(0, 10, model="logistic", in_points=True)
    with pytest.raises(ValueError, match="invalid model 'points'"):
        Hypotheses(0, 10, model="points")


def test_a_tally_of_many_values_is_bounded_and_keeps_the_mean() -> None:
    values = np.random.default_rng(5).normal(3, 1000, 3000)
    tallies = [PointTally() for _ in range(2)]
    for value, other in zip(values.tolist(), values[::-1].tolist(), strict=True):
        tallies[0].add(value)
        tallies[1].add(other)
    cells, counts = tallies[0].values(), tallies[0].counts()
    assert len(cells) <= POINT_CELLS + 2
    assert counts.sum() == pytest.approx(3000)
    mean = float(counts @ cells) / 3000
    assert mean == pytest.approx(values.mean(), abs=1e-6)
    assert float(counts @ (cells - mean) ** 2) / 3000 == pytest.approx(values.var(), rel=0.002)
    assert tallies[1].values() == pytest.approx(cells)
    assert tallies[1].counts() == pytest.approx(counts, abs=1e-6)
    with pytest.raises(ValueError, match="must be a finite number"):
        tallies[0].add(float("nan"))


@pytest.mark.parametrize(
    "draw",
    [
        skewed,
        *(
            pytest.param(draw, marks=pytest.mark.soak("skewed points are tested, too"))
            for draw in (even_chips, rare)
        ),
    ],
)
def test_the_asymptotic_interval_seldom_misses_the_mean_at_any_time(draw: Draw) -> None:
    rng, matches, length = np.random.default_rng(6), 600, 1500
    blocks = draw(rng, matches * length).reshape(matches, length)
    numbers = np.arange(1, length + 1, dtype=np.float64)
    total, squares = blocks.cumsum(axis=1), (blocks**2).cumsum(axis=1)
    z = total / np.sqrt(np.maximum(squares, 1e-9) / numbers)
    evidence = log_mixture(numbers, z, mixture_scale(0.05))[:, FIRST - 1 :]
    missed = (evidence >= log(20)).any(axis=1).mean()
    assert missed <= 0.05 + 3 * (0.05 * 0.95 / matches) ** 0.5


def test_an_asymptotic_sequence_excludes_exactly_the_rejected_means() -> None:
    """The interval and the p-value are of one test: 0 leaves it when p falls below 5 %."""
    sequence = AsymptoticSequence()
    blocks = even_chips(np.random.default_rng(7), 400) + 1
    for value in blocks.tolist():
        sequence.add(value)
        _, low, high = sequence.interval()
        is_rejected = low is not None and high is not None and not low <= 0 <= high
        assert is_rejected == (sequence.p_value() < 0.05)
    assert sequence.interval().value == pytest.approx(blocks.mean())
    assert sequence.p_value() < 0.05


def test_an_asymptotic_sequence_begins_late() -> None:
    """Few blocks, or equal ones, give no interval; equal ones that are not 0 a p-value."""
    sequence = AsymptoticSequence()
    assert sequence.interval() == PointEstimate(0, None, None)
    for number in range(1, FIRST + 1):
        sequence.add(2.0)
        assert (sequence.p_value() == 1) == (number < FIRST)
    assert sequence.interval() == PointEstimate(2, None, None)


def test_a_race_in_points_decides_all_pairs() -> None:
    """Two bots that are always level are equal; the third is ahead of both."""
    rng, race = np.random.default_rng(8), Race(range(3), in_points=True)
    while (pair := race.next_pair()) is not None:
        ahead = 0.0 if 2 not in pair else float(np.round(rng.normal(-3, 6)))
        race.add(pair, ahead)
    orders = race.orders()
    second, equal = PairOrder.SECOND, PairOrder.EQUAL
    assert orders == {(0, 1): equal, (0, 2): second, (1, 2): second}
