"""Input types of the statistics, and checks of their ranges."""

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
