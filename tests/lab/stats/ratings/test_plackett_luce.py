"""The Plackett-Luce likelihood of rankings with ties."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from cardhub.lab.stats.ratings.likelihood import Term, pair_slope, stages
from cardhub.lab.stats.types import Floats, Ints

NONE = -1


def weak_orders(players: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all finishing orders with ties, as groups."""
    if not players:
        yield []
    for size in range(1, len(players) + 1):
        for group in combinations(players, size):
            for rest in weak_orders(tuple(p for p in players if p not in group)):
                yield [group, *rest]


def term(order: list[tuple[int, ...]], ties: list[int], parameters: int) -> Term:
    """Return the likelihood term of one order; parameters are players, seats and ties."""
    slots = [(player, NONE) for group in order for player in group]
    first = parameters - len(ties)
    slots += [(first + number, NONE) for number in range(len(ties))]
    sizes = [len(group) for group in order]
    array: Ints = np.asarray([slots], dtype=np.int64)
    return Term(stages(sizes, ties), array, parameters)


def chance(order: list[tuple[int, ...]], ties: list[int], strengths: Floats) -> float:
    """Return the likelihood instead of its logarithm."""
    evaluated = term(order, ties, len(strengths)).evaluate(strengths[:, None], np.ones((1, 1)))
    return float(np.exp(evaluated.value[0]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chances_of_all_orders_with_ties_sum_to_1(players: int) -> None:
    """A proper model: every finishing order has its share."""
    rng, ties = np.random.default_rng(players), list(range(2, players + 1))
    strengths = rng.normal(size=players + len(ties))
    orders = list(weak_orders(tuple(range(players))))
    assert sum(chance(order, ties, strengths) for order in orders) == pytest.approx(1)


def test_two_players_are_davidsons() -> None:
    """A tie weighs nu times the geometric mean of the strengths."""
    one, other, nu = 3.0, 2.0, 0.7
    logs = np.log([one, other, nu])
    total = one + other + nu * np.sqrt(one * other)
    assert chance([(0,), (1,)], [2], logs) == pytest.approx(one / total)
    assert chance([(0, 1)], [2], logs) == pytest.approx(nu * np.sqrt(one * other) / total)


def test_without_ties_players_are_drawn_by_strength() -> None:
    assert chance([(2,), (0,), (1,)], [], np.log([1.0, 2.0, 3.0])) == pytest.approx(3 / 6 * 1 / 3)


def test_gradient_and_curvature_are_those_of_the_likelihood() -> None:
    """Derivatives equal finite differences, with ties, seats and a bot in two seats."""
    slots = np.asarray([[(0, 3), (1, NONE), (0, 4), (2, 3), (5, NONE), (6, NONE)]], dtype=np.int64)
    likelihood = Term(stages([1, 2, 1], [2, 3]), slots, 7)
    point, weight = np.random.default_rng(3).normal(size=(7, 1)), np.full((1, 1), 1.7)
    evaluated, step = likelihood.evaluate(point, weight), 1e-5
    for number in range(7):
        moved = np.zeros((7, 1))
        moved[number] = step
        up, down = (likelihood.evaluate(point + sign * moved, weight) for sign in (1, -1))
        assert (up.value - down.value) / (2 * step) == pytest.approx(evaluated.gradient[number])
        bend = (down.gradient - up.gradient)[:, 0] / (2 * step)
        assert bend == pytest.approx(evaluated.curvature.reshape(7, 7)[number], abs=1e-7)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_slope_of_scores_is_that_of_the_model(players: int) -> None:
    """The slope of a pair score equals the enumeration of all orders."""
    ties = list(range(2, players + 1))
    deltas = np.asarray([0.6, 0.3, 0.2][: len(ties)])

    def score(strength: float) -> float:
        logs = np.concatenate([[strength], np.zeros(players - 1), np.log(deltas)])
        total = 0.0
        for order in weak_orders(tuple(range(players))):
            place = {p: rank for rank, group in enumerate(order) for p in group}
            won = 0.5 * ((place[0] < place[1]) + (place[0] <= place[1]))
            total += won * chance(order, ties, logs)
        return total

    slope = pair_slope(players, dict(zip(ties, deltas, strict=True)))
    assert float(slope) == pytest.approx((score(1e-4) - score(-1e-4)) / 2e-4, rel=1e-6)
    assert float(pair_slope(players, {})) == pytest.approx(0.25)
