"""The design effect of blocks: how many games of a block count as one independent game.

Where all games of a block end alike, a block says no more than one game does. The design effect
(Kish 1965, Survey sampling) is the variance of block means times the games per block, relative to
that of games.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from scipy.sparse import csr_array

from cardhub.lab.stats.ratings.tabulation import FinishTable, Pattern
from cardhub.lab.stats.types import Floats, Pair

# The number of blocks of the prior, in which all games end alike.
PRIOR_BLOCKS = 1.0
# The variance below which all games count as equal.
TOLERANCE = 1e-9


def design_effect(table: FinishTable) -> float:
    """Return the design effect of pair scores, from 1 to the mean number of games per block.

    Without any variance of games it is the latter.
    """
    games, scores, squares = _by_pair_and_kind(table)
    if not len(games):
        return 1.0
    is_met = games > 0
    blocks, total = is_met @ table.copies, games @ table.copies
    means, size = scores @ table.copies / total, total / blocks
    by_block = np.where(is_met, scores / np.where(is_met, games, 1), means[:, None])
    between = float(size @ ((by_block - means[:, None]) ** 2 @ table.copies))
    variances = squares @ table.copies / total - means**2
    largest = float(total.sum() / blocks.sum())
    expected = float(variances @ (blocks - 1))
    prior = PRIOR_BLOCKS * float(variances.mean())
    if expected + prior < TOLERANCE:
        return largest
    return float(np.clip((between + prior * largest) / (expected + prior), 1, largest))


def _by_pair_and_kind(table: FinishTable) -> tuple[Floats, Floats, Floats]:
    # Numbers of games, sums of scores and of their squares, pairs x kinds of block.
    pairs: dict[Pair, int] = {}
    rows, columns, values = [], [], []
    for number, pattern in enumerate(table.patterns):
        for pair, score in _pair_scores(pattern):
            rows.append(pairs.setdefault(pair, len(pairs)))
            columns.append(number)
            values.append(score)
    shape = (len(pairs), len(table.patterns))
    found = [
        (csr_array((part, (rows, columns)), shape=shape) @ table.counts).toarray()
        for part in (np.ones(len(values)), np.asarray(values), np.square(values))
    ]
    return found[0], found[1], found[2]


def _pair_scores(pattern: Pattern) -> Iterator[tuple[Pair, float]]:
    groups = np.repeat(np.arange(len(pattern.sizes)), pattern.sizes).tolist()
    for (one, group), (other, other_group) in combinations(
        zip(pattern.bots, groups, strict=True), 2
    ):
        if one != other:
            ahead = 0.5 if group == other_group else 1.0
            yield (min(one, other), max(one, other)), ahead if one < other else 1 - ahead
