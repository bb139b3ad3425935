"""The Bayesian bootstrap of blocks (Rubin 1981), and percentile intervals of scores and ranks."""

from collections import Counter
from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np

from cardhub.lab.estimate import Estimate
from cardhub.lab.stats.types import Floats, Ints

# The lower limit of gamma shapes: (n - 4) / n is not positive for four blocks or fewer.
SMALLEST_SHAPE = 0.25


def weight_shapes(in_block: Sequence[Set[int]], copies: Floats) -> Floats:
    """Return the gamma shape of the weight of each kind of block, given the bots that play in it.

    `copies` are the multiplicities of the kinds of block.
    """
    # Rubin's weights are exponential (shape 1). A smaller shape a has the variance 1/a. With
    # a = (n - 4) / n this is the variance of Student's t with n - 2 degrees of freedom, which makes
    # intervals cover with few blocks. In simulated tables of four seats n - 1 degrees are too many.
    # The bot with the fewest blocks decides, because its Elo varies most.
    blocks_of: Counter[int] = Counter()
    for bots, number in zip(in_block, copies.tolist(), strict=True):
        blocks_of.update(dict.fromkeys(bots, round(number)))
    fewest = [min(blocks_of[bot] for bot in bots) for bots in in_block]
    return np.asarray([max(SMALLEST_SHAPE, (n - 4) / n) for n in fewest], dtype=np.float64)


def block_weights(shapes: Floats, copies: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return the total weight of each kind of block, blocks x draws.

    Every copy of a block has an independent gamma weight with mean 1.
    """
    # A sum of gamma variates with the same scale is gamma distributed, so one variate per kind of
    # block is enough for any number of copies.
    repeated = np.repeat((shapes * copies)[:, None], draws, axis=1)
    return np.asarray(rng.gamma(repeated) / shapes[:, None], dtype=np.float64)


def interval(value: float, draws: Floats, level: float) -> Estimate:
    """Return the percentile interval of bootstrap draws, extended to contain the estimate."""
    if not len(draws):
        return Estimate(float(value), float(value), float(value))
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(value), min(float(low), float(value)), max(float(high), float(value)))


def intervals(values: Floats, draws: Floats, level: float) -> tuple[Estimate, ...]:
    """Return the percentile intervals of several values; `draws` is draws x values."""
    columns = draws.reshape(-1, len(values)).T
    pairs = zip(values.tolist(), columns, strict=True)
    return tuple(interval(value, column, level) for value, column in pairs)


class Ranks(NamedTuple):
    """A rank, 1 for the best, with the best and worst rank of its interval."""

    rank: int
    best: int
    worst: int

    @classmethod
    def within(cls, best: int, worst: int, rank: int) -> "Ranks":
        """Return the range from `best` to `worst` with the rank in it that is nearest to `rank`."""
        return cls(min(max(rank, best), worst), best, worst)

    def __str__(self) -> str:
        """Return the interval as text, such as "2-4", or "2" for a single rank."""
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


def ranks_of(scores: Floats) -> Ints:
    """Return ranks along the last axis, the highest score first; ties share the better rank."""
    # The relative tolerance treats scores as equal that differ by rounding only, for example of
    # bots that share the first place in Nash averaging.
    higher = scores[..., None, :] > scores[..., :, None] + 1e-9 * (1 + np.abs(scores[..., :, None]))
    return np.asarray(1 + higher.sum(axis=-1), dtype=np.int64)


def rank_ranges(scores: Floats, draws: Floats, level: float) -> list[Ranks]:
    """Return the rank of each score with its interval over `draws` (draws x scores)."""
    return ranges(ranks_of(scores), ranks_of(draws), level)


def ranges(ranks: Ints, draws: Ints, level: float) -> list[Ranks]:
    """Return ranks with percentile intervals of their draws (draws x ranks).

    Each interval is extended to contain its rank.
    """
    if not len(draws):
        return [Ranks(int(rank), int(rank), int(rank)) for rank in ranks]
    # inverted_cdf returns draws, never values between two of them: ranks stay integers.
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(draws, tails, axis=0, method="inverted_cdf")
    rows = zip(ranks.tolist(), low.tolist(), high.tolist(), strict=True)
    return [Ranks(rank, int(min(rank, best)), int(max(rank, worst))) for rank, best, worst in rows]
