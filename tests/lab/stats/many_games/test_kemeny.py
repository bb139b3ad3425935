"""Kemeny's ranking: the order that agrees with most pairwise results."""

from itertools import permutations

import numpy as np
import pytest

from cardhub.lab.stats.many_games import LARGEST_EXACT, kemeny, preferences
from cardhub.lab.stats.types import Floats


def contradicted(preferred: Floats, order: tuple[int, ...]) -> float:
    """Return the number of discordant pairs of an order."""
    pairs = [(a, b) for n, a in enumerate(order) for b in order[n + 1 :]]
    return sum(float(preferred[b, a]) for a, b in pairs)


@pytest.mark.parametrize("seed", range(6))
def test_small_problems_are_solved_exactly(seed: int) -> None:
    """Order and number of optima equal the enumeration of 120 orders, with ties."""
    scores = np.random.default_rng(seed).integers(0, 4, size=(3, 5)).astype(float)
    preferred = preferences(scores)
    ranking = kemeny(preferred, np.arange(5))
    costs = [contradicted(preferred, order) for order in permutations(range(5))]
    assert ranking.contradictions == ranking.bound == min(costs)
    assert contradicted(preferred, ranking.order) == min(costs)
    assert ranking.equals == costs.count(min(costs))


def test_of_equally_good_orders_the_favourites_come_first() -> None:
    """Two games that say the opposite: both orders are as good."""
    preferred = preferences(np.asarray([[2.0, 1.0], [1.0, 2.0]]))
    assert kemeny(preferred, np.asarray([0, 1])).order == (0, 1)
    ranking = kemeny(preferred, np.asarray([1, 0]))
    assert (ranking.order, ranking.equals) == ((1, 0), 2)


def test_games_that_agree_are_not_contradicted() -> None:
    """Equal orders are returned with cost 0."""
    ranking = kemeny(preferences(np.asarray([[3.0, 9, 1], [30, 31, 2]])), np.arange(3))
    assert (ranking.order, ranking.contradictions, ranking.equals) == ((1, 0, 2), 0, 1)


def test_many_bots_get_a_good_order_and_a_bound() -> None:
    """Beyond the exact search: no single move improves it, and the bound is honest."""
    bots = LARGEST_EXACT + 6
    rng = np.random.default_rng(2)
    scores = np.arange(bots) + rng.normal(scale=6, size=(3, bots))
    preferred = preferences(scores)
    ranking = kemeny(preferred, np.arange(bots))
    assert sorted(ranking.order) == list(range(bots))
    assert ranking.contradictions == contradicted(preferred, ranking.order)
    assert ranking.bound <= ranking.contradictions <= 1.1 * ranking.bound
    assert ranking.equals is None
    for start in range(bots):
        for end in range(bots):
            moved = list(ranking.order)
            moved.insert(end, moved.pop(start))
            assert contradicted(preferred, tuple(moved)) >= ranking.contradictions


def test_the_largest_exact_problem_takes_no_time() -> None:
    """The exact search recovers a known order of fourteen bots."""
    scores = np.random.default_rng(1).normal(size=(1, LARGEST_EXACT))
    ranking = kemeny(preferences(scores), np.arange(LARGEST_EXACT))
    assert list(ranking.order) == np.argsort(-scores[0]).tolist()
