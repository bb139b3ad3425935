"""The climb of SPSA, on comparisons with noise."""

from math import fsum
from random import Random

import pytest

from cardhub.lab.tune.spsa import Spsa

BEST = (0.7, 0.2, 0.45)


def loss(point: list[float]) -> float:
    """Return how much a point loses against the best one."""
    return fsum((value - best) ** 2 for value, best in zip(point, BEST, strict=True))


def climbed(iterations: int, noise: float, seed: int) -> list[float]:
    """Return the end of a climb from a corner."""
    rng, spsa = Random(seed), Spsa([0.1, 0.9, 0.9], iterations)
    for _ in range(iterations):
        signs = spsa.draw_signs(rng)
        up, down = spsa.pair(signs)
        spsa.learn(signs, loss(down) - loss(up) + rng.gauss(0, noise))
    return spsa.mean


@pytest.mark.parametrize("seed", range(5))
def test_the_optimum_is_reached_through_noise(seed: int) -> None:
    """The noise of a comparison is a third of the whole loss at the start."""
    assert climbed(1000, 0.3, seed) == pytest.approx(BEST, abs=0.1)


def test_without_noise_few_iterations_are_enough() -> None:
    assert climbed(100, 0.0, 1) == pytest.approx(BEST, abs=0.05)


def test_points_stay_in_the_ranges() -> None:
    spsa = Spsa([0.0, 1.0], 10)
    for _ in range(10):
        up, down = spsa.pair([1, 1])
        assert all(0 <= value <= 1 for value in (*up, *down, *spsa.point))
        spsa.learn([1, 1], 50.0)
    assert spsa.mean == [1.0, 1.0]


def test_before_half_of_the_climb_the_mean_is_the_last_point() -> None:
    spsa = Spsa([0.5], 100)
    spsa.learn([1], 0.1)
    assert spsa.mean == spsa.point != [0.5]
