"""Suggested hypotheses for a later test."""

import pytest

from cardhub.lab.stats import Hypotheses, Sprt, Verdict
from cardhub.lab.stats.sequential.sprt import blocks_to_verdict, suggested_test

PAIR = (0.0, 0.25, 0.5, 0.75, 1.0)


def after(scores: list[float], hypotheses: Hypotheses) -> Sprt:
    """Return a test after these blocks or its verdict."""
    test = Sprt(hypotheses, PAIR)
    for score in scores:
        test.add(score)
    return test


@pytest.mark.parametrize("scores", [[1.0, 1.0, 0.5], [1.0], [0.0, 0.5, 0.0]])
def test_a_clear_test_suggests_hypotheses_that_decide_it_sooner(scores: list[float]) -> None:
    """Similar blocks decide the suggested test, after about the predicted number."""
    test = after(scores * 60, Hypotheses(0, 20))
    suggested = suggested_test(test)
    assert suggested is not None
    assert 2 * suggested.blocks <= test.tally.blocks
    again = after(scores * 60, suggested.hypotheses)
    assert again.verdict is test.verdict
    assert again.tally.blocks <= suggested.blocks + len(scores)


def test_narrow_results_suggest_no_wider_hypotheses() -> None:
    """An undecided test of nearly even bots, one without blocks, and one in points have none."""
    test = after([0.75, 0.25, 0.5, 0.5, 0.75, 0.5] * 30, Hypotheses(0, 60))
    assert suggested_test(test) is None
    assert suggested_test(Sprt(Hypotheses(0, 20))) is None
    in_points = Sprt(Hypotheses(0, 20, in_points=True))
    in_points.add(3.0)
    assert suggested_test(in_points) is None


def test_the_number_of_blocks_is_that_of_equal_blocks() -> None:
    """All-won blocks decide [0, 60] after about a third of the blocks of [0, 20]."""
    test = after([1.0] * 60, Hypotheses(0, 20))
    assert test.verdict is Verdict.BETTER
    assert blocks_to_verdict(test, test.hypotheses) == pytest.approx(test.tally.blocks, abs=2)
    assert blocks_to_verdict(test, Hypotheses(0, 60)) == pytest.approx(13, abs=2)
