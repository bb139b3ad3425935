"""Variance components, seat advantages, undecided blocks and control variates."""

from collections.abc import Sequence

import numpy as np
import pytest

from cardhub.lab.stats import (
    VarianceComponents,
    control_variate,
    pooled,
    seat_edge,
    undecided_share,
    variance_of,
)


def variance_of_games(games: Sequence[Sequence[float]]) -> VarianceComponents | None:
    """Return the variance components, given for each block the scores of one bot in its games."""
    singles = np.asarray([score for block in games for score in block], dtype=np.float64)
    means = np.asarray([np.mean(block) for block in games], dtype=np.float64)
    return variance_of(means, singles, np.ones(len(singles)))


def found_spread(games: Sequence[Sequence[float]]) -> VarianceComponents:
    """Return the variance components of games that have some variance."""
    components = variance_of_games(games)
    assert components is not None
    return components


def test_blocks_that_decide_nothing_are_counted() -> None:
    """Blocks with a score of 1/2 are undecided."""
    assert undecided_share([0.5, 0.5, 0.75, 0.25]) == 0.5
    assert undecided_share([]) is None


def test_luck_that_a_block_cancels_is_all_luck() -> None:
    """The first seat always wins: each block is even, and the deal explains everything."""
    assert found_spread([[1, 0]] * 20).luck_share == pytest.approx(1)


def test_independent_games_have_no_luck_to_share() -> None:
    """The share is about 0 for independent games within blocks."""
    games = np.random.default_rng(2).integers(0, 2, size=(4000, 2)).astype(float)
    assert found_spread(games.tolist()).luck_share == pytest.approx(0, abs=0.06)


def test_games_that_repeat_each_other_make_it_negative() -> None:
    """Identical games within blocks give a share of -1."""
    assert found_spread([[1, 1], [0, 0]] * 20).luck_share == pytest.approx(-1, abs=0.1)


def test_luck_needs_two_blocks_and_games_that_differ() -> None:
    assert not any(map(variance_of_games, ([], [[1, 0]], [[1, 1]] * 9)))


def test_what_blocks_save_is_a_factor() -> None:
    """Three quarters of the variance are luck that cancels: four times fewer games."""
    rng = np.random.default_rng(3)
    luck, skill = rng.normal(size=4000), rng.normal(size=(4000, 2))
    games = np.stack([luck, -luck], axis=1) * 3**0.5 + skill
    assert found_spread(games.tolist()).factor_saved == pytest.approx(4, rel=0.1)
    assert found_spread([[1, 0]] * 20).factor_saved is None


def test_seats_are_compared_with_their_mean() -> None:
    """The interval contains the simulated advantage of 0.1."""
    rng = np.random.default_rng(5)
    first = np.clip(0.6 + 0.1 * rng.normal(size=300), 0, 1)
    edges = seat_edge(np.stack([first, 1 - first], axis=1).tolist())
    assert edges is not None
    assert edges[0].low < 0.1 < edges[0].high
    assert edges[0].low > 0 > edges[1].high
    assert edges[0].value == pytest.approx(-edges[1].value)


def test_seats_without_blocks_or_with_one_are_no_trouble() -> None:
    """No blocks give None; a single block gives nearly the widest interval."""
    assert seat_edge([]) is None
    edges = seat_edge([[0.7, 0.3]])
    assert edges is not None
    assert edges[0].value == pytest.approx(0.2)
    assert edges[0].high - edges[0].low > 1.5


def test_the_spread_of_games_may_be_counted_by_value() -> None:
    """Histograms give the result of game lists; pairs are weighted by degrees of freedom."""
    blocks = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.5]]
    means = np.asarray([sum(block) / 2 for block in blocks])
    components = variance_of(means, np.asarray([0, 0.5, 1]), np.asarray([3.0, 1, 4]))
    assert components is not None
    whole = variance_of_games(blocks)
    assert whole is not None
    assert components == pytest.approx(whole)
    together = pooled([None, components, components._replace(block=0, freedom=1)])
    assert together is not None
    assert together[:2] == pytest.approx((components.block * 0.75, components.game))
    assert pooled([None]) is None


def test_shared_luck_is_taken_out_without_bias() -> None:
    """The factor is recovered, the mean is unbiased, and the variance decreases."""
    rng, means, errors = np.random.default_rng(6), [], []
    for _ in range(300):
        luck = rng.normal(size=60)
        scores, baseline = 0.55 + 0.1 * luck + 0.05 * rng.normal(size=60), 0.5 + 0.2 * luck
        adjusted = control_variate(scores, baseline, expected=0.5)
        assert adjusted is not None
        means.append(adjusted.mean)
        errors.append(adjusted.error)
        assert adjusted.factor == pytest.approx(0.5, abs=0.15)
        assert adjusted.saved > 2
    assert np.mean(means) == pytest.approx(0.55, abs=3 * np.std(means) / np.sqrt(300))
    assert np.std(means) == pytest.approx(np.mean(errors), rel=0.15)


def test_a_baseline_that_knows_nothing_does_little_harm() -> None:
    """Its `saved` is about 1."""
    rng = np.random.default_rng(7)
    scores, baseline = rng.random(400), rng.random(400)
    adjusted = control_variate(scores, baseline, expected=0.5)
    assert adjusted is not None
    assert adjusted.saved == pytest.approx(1, abs=0.05)
    assert adjusted.mean == pytest.approx(scores.mean(), abs=0.01)


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
    assert control_variate([0.5] * blocks, [0.5] * blocks, 0.5) is None


def test_a_baseline_that_never_varies_changes_nothing() -> None:
    """Constant scores or baselines do not divide by zero."""
    adjusted = control_variate([0.2, 0.4, 0.6, 0.8], [0.5] * 4, 0.5)
    assert adjusted is not None
    assert adjusted.scores.tolist() == [0.2, 0.4, 0.6, 0.8]
    assert adjusted.factor == 0
    assert adjusted.saved == pytest.approx(1)
    same = control_variate([0.5] * 4, [0.5] * 4, 0.5)
    assert same is not None
    assert same.error == 0


def test_blocks_that_do_not_match_are_refused() -> None:
    """Every block takes a baseline score, and cross-fitting at least two folds."""
    with pytest.raises(ValueError, match="3 block scores, but 2"):
        control_variate([1.0, 0.0, 1.0], [1.0, 0.0], 0.5)
    with pytest.raises(ValueError, match="at least 2"):
        control_variate([1.0] * 4, [1.0] * 4, 0.5, folds=1)
