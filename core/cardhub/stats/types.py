"""What goes into the statistics of matches, and what comes out."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Pair: TypeAlias = tuple[int, int]
"""The indices of two bots."""


NOBODY = -1
"""Who sits where the result is nobody's, such as that of a substitute."""


class PlayedGame(NamedTuple):
    """One finished game: which bot sat where, and who came in at which place.

    `block` is the number of the deal; `entrants` are bot indices in the order of the seats, and one
    bot may sit in several, or NOBODY; `places` in the same order, lower is better, equal numbers
    are ties.
    """

    block: int
    entrants: tuple[int, ...]
    places: tuple[float, ...]


class Estimate(NamedTuple):
    """A value with an interval around it, all three finite."""

    value: float
    low: float
    high: float


class EloEstimate(NamedTuple):
    """A value in Elo with an interval; None stands for no finite number.

    A `low` of None is minus infinity and a `high` of None plus infinity.
    """

    value: float | None
    low: float | None
    high: float | None

    @property
    def error(self) -> float | None:
        """Half the width of the interval, None if it is unbounded."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2


class PointEstimate(NamedTuple):
    """A value on a scale without ends, with an interval; None and None if that is unknown."""

    value: float
    low: float | None
    high: float | None


def generator(seed: int) -> np.random.Generator:
    """Return the random generator that belongs to a seed."""
    return np.random.Generator(np.random.PCG64(seed))


def check_level(level: float) -> None:
    """Raise ValueError unless `level` is the level of an interval, such as 0.95."""
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, such as 0.95, not {level}")


def check_scores(scores: Floats) -> None:
    """Raise ValueError unless all scores lie between 0 and 1."""
    if not bool(np.all((scores >= 0) & (scores <= 1))):
        wrong = scores[~((scores >= 0) & (scores <= 1))].flat[0]
        raise ValueError(f"the score of a block lies between 0 and 1, not {wrong}")
