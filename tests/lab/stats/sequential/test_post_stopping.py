"""Estimates after a sequential test."""

import numpy as np
import pytest

from cardhub.lab.stats import Hypotheses, Sprt, Verdict, after_stop, elo_of_score
from stopping import ENDLESS, SHORT, Setting, block_shares, play, simulate

PAIR = (0.0, 0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize(
    ("setting", "limits"),
    [
        (Setting(440, "normalized", "pentanomial"), [ENDLESS]),
        pytest.param(
            *(Setting(200, "normalized", "pentanomial"), [ENDLESS, SHORT]),
            marks=pytest.mark.soak("stronger and weaker bots are tested"),
        ),
        (Setting(-300, "logistic", "trinomial"), [ENDLESS, SHORT]),
        (Setting(20, "logistic", "pentanomial", elo=(0, 50)), [SHORT]),
    ],
)
def test_the_estimate_is_as_often_too_low_as_too_high(
    setting: Setting, limits: list[int], runs: int
) -> None:
    """Interval coverage holds for strong and weak bots, with and without a verdict."""
    noise = 1 / np.sqrt(runs)
    for shares in simulate(setting, limits, runs):
        assert shares.held >= 0.94 - 0.6 * noise
        assert max(shares.above, shares.below) <= 0.55 + noise
        assert shares.apart <= 0.02 + 0.2 * noise


def test_simulated_tests_stop_where_their_evidence_reaches_a_bound() -> None:
    """Evidence computed for an array of blocks gives the verdict after the same block."""
    setting = Setting(150, "normalized", "pentanomial")
    shares = block_shares(setting.truth, setting.kind)
    scores, has_verdict = play(setting, shares, np.random.default_rng(5), ENDLESS)
    test = Sprt(setting.tested, PAIR)
    for score in scores.tolist():
        assert test.verdict is Verdict.UNDECIDED
        test.add(score)
    assert has_verdict
    assert test.verdict is Verdict.BETTER


def test_a_winner_is_not_as_strong_as_the_stop_suggests() -> None:
    up, down = (Sprt(Hypotheses(0, 20), PAIR) for _ in range(2))
    for score in [1.0, 0.5, 0.75] * 60:
        up.add(score)
        down.add(1 - score)
    assert (up.verdict, down.verdict) == (Verdict.BETTER, Verdict.NOT_BETTER)
    assert 0 < elo_after(up) < elo_played(up)
    assert elo_played(down) < elo_after(down) < 0


def elo_after(test: Sprt) -> float:
    """Return the estimate after a test that has one."""
    estimate = after_stop(test)
    assert estimate is not None
    assert estimate.value is not None
    return estimate.value


def elo_played(test: Sprt) -> float:
    """Return the Elo of the mean score in a test."""
    mean = float(test.tally.values() @ test.tally.counts()) / test.tally.blocks
    return elo_of_score(mean) or 0.0


@pytest.mark.parametrize(
    ("values", "close"),
    [(PAIR, 0.01), ((0.0, 0.3, 0.7, 1.0), 0.01), ((0.0, 0.123, 0.877, 1.0), 3.0)],
)
def test_a_test_has_the_mirrored_estimate_of_its_mirror(
    values: tuple[float, ...], close: float
) -> None:
    """Swapping wins and losses and mirroring the hypotheses mirrors the estimate."""
    mine, theirs = Sprt(Hypotheses(0, 50), values), Sprt(Hypotheses(-50, 0), values)
    for score in [values[-1], values[-2], values[-1], values[1]] * 60:
        mine.add(score)
        theirs.add(1 - score)
    one, other = after_stop(mine), after_stop(theirs)
    assert one is not None
    assert other is not None
    assert elo_after(mine) == pytest.approx(-elo_after(theirs), abs=close)
    assert (one.low, one.high) == pytest.approx((-(other.high or 0), -(other.low or 0)), abs=close)


def test_a_test_that_was_won_throughout_gives_a_bound() -> None:
    """Equal blocks give no median-unbiased value; wins and losses mirror each other."""
    up, down = (Sprt(Hypotheses(*elo), PAIR) for elo in ((0, 20), (-20, 0)))
    for _ in range(60):
        up.add(1.0)
        down.add(0.0)
    best, worst = after_stop(up), after_stop(down)
    assert best is not None
    assert worst is not None
    assert (best.value, best.high, worst.value, worst.low) == (None,) * 4
    assert best.low == pytest.approx(-(worst.high or 0), abs=0.01)
    assert 400 < (best.low or 0) < 500


@pytest.mark.parametrize("model", ["logistic", "normalized", "closed"])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_any_test_has_an_estimate_from_its_first_block_on(score: float, model: str) -> None:
    """The estimate is never an error, and its finite values are in order."""
    test = Sprt(Hypotheses(0, 20, model=model))  # type: ignore[arg-type]  # one of the models
    assert after_stop(test) is None
    for _ in range(3):
        test.add(score)
        estimate = after_stop(test)
        assert estimate is not None
        known = [
            value for value in (estimate.low, estimate.value, estimate.high) if value is not None
        ]
        assert known == sorted(known)
        assert np.isfinite(known).all()
