"""Random weights of blocks: Rubin's Bayesian bootstrap, made as wide as few blocks deserve."""

from collections import Counter
from collections.abc import Sequence, Set

import numpy as np

from cardhub.stats.types import Estimate, Floats

SMALLEST_SHAPE = 0.25


def weight_shapes(in_block: Sequence[Set[int]], copies: Floats) -> Floats:
    """Return the shape of the gamma weight of each block, given the bots that play in it.

    With n blocks, weights of shape (n - 3) / n spread strengths that are fitted to these blocks as
    Student's distribution would. Here n is the number of blocks of that bot in the block which has
    fewest. There are `copies` of each.
    """
    blocks_of: Counter[int] = Counter()
    for bots, number in zip(in_block, copies.tolist(), strict=True):
        blocks_of.update(dict.fromkeys(bots, round(number)))
    fewest = [min(blocks_of[bot] for bot in bots) for bots in in_block]
    return np.asarray([max(SMALLEST_SHAPE, (n - 3) / n) for n in fewest], dtype=np.float64)


def block_weights(shapes: Floats, copies: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return the weights of blocks, each with its copies, blocks x draws.

    Each copy has a random weight of mean 1; the sum of gamma variables is one, too.
    """
    repeated = np.repeat((shapes * copies)[:, None], draws, axis=1)
    return np.asarray(rng.gamma(repeated) / shapes[:, None], dtype=np.float64)


def interval(value: float, draws: Floats, level: float) -> Estimate:
    """Return a value with the quantiles of its draws, widened if need be to include it."""
    if not len(draws):
        return Estimate(float(value), float(value), float(value))
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(value), min(float(low), float(value)), max(float(high), float(value)))


def intervals(values: Floats, draws: Floats, level: float) -> tuple[Estimate, ...]:
    """Return values with the quantiles of their draws (draws x values)."""
    columns = draws.reshape(-1, len(values)).T
    pairs = zip(values.tolist(), columns, strict=True)
    return tuple(interval(value, column, level) for value, column in pairs)
