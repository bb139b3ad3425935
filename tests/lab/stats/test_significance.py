"""The sign-flip test of block differences, and corrections for families of tests."""

from itertools import combinations, product
from math import erfc
from random import Random

import numpy as np
import pytest

from cardhub.lab.stats import holm_limits, p_of_symmetry, shaffer_limits, sign_flip


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


def test_without_sampling_the_p_value_is_the_exact_one_of_a_lattice() -> None:
    rng = np.random.default_rng(5)
    differences = (rng.integers(-3, 4, size=10) / 24).tolist()
    assert p_of_symmetry(differences) == pytest.approx(by_hand(differences))
    assert p_of_symmetry([]) == p_of_symmetry([0.0, 0.0]) == 1.0


def test_off_a_lattice_the_grid_changes_little_and_no_symmetry() -> None:
    differences = np.random.default_rng(6).normal(0.3, 1, size=12)
    assert p_of_symmetry(differences) == pytest.approx(by_hand(differences.tolist()), abs=0.02)
    assert p_of_symmetry(differences) == p_of_symmetry(-differences)


def test_many_differences_off_a_lattice_are_compared_with_a_normal_distribution() -> None:
    differences = np.random.default_rng(7).normal(0.1, 1, size=5000)
    z = abs(differences.sum()) / np.sqrt(differences @ differences)
    assert p_of_symmetry(differences) == pytest.approx(erfc(z / 2**0.5), rel=1e-6)


@pytest.mark.parametrize(("bots", "steps"), [(3, [3, 1, 1]), (4, [6, 3, 3, 3, 2, 1])])
def test_shaffers_limits_are_those_of_the_paper(bots: int, steps: list[int]) -> None:
    """Of four bots, three pairs at most can be equal once one pair is not (Shaffer 1986)."""
    limits = shaffer_limits([0.0] * len(steps), 0.95, [bots])
    assert limits == pytest.approx([0.05 / most for most in steps])


def test_shaffers_limits_of_several_games_allow_for_every_combination() -> None:
    """Of two games with three bots: 6, 4 (3 + 1), 4, 3, 2 and 1 pairs can be equal."""
    limits = shaffer_limits([0.0] * 6, 0.95, [3, 3])
    assert limits == pytest.approx([0.05 / most for most in (6, 4, 4, 3, 2, 1)])
    with pytest.raises(ValueError, match="5 p-values instead of 6"):
        shaffer_limits([0.0] * 5, 0.95, [3, 3])


def test_shaffers_limits_are_never_below_those_of_holm() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        p_values = (rng.random(10) ** 4).tolist()
        both = zip(shaffer_limits(p_values, 0.95, [5]), holm_limits(p_values), strict=True)
        assert all(one >= other - 1e-12 for one, other in both)


def test_shaffers_procedure_keeps_the_family_error_and_none_does_not() -> None:
    """Five bots, of which three are equal and two are not: a mistake is a verdict on equals."""
    rng = np.random.default_rng(9)
    pairs = list(combinations(range(5), 2))
    equal = np.asarray([second < 3 for _, second in pairs])
    strength = np.asarray([0, 0, 0, 6, 12])
    wrong = plain = 0
    for _ in range(800):
        results = strength + rng.normal(size=5)
        z = np.asarray([abs(results[a] - results[b]) / 2**0.5 for a, b in pairs])
        p_values = [erfc(value / 2**0.5) for value in z]
        limits = shaffer_limits(p_values, 0.95, [5])
        rejected = np.asarray(p_values) <= np.asarray(limits)
        wrong += bool((rejected & equal).any())
        plain += bool(((np.asarray(p_values) <= 0.05) & equal).any())
    assert wrong <= 0.05 * 800 + 3 * 6.2  # three standard errors
    assert plain > 0.05 * 800 + 3 * 6.2
