"""Estimates after a stop."""

import numpy as np
import pytest

from cardhub.stats import Hypotheses, Sprt, Verdict, after_stop, elo_of_score
from cardhub.stats.brownian import Motion

PAIR = (0.0, 0.25, 0.5, 0.75, 1.0)


def played(shares: np.ndarray, rng: np.random.Generator, blocks: int = 600) -> Sprt:
    """Return a test of 0 against 50 normalized Elo that has run to its end."""
    test = Sprt(Hypotheses(0, 50, model="closed"), PAIR)
    for score in rng.choice(PAIR, size=blocks, p=shares):
        if test.add(float(score)) is not Verdict.UNDECIDED:
            break
    return test


@pytest.mark.parametrize("tilt", [0.0, 0.5])
def test_the_estimate_is_as_often_too_low_as_too_high(tilt: float, runs: int) -> None:
    """The mean of what was played is not; and the interval holds the truth in 95 %."""
    rng, matches = np.random.default_rng(8), 2 * runs
    shares = np.asarray([0.06, 0.22, 0.44, 0.22, 0.06]) * np.exp(tilt * (np.asarray(PAIR) - 0.5))
    shares /= shares.sum()
    truth = elo_of_score(float(shares @ np.asarray(PAIR)))
    assert truth is not None
    low = held = 0
    for _ in range(matches):
        found = after_stop(played(shares, rng))
        assert found is not None
        low += found.value is not None and found.value < truth
        held += (found.low is None or found.low <= truth) and (
            found.high is None or truth <= found.high
        )
    assert abs(low / matches - 0.5) < 0.04 + 1 / np.sqrt(matches)
    assert held / matches > 0.95 - 0.5 / np.sqrt(matches)


def test_a_winner_is_not_as_strong_as_the_stop_suggests() -> None:
    """After a quick "better" the estimate lies below the score, after "not better" above."""
    up, down = (Sprt(Hypotheses(0, 50), PAIR) for _ in range(2))
    for score in [1.0, 0.5, 0.75] * 60:
        up.add(score)
        down.add(1 - score)
    risen, fallen = after_stop(up), after_stop(down)
    assert (up.verdict, down.verdict) == (Verdict.BETTER, Verdict.NOT_BETTER)
    assert risen is not None
    assert fallen is not None
    assert 0 < (risen.value or 0) < (elo_of_score(0.75) or 0)
    assert (elo_of_score(0.25) or 0) < (fallen.value or 0) < 0


@pytest.mark.parametrize("model", ["logistic", "normalized", "closed"])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_any_test_has_an_estimate_from_its_first_block_on(score: float, model: str) -> None:
    """None only for what is endless; never an error, never out of order."""
    test = Sprt(Hypotheses(0, 20, model=model))  # type: ignore[arg-type]  # one of the models
    assert after_stop(test) is None
    for _ in range(3):
        test.add(score)
        found = after_stop(test)
        assert found is not None
        known = [value for value in (found.low, found.value, found.high) if value is not None]
        assert known == sorted(known)
        assert np.isfinite(known).all()


def test_both_series_of_the_brownian_motion_agree() -> None:
    """Images at early times and sines at late ones are the same function, between and at ends."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        low, high, variance = -rng.uniform(0.5, 4), rng.uniform(0.5, 4), rng.uniform(0.01, 1)
        motion = Motion(low, high, 2 * rng.normal() * variance, variance)
        time, place = rng.uniform(0.3, 1) * (high - low) ** 2 / variance, rng.uniform(low, high)
        assert motion._failed_by_sines(time) == pytest.approx(motion._failed_by_images(time))
        assert motion._below_by_sines(time, place) == pytest.approx(
            motion._below_by_images(time, place), abs=1e-12
        )


def test_a_motion_without_drift_ends_at_either_side_by_distance() -> None:
    """The gambler's ruin; and outcomes are ordered from fast failure to fast success."""
    motion = Motion(-1.0, 3.0, 0.0, 1.0)
    assert motion.chance_of_no_better(1e6, 3.0) == pytest.approx(0.75)
    outcomes = [(0.5, -1.0), (2.0, -1.0), (2.0, 0.0), (2.0, 1.0), (2.0, 3.0), (0.5, 3.0)]
    chances = [motion.chance_of_no_better(time, place) for time, place in outcomes]
    assert chances == sorted(chances)
