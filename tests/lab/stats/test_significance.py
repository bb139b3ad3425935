"""The sign-flip test of block differences."""

from itertools import product
from math import erfc
from random import Random

import numpy as np
import pytest

from cardhub.lab.stats import sign_flip


def by_hand(differences: list[float]) -> float:
    """Return the p-value by enumeration of all sign vectors."""
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    return float(np.mean([total >= abs(sum(differences)) - 1e-9 for total in sums]))


@pytest.mark.parametrize("step", [0.25, 1 / 24, 1 / 30])
def test_lattice_values_are_exact(step: float) -> None:
    """The p-value equals the enumeration of all sign vectors."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        differences = (rng.integers(-3, 4, size=10) * step).tolist()
        p_value = sign_flip(differences, Random(1))
        assert p_value is not None
        assert p_value.is_exact
        assert p_value.value == pytest.approx(by_hand(differences))


def test_many_wins_are_as_unlikely_as_coins() -> None:
    """100 wins of 100: 2 in 2^100, without rounding to 0."""
    p_value = sign_flip([0.5] * 100, Random(1))
    assert p_value is not None
    assert p_value.is_exact
    assert p_value.value == pytest.approx(2 / 2**100)


def test_values_off_any_lattice_are_drawn_from_the_generator() -> None:
    """The sampled p-value is close to the exact one and reproducible by seed."""
    differences = [0.1234567, -0.0345678, 0.2345671, 0.3141593, -0.0271828, 0.1618034]
    one, other = (sign_flip(differences, Random(seed)) for seed in (1, 1))
    assert one == other
    assert one is not None
    assert not one.is_exact
    assert one.value == pytest.approx(by_hand(differences), abs=0.005)


def test_long_matches_take_no_time() -> None:
    """The p-value of 10,000 blocks of two games is exact."""
    scores = np.random.default_rng(3).choice([0, 0.25, 0.5, 0.75, 1], size=10_000)
    p_value = sign_flip(scores - 0.5, Random(1))
    assert p_value is not None
    assert p_value.is_exact
    z = abs((scores - 0.5).sum()) / np.sqrt(((scores - 0.5) ** 2).sum())
    assert 0 < p_value.value <= 1
    assert (p_value.value < 0.05) == (z > 1.96)


def test_a_million_blocks_are_drawn_by_their_values() -> None:
    """Long matches with few distinct values are sampled quickly."""
    scores = np.random.default_rng(3).choice([0, 0.25, 0.5, 0.75, 1], size=1_000_000)
    p_value = sign_flip(scores - 0.5, Random(1))
    assert p_value is not None
    assert not p_value.is_exact
    z = abs((scores - 0.5).sum()) / np.sqrt(((scores - 0.5) ** 2).sum())
    assert p_value.value == pytest.approx(erfc(z / np.sqrt(2)), abs=0.01)


def test_no_blocks_have_no_p_value_and_even_ones_have_1() -> None:
    """The p-value of blocks of 1/2 only is 1."""
    assert sign_flip([], Random(1)) is None
    assert sign_flip([0.0] * 7, Random(1)) == (1, True)
    assert sign_flip([0.25], Random(1)) == (1, True)
