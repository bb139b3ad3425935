"""The goal of a game: how final scores count for its players."""

from enum import Enum


class Goal(Enum):
    """The aim of the players, which decides returns, search values and the words of the result."""

    SCORE = "score"
    """The points themselves count, won or lost: poker chips, or the sum of many deals.

    A seat's return is its score, negated with `lowest_wins`.
    """
    WIN = "win"
    """Only the first place counts.

    The return is 1 for the only winner and -1/(n-1) for the others of n teams; winners share.
    """
    RANK = "rank"
    """The place counts.

    The return is 1 for the first team to -1 for the last, in equal steps.
    """
    COMMON = "common"
    """All players share one score, which is the return of each; negated with `lowest_wins`."""
