"""Reviews of bots: the decisions of a match, rated by a stronger search.

`review.jsonl` in the folder of a match has the ratings; `reviews_in` returns the results.
"""

from pathlib import Path

from cardhub.lab.analysis.review.review_schema import MatchReview


def reviews_in(folder: Path, level: float = 0.95) -> MatchReview | None:
    """Return the review in the folder of a match, complete or not; None if there is no review.

    Raises MatchError if the file is damaged or belongs to another match.
    """
    # Imported on the first call: numpy and scipy load slowly.
    from cardhub.lab.analysis.review.review_file import results_in

    return results_in(folder, level)


__all__ = ["reviews_in"]
