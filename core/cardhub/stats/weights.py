"""Random weights of blocks: Rubin's Bayesian bootstrap, made as wide as few blocks deserve."""

from collections import Counter
from collections.abc import Sequence, Set

import numpy as np

from cardhub.stats.results import Floats

SMALLEST_SHAPE = 0.25


def weight_shapes(in_block: Sequence[Set[int]]) -> Floats:
    """Return the shape of the gamma weight of each block, given the bots that play in it.

    With n blocks, weights of shape (n - 2) / n spread a mean as n - 1 degrees of freedom do. Here n
    is the number of blocks of that bot in the block which has fewest.
    """
    blocks_of = Counter(bot for bots in in_block for bot in bots)
    fewest = [min(blocks_of[bot] for bot in bots) for bots in in_block]
    return np.asarray([max(SMALLEST_SHAPE, (n - 2) / n) for n in fewest])


def block_weights(shapes: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return random weights of mean 1, blocks x draws."""
    repeated = np.repeat(shapes[:, None], draws, axis=1)
    return np.asarray(rng.gamma(repeated) / repeated, dtype=np.float64)
