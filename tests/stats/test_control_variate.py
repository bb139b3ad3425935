"""Control variates: variance reduction by a baseline bot."""

import numpy as np
import pytest

from cardhub.stats import control_variate


def test_shared_luck_is_taken_out_without_bias() -> None:
    """The factor is recovered, the mean is unbiased, and the variance decreases."""
    rng, means, errors = np.random.default_rng(6), [], []
    for _ in range(300):
        luck = rng.normal(size=60)
        scores, baseline = 0.55 + 0.1 * luck + 0.05 * rng.normal(size=60), 0.5 + 0.2 * luck
        found = control_variate(scores, baseline, expected=0.5)
        assert found is not None
        means.append(found.mean)
        errors.append(found.error)
        assert found.factor == pytest.approx(0.5, abs=0.15)
        assert found.saved > 2
    assert np.mean(means) == pytest.approx(0.55, abs=3 * np.std(means) / np.sqrt(300))
    assert np.std(means) == pytest.approx(np.mean(errors), rel=0.15)


def test_a_baseline_that_knows_nothing_does_little_harm() -> None:
    """Its `saved` is about 1."""
    rng = np.random.default_rng(7)
    scores, baseline = rng.random(400), rng.random(400)
    found = control_variate(scores, baseline, expected=0.5)
    assert found is not None
    assert found.saved == pytest.approx(1, abs=0.05)
    assert found.mean == pytest.approx(scores.mean(), abs=0.01)


def test_an_expectation_that_was_estimated_adds_its_error() -> None:
    """The error of the expected value enters the standard error."""
    rng = np.random.default_rng(8)
    luck = rng.normal(size=100)
    sure, unsure = (control_variate(luck, luck, 0.0, error) for error in (0.0, 0.3))
    assert sure is not None
    assert unsure is not None
    assert sure.error == pytest.approx(0, abs=1e-9)
    assert unsure.error == pytest.approx(0.3)


@pytest.mark.parametrize("blocks", [0, 1, 3])
def test_a_factor_needs_other_blocks(blocks: int) -> None:
    """Fewer than four blocks give None."""
    assert control_variate([0.5] * blocks, [0.5] * blocks, 0.5) is None


def test_a_baseline_that_never_varies_changes_nothing() -> None:
    """Constant scores or baselines do not divide by zero."""
    found = control_variate([0.2, 0.4, 0.6, 0.8], [0.5] * 4, 0.5)
    assert found is not None
    assert found.scores.tolist() == [0.2, 0.4, 0.6, 0.8]
    assert found.factor == 0
    assert found.saved == pytest.approx(1)
    same = control_variate([0.5] * 4, [0.5] * 4, 0.5)
    assert same is not None
    assert same.error == 0


def test_blocks_that_do_not_match_are_refused() -> None:
    """Every block takes a baseline score, and cross-fitting at least two folds."""
    with pytest.raises(ValueError, match="3 block scores, but 2"):
        control_variate([1.0, 0.0, 1.0], [1.0, 0.0], 0.5)
    with pytest.raises(ValueError, match="at least 2"):
        control_variate([1.0] * 4, [1.0] * 4, 0.5, folds=1)
