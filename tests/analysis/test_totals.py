"""Scores by seat of a finished game."""

from cardhub.analysis.totals import has_even_scores
from cardhub.match.seat_scores import float_scores


def test_scores_by_rank_have_the_mean_one_half() -> None:
    """With ties, too; places that skip one are not those of a game, and the audit finds them."""
    assert float_scores((1, 2, 2), "rank") == (1, 0.25, 0.25)
    assert all(map(has_even_scores, ((1, 2), (1, 1), (1, 2, 2), (1, 1, 3))))
    assert not has_even_scores((1, 3))
