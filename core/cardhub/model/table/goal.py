"""The goal of a game: how final scores count for its players."""

from enum import Enum


class Goal(Enum):
    """The aim of the players, which decides returns, search values and the words of the result."""

    SCORE = "score"
    """The points count themselves, won or lost: poker chips, or the sum of many deals."""
    WIN = "win"
    """Only the first place counts."""
    RANK = "rank"
    """The place counts."""
    COMMON = "common"
    """All players share one score."""
