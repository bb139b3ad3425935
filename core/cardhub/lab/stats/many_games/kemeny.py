"""Kemeny's ranking: the order with the least total Kendall distance to the given orders (1959)."""

from functools import cache
from typing import NamedTuple

import numpy as np

from cardhub.lab.stats.bootstrap import ranks_of
from cardhub.lab.stats.types import Floats, Ints

# The largest number of bots for the exact search, O(2^n n); above it, a local search is used.
LARGEST_EXACT = 14


class Kemeny(NamedTuple):
    """An order, best first, and its number of contradictions: discordant pairs over all games.

    `bound` is a lower bound of the contradictions of any order; if it is less, a better order may
    exist. `equals` is the number of optimal orders, None if unknown.
    """

    order: tuple[int, ...]
    contradictions: float
    bound: float
    equals: int | None


def preferences(scores: Floats) -> Floats:
    """Return the number of rows of scores (games x bots) in which each bot is above each.

    Ties count 1/2.
    """
    ranks = ranks_of(scores)
    above = (ranks[..., :, None] < ranks[..., None, :]).sum(axis=-3)
    equal = (ranks[..., :, None] == ranks[..., None, :]).sum(axis=-3)
    return np.asarray(above + equal / 2, dtype=np.float64)


def kemeny(preferred: Floats, favourites: Ints) -> Kemeny:
    """Return an optimal order for a matrix of preferences.

    `favourites` are all bots in the order that breaks ties among optimal orders.
    """
    matrix = preferred[np.ix_(favourites, favourites)]
    if len(matrix) <= LARGEST_EXACT:
        order, cost, equals = _exact(matrix)
        return Kemeny(_as_bots(order, favourites), cost, cost, equals)
    order = _local_optimum(matrix)
    bound = float(np.minimum(matrix, matrix.T)[np.triu_indices(len(matrix), 1)].sum())
    cost = float(np.tril(matrix[np.ix_(order, order)], -1).sum())
    return Kemeny(_as_bots(order, favourites), cost, bound, None)


def _as_bots(order: list[int], favourites: Ints) -> tuple[int, ...]:
    return tuple(int(favourites[row]) for row in order)


def _exact(matrix: Floats) -> tuple[list[int], float, int]:
    # Held and Karp's dynamic programming over sets, as bit masks: the optimal order of a set ends
    # with one of its bots, after the optimal order of the others. `lost[bot][set]` are the
    # contradictions of ranking the bot below all of the set.
    bots = len(matrix)
    lost = [_sums_over_sets(row) for row in matrix]
    cost: Floats = np.full(2**bots, np.inf)
    ways: Ints = np.zeros(2**bots, dtype=np.int64)
    cost[0], ways[0] = 0, 1
    for bot, sets, before in _layers(bots):
        total, best = cost[before] + lost[bot][before], cost[sets]
        ways[sets] = np.where(total < best, 0, ways[sets]) + np.where(
            total <= best, ways[before], 0
        )
        cost[sets] = np.minimum(best, total)
    return _read_back(cost, lost), float(cost[-1]), int(ways[-1])


@cache
def _layers(bots: int) -> list[tuple[int, Ints, Ints]]:
    # (bot, sets that contain it, these sets without it), small sets first: sets of equal size are
    # updated as an array, after all of their subsets.
    every = np.arange(2**bots)
    size = np.bitwise_count(every)
    layers = []
    for members in range(1, bots + 1):
        for bot in range(bots):
            sets = every[(size == members) & (every >> bot & 1 == 1)]
            layers.append((bot, sets, sets ^ (1 << bot)))
    return layers


def _sums_over_sets(row: Floats) -> Floats:
    sums: Floats = np.zeros(1)
    for value in row.tolist():
        sums = np.concatenate([sums, sums + value])
    return sums


def _read_back(cost: Floats, lost: list[Floats]) -> list[int]:
    # The last rank is filled first, with the bot that comes last among the favourites: so ties of
    # optimal orders are broken in favour of the first.
    left, order = len(cost) - 1, []
    while left:
        for bot in reversed(range(len(lost))):
            before = left ^ (1 << bot)
            if left >> bot & 1 and cost[before] + lost[bot][before] == cost[left]:
                order.append(bot)
                left = before
                break
    return order[::-1]


def _local_optimum(matrix: Floats) -> list[int]:
    # Borda's order is a start within a factor of 5 of the optimum (Coppersmith et al. 2006).
    order: list[int] = np.argsort(-matrix.sum(axis=1), kind="stable").tolist()
    while True:
        gains = _gains_of_moves(matrix[np.ix_(order, order)])
        start, end = divmod(int(gains.argmax()), len(order))
        if gains[start, end] <= 0:
            return order
        order.insert(end, order.pop(start))


def _gains_of_moves(ordered: Floats) -> Floats:
    # Gain of moving a bot from each rank (row) to each other (column): the sum of the pairs that
    # the bot passes, computed for all moves by cumulative sums.
    wins = ordered - ordered.T
    up_to = np.cumsum(wins, axis=1)
    later = np.diag(up_to)[:, None] - up_to
    return np.asarray(later + np.tril(wins, -1), dtype=np.float64)
