"""Places and returns, computed from scores."""

from collections.abc import Sequence


def places(scores: Sequence[int], *, lowest_wins: bool = False) -> list[int]:
    """Return each seat's place, 1 for the best; equal scores share the better place."""
    keys = scores if lowest_wins else [-score for score in scores]
    return [1 + sum(other < key for other in keys) for key in keys]


def returns(scores: Sequence[int], *, lowest_wins: bool = False) -> list[float]:
    """Return each seat's utility by place, from 1 for the best to -1 for the last, with sum 0.

    Seats that share a place get the mean utility of the places that they share.
    """
    # Places are equally spaced from 1 to -1. A tie occupies several of them: the mean is the same
    # as that of its first and last place.
    ranks = places(scores, lowest_wins=lowest_wins)
    top = len(ranks) - 1
    if top == 0:
        return [0.0]
    return [(top - 2 * (rank - 1) - (ranks.count(rank) - 1)) / top for rank in ranks]
