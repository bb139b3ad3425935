"""Scores by seat of a finished game."""

from fractions import Fraction

from cardhub.lab.analysis.totals import has_even_scores
from cardhub.lab.match.seat_scores import seat_scores


def test_scores_by_rank_have_the_mean_one_half() -> None:
    assert seat_scores((1, 2, 2), "rank") == (Fraction(1), Fraction(1, 4), Fraction(1, 4))
    assert all(map(has_even_scores, ((1, 2), (1, 1), (1, 2, 2), (1, 1, 3))))
    assert not has_even_scores((1, 3))
