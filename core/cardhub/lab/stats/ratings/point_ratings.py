"""Ratings in points: the least-squares fit of mean differences by differences of ratings."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from cardhub.lab.estimate import PointEstimate
from cardhub.lab.stats.bootstrap import Ranks, intervals, rank_ranges, ranks_of
from cardhub.lab.stats.game_theory.payoffs import Payoffs
from cardhub.lab.stats.types import Floats, Ints

# The number of deals below which the draws of a bootstrap vary too little.
FEWEST = 8
# The width below which all draws count as equal.
TOLERANCE = 1e-9


class PointRating(NamedTuple):
    """Points a game of a bot above the mean of all rated bots, and its rank by them."""

    points: PointEstimate
    ranks: Ranks


def point_ratings(
    payoffs: Payoffs, *, draws: int = 2000, seed: int = 0, level: float = 0.95
) -> tuple[PointRating | None, ...]:
    """Return the rating of each bot; None for bots outside the largest connected component.

    The fit minimizes the squared errors of the mean differences of pairs, weighted by blocks. If
    all pairs play the same deals, a rating is the mean over the opponents. Intervals and ranks
    come from a bootstrap over deals; if a pair played fewer than FEWEST deals, intervals are None,
    and each rank is possible. Intervals are also None if all blocks of each pair are equal.
    """
    by_bot: list[PointRating | None] = [None] * payoffs.bots
    rated = _connected(payoffs)
    if len(rated) < 2:
        return tuple(by_bot)
    solve = _solver(payoffs, rated)
    values = payoffs.means @ solve
    if payoffs.blocks[np.isin(payoffs.pairs[:, 0], rated)].min() < FEWEST:
        rows = zip(values.tolist(), ranks_of(values).tolist(), strict=True)
        ratings = [
            PointRating(PointEstimate(value, None, None), Ranks(rank, 1, len(rated)))
            for value, rank in rows
        ]
    else:
        drawn = payoffs.draw_differences(draws, seed) @ solve
        estimates, ranks = intervals(values, drawn, level), rank_ranges(values, drawn, level)
        ratings = [
            PointRating(
                # As in `mean_points`: equal blocks do not show how much others would differ.
                estimate
                if estimate.high - estimate.low >= TOLERANCE
                else PointEstimate(estimate.value, None, None),
                rank,
            )
            for estimate, rank in zip(estimates, ranks, strict=True)
        ]
    for bot, rating in zip(rated.tolist(), ratings, strict=True):
        by_bot[bot] = rating
    return tuple(by_bot)


def _connected(payoffs: Payoffs) -> Ints:
    pairs = payoffs.pairs
    shape = (payoffs.bots, payoffs.bots)
    met = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape)
    labels = connected_components(met, directed=False)[1]
    largest = np.bincount(labels).argmax()
    return np.asarray(np.flatnonzero(labels == largest), dtype=np.int64)


def _solver(payoffs: Payoffs, rated: Ints) -> Floats:
    # Combinatorial Hodge theory: mean differences are a flow on the graph of pairs, and ratings the
    # potential nearest to it. The pseudo-inverse gives the one of mean 0.
    pairs = payoffs.pairs
    flow = np.zeros((len(pairs), payoffs.bots))
    flow[np.arange(len(pairs)), pairs[:, 0]] = 1
    flow[np.arange(len(pairs)), pairs[:, 1]] = -1
    inside = np.isin(pairs[:, 0], rated)
    weights = np.where(inside, payoffs.blocks, 0.0)
    part = flow[:, rated]
    normal = part.T @ (weights[:, None] * part)
    return np.asarray((np.linalg.pinv(normal) @ (weights[:, None] * part).T).T, dtype=np.float64)
