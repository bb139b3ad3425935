"""Scores with terms against luck: fitted on earlier deals, without bias, and never much worse."""

from random import Random
from statistics import fmean, variance

import pytest

from cardhub.lab.match.variance.adjusted_scores import AdjustedScores, BlockTerms


def adjusted(scores: list[float], terms: list[BlockTerms]) -> list[float]:
    """Return the scores of blocks, each on its own deal."""
    pair = AdjustedScores()
    return [pair.add(deal, *block) for deal, block in enumerate(zip(scores, terms, strict=True))]


def gauss(seed: int, count: int) -> list[float]:
    """Return normal numbers."""
    rng = Random(seed)
    return [rng.gauss(0, 1) for _ in range(count)]


def test_terms_that_explain_the_luck_are_added_as_they_are() -> None:
    """Exact terms leave the skill from the first block on."""
    luck, choices = gauss(1, 50), gauss(2, 50)
    scores = [0.3 + a + b for a, b in zip(luck, choices, strict=True)]
    terms = [BlockTerms(-a, -b, True) for a, b in zip(luck, choices, strict=True)]
    assert adjusted(scores, terms)[0] == pytest.approx(0.3)
    assert variance(adjusted(scores, terms)) < variance(scores) / 100


def test_terms_of_another_scale_are_fitted() -> None:
    """The game's evaluation counts in its own unit."""
    luck = gauss(3, 400)
    scores = [0.3 + a for a in luck]
    less = adjusted(scores, [BlockTerms(-20 * a, 0.0, False) for a in luck])
    assert variance(less[100:]) < variance(scores[100:]) / 50


def test_terms_that_explain_nothing_are_left_out() -> None:
    """The variance hardly rises."""
    scores = gauss(4, 400)
    less = adjusted(
        scores, [BlockTerms(a, b, False) for a, b in zip(gauss(5, 400), gauss(6, 400), strict=True)]
    )
    assert variance(less) < 1.02 * variance(scores)


def test_equal_scores_stay_equal() -> None:
    """Nothing is to be explained."""
    less = adjusted([1.0] * 30, [BlockTerms(a, 0.0, False) for a in gauss(7, 30)])
    assert set(less) == {1.0}


def test_the_fit_knows_no_block_on_the_same_deal() -> None:
    """Otherwise the luck of a deal would choose its own factor."""
    pairs = AdjustedScores(), AdjustedScores()
    for pair in pairs:
        for deal in range(3):
            pair.add(deal, float(deal), BlockTerms(1.0 - deal, 0.0, False))
    pairs[0].add(3, 5.0, BlockTerms(4.0, 0.0, False))
    same = [pair.add(3, 1.0, BlockTerms(2.0, 0.0, False)) for pair in pairs]
    assert same[0] == same[1]


def test_the_mean_is_right_while_the_fit_learns() -> None:
    """Short matches of skewed scores, whose terms are of no use at first."""
    means = []
    for seed in range(300):
        rng = Random(seed)
        luck = [rng.expovariate(1) - 1 for _ in range(12)]
        scores = [a * a - 1 + rng.gauss(0, 1) for a in luck]
        means.append(fmean(adjusted(scores, [BlockTerms(a, 0.0, False) for a in luck])))
    assert abs(fmean(means)) < 4 * variance(means) ** 0.5 / len(means) ** 0.5
