"""From scores to places and returns."""

from collections.abc import Sequence


def places(scores: Sequence[int], *, lowest_wins: bool = False) -> list[int]:
    """Return each seat's place, 1 for the best; equal scores share the better place."""
    keys = scores if lowest_wins else [-score for score in scores]
    return [1 + sum(other < key for other in keys) for key in keys]


def returns(scores: Sequence[int], *, lowest_wins: bool = False) -> list[float]:
    """Return each seat's utility by place: 1 for the best, -1 for the last, 0 in sum.

    Seats that share places share the mean of what those places would have got.
    """
    ranks = places(scores, lowest_wins=lowest_wins)
    top = len(ranks) - 1
    if top == 0:
        return [0.0]
    return [(top - 2 * (rank - 1) - (ranks.count(rank) - 1)) / top for rank in ranks]
