"""Input and result types of the statistics, and checks of their ranges."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
# The indices of two bots.
Pair: TypeAlias = tuple[int, int]


# The entrant index of a seat whose result is not attributed to a bot, such as a substitute's.
NOBODY = -1


class PlayedGame(NamedTuple):
    """One finished game: the bot in each seat and its finishing place.

    `block` is the number of the deal. `entrants` are bot indices by seat; a bot may occupy several
    seats, and NOBODY stands for an unattributed seat. `places` has the same order: lower is better,
    equal numbers are ties.
    """

    block: int
    entrants: tuple[int, ...]
    places: tuple[float, ...]


class Estimate(NamedTuple):
    """A point estimate with a bounded interval."""

    value: float
    low: float
    high: float


class EloEstimate(NamedTuple):
    """An estimate in Elo with an interval; None stands for a value that is not finite.

    A `low` of None is minus infinity, a `high` of None plus infinity.
    """

    value: float | None
    low: float | None
    high: float | None

    @property
    def error(self) -> float | None:
        """Half the width of the interval; None if it is unbounded."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2


class PointEstimate(NamedTuple):
    """An estimate on an unbounded scale; `low` and `high` are None if the interval is unknown."""

    value: float
    low: float | None
    high: float | None


def generator(seed: int) -> np.random.Generator:
    """Return a PCG64 random generator seeded with `seed`."""
    return np.random.Generator(np.random.PCG64(seed))


def check_level(level: float) -> None:
    """Raise ValueError unless `level` is a confidence level between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(
            f"invalid confidence level {level}: it must lie between 0 and 1, such as 0.95"
        )


def check_scores(scores: Floats) -> None:
    """Raise ValueError unless all block scores lie between 0 and 1."""
    if not bool(np.all((scores >= 0) & (scores <= 1))):
        wrong = scores[~((scores >= 0) & (scores <= 1))].flat[0]
        raise ValueError(f"invalid block score {wrong}: it must lie between 0 and 1")
