"""Kemeny's ranking: the order that contradicts the given orders in the fewest pairs."""

from typing import NamedTuple

import numpy as np

from cardhub.stats.ranks import ranks_of
from cardhub.stats.results import Floats, Ints

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
    every = np.arange(2**bots)
    size = np.bitwise_count(every)
    lost = [_sums(matrix[bot]) for bot in range(bots)]
    cost: Floats = np.full(2**bots, np.inf)
    ways: Ints = np.zeros(2**bots, dtype=np.int64)
    cost[0], ways[0] = 0, 1
    for members in range(1, bots + 1):
        for bot in range(bots):
            these = every[(size == members) & (every >> bot & 1 == 1)]
            before = these ^ (1 << bot)
            found = cost[before] + lost[bot][before]
            ways[these] = np.where(found < cost[these], 0, ways[these])
            ways[these] += np.where(found <= cost[these], ways[before], 0)
            cost[these] = np.minimum(cost[these], found)
    return _read_back(cost, lost), float(cost[-1]), int(ways[-1])


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
        gain, start, end = max(_best_move(matrix, order, start) for start in range(len(order)))
        if gain <= 1e-9:
            return order
        order.insert(end, order.pop(start))


def _best_move(matrix: Floats, order: list[int], start: int) -> tuple[float, int, int]:
    """Return how much moving one bot gains at most, from where and to where."""
    bot = order[start]
    best = (0.0, start, start)
    for places in (range(start - 1, -1, -1), range(start + 1, len(order))):
        gain = 0.0
        for place in places:
            other = order[place]
            wins = matrix[bot, other] - matrix[other, bot]
            gain += float(wins if place < start else -wins)
            best = max(best, (gain, start, place))
    return best


def _cost(matrix: Floats, order: list[int]) -> float:
    """Return in how many pairs of bots and games an order is contradicted."""
    ordered = matrix[np.ix_(order, order)]
    return float(np.tril(ordered, -1).sum())
