"""Ratings by least squares, deal by deal, which compare bots through all their opponents.

All pairs play the same deals. On each deal the ratings are fitted to the results of all pairs; if
all pairs met, a rating is the mean result against all bots. So the difference of two ratings is one
number for each deal, and deals are independent: their scatter has the covariance of all pairs.
No model is assumed: the difference is that of two mean results, also if some bots beat one another
in a circle.
"""

from collections.abc import Mapping
from functools import reduce
from typing import NamedTuple

import numpy as np

from cardhub.lab.stats.types import Floats, Ints, Pair

# Deals alone show how much results scatter.
FEWEST_DEALS = 2


class JointFit(NamedTuple):
    """The ratings of bots (columns) on each deal on which all pairs met.

    `weights` has how much each pair (column) counts for the rating of a bot (row).
    """

    deals: Ints
    ratings: Floats
    weights: Floats

    def differences(self, pair: Pair) -> Floats:
        """Return by how much the first of two bots is ahead on each deal."""
        return np.asarray(self.ratings[:, pair[0]] - self.ratings[:, pair[1]], dtype=np.float64)

    def reach(self, pair: Pair) -> float:
        """Return the largest possible difference of two bots for results from -1/2 to 1/2."""
        return float(np.abs(self.weights[pair[0]] - self.weights[pair[1]]).sum()) / 2


def fit_by_deal(results: Mapping[Pair, tuple[Ints, Floats]], bots: int) -> JointFit | None:
    """Return the ratings of bots, given the deals of each pair and the results of its first bot.

    An even result is 0. None if no chain of pairs connects all bots, or with fewer than two deals
    on which all these pairs met.
    """
    if not results:
        return None
    deals = reduce(np.intersect1d, (played for played, _ in results.values()))
    meetings = np.zeros((len(results), bots))
    for row, (first, second) in enumerate(results):
        meetings[row, first], meetings[row, second] = 1.0, -1.0
    if len(deals) < FEWEST_DEALS or np.linalg.matrix_rank(meetings) < bots - 1:
        return None
    by_pair = np.stack(
        [values[np.searchsorted(played, deals)] for played, values in results.values()]
    )
    weights = np.asarray(np.linalg.pinv(meetings), np.float64)
    return JointFit(deals, np.asarray((weights @ by_pair).T, np.float64), weights)
