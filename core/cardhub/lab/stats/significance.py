"""Significance tests: Fisher's sign-flip test of block differences, and corrections for families.

Holm's correction holds for any hypotheses. Shaffer's is for all pairs of some bots: if two bots
differ, a third bot differs from at least one of them, so fewer hypotheses can be true together.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, lcm, sqrt
from operator import or_
from random import Random
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, ndtr

from cardhub.lab.stats.types import Floats, Ints, generator

# Limits of the exact computation. The largest denominator of a difference: 5040 = 7! has all
# divisors that numbers of games per block have in practice.
FINEST = 5040
# The largest sum of lattice steps (cells of the convolution), and that sum times the blocks (time).
WIDEST = 1_000_000
MOST_WORK = 400_000_000
# The default number of Monte Carlo draws, and the number of variates drawn at a time (16 MB).
DRAWS = 100_000
CHUNK = 2_000_000
# The number of steps of a grid for differences without a common lattice, and the largest number of
# differences on it: with more, the normal distribution is as good.
GRID = 200
MOST_ON_GRID = 400


class PValue(NamedTuple):
    """A two-sided p-value, exact or estimated by Monte Carlo sampling."""

    value: float
    is_exact: bool


def sign_flip(
    differences: Sequence[float] | Floats, rng: Random, draws: int = DRAWS
) -> PValue | None:
    """Return the p-value of the hypothesis that block differences are symmetric around 0.

    A difference is a block score - 1/2. The p-value is exact, by convolution, for differences on a
    common lattice; otherwise it is sampled with random signs. None without blocks.
    """
    sizes = np.asarray(differences, dtype=np.float64)
    if not len(sizes):
        return None
    steps = _lattice_steps(sizes)
    if steps is not None:
        return PValue(_exact_p_value(steps), is_exact=True)
    return PValue(_sampled_p_value(sizes, rng, draws), is_exact=False)


def p_of_symmetry(differences: Sequence[float] | Floats) -> float:
    """Return a p-value as `sign_flip` does, but without sampling; 1 without differences.

    Differences without a common lattice are rounded to a grid, which is symmetric around 0 and so
    keeps the test exact. Many differences are compared with a normal distribution.
    """
    # Rounded, because the last digits of a sum depend on the machine.
    sizes = np.asarray(np.round(differences, 12), dtype=np.float64)
    if not np.any(sizes):
        return 1.0
    steps = _lattice_steps(sizes)
    if steps is None and len(sizes) <= MOST_ON_GRID:
        steps = np.rint(sizes / np.abs(sizes).max() * GRID).astype(np.int64)
    if steps is not None:
        return _exact_p_value(steps)
    # The tails of a sum over the root of its squares are lighter than normal ones if the terms are
    # symmetric (Efron 1969).
    return float(2 * ndtr(-abs(float(sizes.sum())) / sqrt(float(sizes @ sizes))))


def _lattice_steps(sizes: Floats) -> Ints | None:
    unit = 1
    fractions = {size: Fraction(size).limit_denominator(FINEST) for size in set(sizes.tolist())}
    for size, fraction in fractions.items():
        if abs(size - float(fraction)) > 1e-9:
            return None
        unit = lcm(unit, fraction.denominator)
        if unit > WIDEST:
            return None
    whole = {size: part.numerator * (unit // part.denominator) for size, part in fractions.items()}
    steps: Ints = np.asarray([whole[size] for size in sizes.tolist()], np.int64)
    steps //= max(int(np.gcd.reduce(steps)), 1)
    total = int(np.abs(steps).sum())
    return None if total > WIDEST or total * len(steps) > MOST_WORK else steps


def _exact_p_value(steps: Ints) -> float:
    chances: Floats = np.ones(1)
    for step, blocks in sorted(Counter(np.abs(steps[steps != 0]).tolist()).items()):
        chances = _with_flips(chances, step, blocks)
    total = len(chances) - 1  # cell c holds the sum 2c - total
    sums = np.abs(2 * np.arange(total + 1) - total)
    return min(1.0, float(chances[sums >= abs(int(steps.sum()))].sum()))


def _with_flips(chances: Floats, step: int, blocks: int) -> Floats:
    # For all blocks with one step size the number of positive signs is binomial.
    ups = np.arange(blocks + 1)
    log_share = gammaln(blocks + 1) - gammaln(ups + 1) - gammaln(blocks - ups + 1)
    share = np.exp(log_share - blocks * np.log(2))
    wider: Floats = np.zeros(len(chances) + step * blocks)
    for up, chance in enumerate(share.tolist()):
        wider[up * step : up * step + len(chances)] += chance * chances
    return wider


def _sampled_p_value(sizes: Floats, rng: Random, draws: int) -> float:
    # Among n differences of the same size the number of positive signs is binomial. The observed
    # signs count as one draw: the p-value is valid and never 0 (Phipson and Smyth 2010).
    draw = generator(rng.getrandbits(128))
    reached, observed = 1, abs(float(sizes.sum())) * (1 - 1e-12)
    steps, counts = np.unique(np.abs(sizes[sizes != 0]), return_counts=True)
    rows = max(1, CHUNK // max(1, len(steps)))
    for start in range(0, draws, rows):
        ups = draw.binomial(counts, 0.5, (min(rows, draws - start), len(steps)))
        sums = (2 * ups - counts) @ steps
        reached += int(np.count_nonzero(np.abs(sums) >= observed))
    return reached / (draws + 1)


def holm_rejects(p_values: Sequence[float], level: float = 0.95) -> list[bool]:
    """Return for each p-value whether Holm's step-down procedure (1979) rejects its hypothesis.

    The family-wise error rate is at most 1 - `level`, for any dependence of the tests.
    """
    limits = holm_limits(p_values, level)
    return [p <= limit for p, limit in zip(p_values, limits, strict=True)]


def holm_limits(p_values: Sequence[float], level: float = 0.95) -> list[float]:
    """Return the limit that Holm's procedure compares each p-value with.

    A hypothesis is rejected if and only if its p-value is at most its limit. All hypotheses
    that are not rejected share a limit.
    """
    return _step_down(p_values, level, lambda remaining: remaining)


def shaffer_limits(p_values: Sequence[float], level: float, bots: Sequence[int]) -> list[float]:
    """Return the limits of Shaffer's procedure (1986) for all pairs of bots, as `holm_limits` does.

    `bots` has the number of bots of each group, such as a game; the hypotheses are that the two
    bots of a pair are equal, for all pairs of each group. The family-wise error rate is at most
    1 - `level`, for any dependence of the tests.
    """
    expected = sum(comb(count, 2) for count in bots)
    if len(p_values) != expected:
        raise ValueError(f"{len(p_values)} p-values instead of {expected}, one for each pair")
    possible = 1
    for count in bots:
        possible = _sums(possible, _numbers_of_equal_pairs(count))
    # The most hypotheses that can be true if no more than `remaining` are: the highest bit.
    return _step_down(
        p_values,
        level,
        lambda remaining: (possible & ((1 << (remaining + 1)) - 1)).bit_length() - 1,
    )


def _step_down(
    p_values: Sequence[float], level: float, most_true: Callable[[int], int]
) -> list[float]:
    """Return the limits of a step-down procedure by Bonferroni's inequality.

    `most_true` returns how many hypotheses can be true if all but this number are false.
    """
    limits = [0.0] * len(p_values)
    order = sorted(range(len(p_values)), key=lambda number: p_values[number])
    remaining = len(order)
    for number in order:
        limits[number] = (1 - level) / max(1, most_true(remaining))
        # After the first p-value above its limit all limits stay: larger p-values are above as
        # well.
        remaining -= p_values[number] <= limits[number]
    return limits


@lru_cache(maxsize=64)
def _numbers_of_equal_pairs(bots: int) -> int:
    """Return the possible numbers of equal pairs among bots as the bits of an integer.

    Equal bots form groups: a group of any size, and groups of the remaining bots.
    """
    numbers = [1]
    for count in range(1, bots + 1):
        sums = (numbers[count - size] << comb(size, 2) for size in range(1, count + 1))
        numbers.append(reduce(or_, sums))
    return numbers[bots]


def _sums(one: int, other: int) -> int:
    """Return all sums of two numbers; both sets and the result are the bits of integers."""
    sums = 0
    for number in range(one.bit_length()):
        if one >> number & 1:
            sums |= other << number
    return sums
