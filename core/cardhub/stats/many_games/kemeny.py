"""Kemeny's ranking: the order that contradicts the given orders in the fewest pairs."""

from functools import cache
from typing import NamedTuple

import numpy as np

from cardhub.stats.ranks import ranks_of
from cardhub.stats.types import Floats, Ints

LARGEST_EXACT = 14
"""Up to so many bots all orders are searched, in 2^n n steps; beyond, a local search."""


class Kemeny(NamedTuple):
    """An order, best first, and in how many pairs of bots (and games) it contradicts the games.

    No order contradicts fewer than `bound`; if that is less than `contradictions`, a better order
    may exist. `equals` is the number of orders as good as this one, None if unknown.
    """

    order: tuple[int, ...]
    contradictions: float
    bound: float
    equals: int | None


def preferences(scores: Floats) -> Floats:
    """Return in how many rows of scores (games x bots) each bot is above each; 1/2 for equals."""
    ranks = ranks_of(scores)
    above = (ranks[..., :, None] < ranks[..., None, :]).sum(axis=-3)
    equal = (ranks[..., :, None] == ranks[..., None, :]).sum(axis=-3)
    return np.asarray(above + equal / 2, dtype=np.float64)


def kemeny(preferred: Floats, favourites: Ints) -> Kemeny:
    """Return the best order for a matrix of preferences.

    `favourites` are all bots in the order that settles which of several best orders is returned.
    """
    matrix = preferred[np.ix_(favourites, favourites)]
    if len(matrix) <= LARGEST_EXACT:
        order, cost, equals = _exact(matrix)
        return Kemeny(_named(order, favourites), cost, cost, equals)
    order = _improved(matrix)
    bound = float(np.minimum(matrix, matrix.T)[np.triu_indices(len(matrix), 1)].sum())
    return Kemeny(_named(order, favourites), _cost(matrix, order), bound, None)


def _named(order: list[int], favourites: Ints) -> tuple[int, ...]:
    """Return an order of rows as one of bots."""
    return tuple(int(favourites[row]) for row in order)


def _exact(matrix: Floats) -> tuple[list[int], float, int]:
    """Return the best order, its cost and the number of best orders, by Held and Karp's scheme.

    The best order of each set of bots ends with one of them, after the best order of the others.
    """
    bots = len(matrix)
    lost = [_sums(row) for row in matrix]
    cost: Floats = np.full(2**bots, np.inf)
    ways: Ints = np.zeros(2**bots, dtype=np.int64)
    cost[0], ways[0] = 0, 1
    for bot, sets, before in _layers(bots):
        found, known = cost[before] + lost[bot][before], cost[sets]
        ways[sets] = np.where(found < known, 0, ways[sets]) + np.where(
            found <= known, ways[before], 0
        )
        cost[sets] = np.minimum(known, found)
    return _read_back(cost, lost), float(cost[-1]), int(ways[-1])


@cache
def _layers(bots: int) -> list[tuple[int, Ints, Ints]]:
    """Return each bot with the sets of one size that hold it, and these without it; by size."""
    every = np.arange(2**bots)
    size = np.bitwise_count(every)
    layers = []
    for members in range(1, bots + 1):
        for bot in range(bots):
            sets = every[(size == members) & (every >> bot & 1 == 1)]
            layers.append((bot, sets, sets ^ (1 << bot)))
    return layers


def _sums(row: Floats) -> Floats:
    """Return for each set of bots in how many games one bot is above its members."""
    sums: Floats = np.zeros(1)
    for value in row.tolist():
        sums = np.concatenate([sums, sums + value])
    return sums


def _read_back(cost: Floats, lost: list[Floats]) -> list[int]:
    """Return the order with the least cost in which favourites come early."""
    left, order = len(cost) - 1, []
    while left:
        for bot in reversed(range(len(lost))):
            before = left ^ (1 << bot)
            if left >> bot & 1 and cost[before] + lost[bot][before] == cost[left]:
                order.append(bot)
                left = before
                break
    return order[::-1]


def _improved(matrix: Floats) -> list[int]:
    """Return an order that no move of a single bot improves, from Borda's order on."""
    order: list[int] = np.argsort(-matrix.sum(axis=1), kind="stable").tolist()
    while True:
        gains = _gains(matrix[np.ix_(order, order)])
        start, end = divmod(int(gains.argmax()), len(order))
        if gains[start, end] <= 0:
            return order
        order.insert(end, order.pop(start))


def _gains(ordered: Floats) -> Floats:
    """Return how much moving a bot from each place (row) to each (column) gains; halves, exact."""
    wins = ordered - ordered.T
    up_to = np.cumsum(wins, axis=1)
    later = np.diag(up_to)[:, None] - up_to
    return np.asarray(later + np.tril(wins, -1), dtype=np.float64)


def _cost(matrix: Floats, order: list[int]) -> float:
    """Return in how many pairs of bots and games an order is contradicted."""
    ordered = matrix[np.ix_(order, order)]
    return float(np.tril(ordered, -1).sum())
