"""The boundary-crossing distribution of a sequential test, for any true mean block score.

Block scores are mapped to a lattice, and the distribution of their sum is propagated exactly as a
random walk with absorbing boundaries.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.stats.types import Floats

# The finest exact lattice, in steps from 0 to 1; other scores are put on one of COARSE steps.
FINEST = 48
COARSE = 32
# The probability below which states are truncated; relevant likelihood ratios are far smaller than
# its inverse.
NEGLIGIBLE = 1e-250


class Outcomes(NamedTuple):
    """Outcomes of a test: the number of blocks, the mean score and the log probability of each."""

    blocks: Floats
    means: Floats
    logs: Floats

    def where(self, chosen: NDArray[np.bool_]) -> "Outcomes":
        """Return the selected outcomes."""
        return Outcomes(*(column[chosen] for column in self))

    def joined(self, others: "Outcomes") -> "Outcomes":
        """Return the concatenation with other outcomes."""
        return _joined((self, others))


class ScoreDistribution:
    """The distribution of a block score and its exponential tilts, one for each mean."""

    def __init__(self, values: Floats, weights: Floats) -> None:
        self.unit = _lattice_steps(values)
        self.shares = _on_lattice(values, weights / weights.sum(), self.unit)
        self._points = np.arange(self.unit + 1) / self.unit
        self._logs = np.log(np.maximum(self.shares, 1e-300))

    def mean(self, tilt: float) -> float:
        """Return the mean of the distribution tilted by exp(tilt x score)."""
        return float(self._points @ np.exp(self._logs + tilt * self._points - self._log_norm(tilt)))

    def chance(self, outcomes: Outcomes, tilt: float) -> float:
        """Return the total probability of outcomes under the tilted distribution."""
        return float(self._chances(outcomes, tilt).sum())

    def largest(self, outcomes: Outcomes, tilt: float) -> float:
        """Return the largest probability of a single outcome under the tilted distribution."""
        return float(self._chances(outcomes, tilt).max(initial=0.0))

    def _chances(self, outcomes: Outcomes, tilt: float) -> Floats:
        # Tilts form an exponential family: the likelihood ratio of an outcome depends only on its
        # number of blocks and its mean, not on the path. One propagation serves all means.
        blocks, means, logs = outcomes
        found: Floats = np.exp(logs + blocks * (tilt * means - self._log_norm(tilt)))
        return found

    def _log_norm(self, tilt: float) -> float:
        return float(np.logaddexp.reduce(self._logs + tilt * self._points))


@dataclass(frozen=True)
class Evidence:
    """The LLR per block as a function of the mean score, by linear interpolation."""

    means: Floats
    values: Floats

    def after(self, blocks: float | Floats, means: Floats) -> Floats:
        """Return the LLR after a number of blocks with these mean scores."""
        found: Floats = blocks * np.interp(means, self.means, self.values)
        return found


class Walk(NamedTuple):
    """Outcomes after the last look: stopped at the lower bound, running, stopped at the upper."""

    low: Outcomes
    running: Outcomes
    high: Outcomes


def follow(
    distribution: ScoreDistribution,
    evidence: Evidence,
    bounds: tuple[float, float],
    looks: int,
    every: int,
) -> Walk:
    """Return the outcomes of a test that is evaluated every `every` blocks, `looks` times."""
    # Cell i of `running` is the probability that the test goes on with the sum (start + i) / unit.
    step: Floats = np.ones(1)
    for _ in range(every):
        step = np.convolve(step, distribution.shares)
    low: list[Outcomes] = []
    high: list[Outcomes] = []
    start, running = 0, np.ones(1)
    for blocks in range(every, looks * every + 1, every):
        running = np.convolve(running, step)
        means = np.arange(start, start + len(running)) / (distribution.unit * blocks)
        found = evidence.after(blocks, means)
        for ended, stops in ((low, found <= bounds[0]), (high, found >= bounds[1])):
            ended.append(_outcomes(blocks, means[stops], running[stops]))
            running[stops] = 0
        # Trimmed to states that matter: the walk's range would grow with every block.
        alive = np.flatnonzero(running > NEGLIGIBLE)
        if not len(alive):
            means = running = np.empty(0)
            break
        means, running = (row[alive[0] : alive[-1] + 1] for row in (means, running))
        start += int(alive[0])
    return Walk(_joined(low), _outcomes(looks * every, means, running), _joined(high))


def _outcomes(blocks: int, means: Floats, shares: Floats) -> Outcomes:
    known = shares > 0
    return Outcomes(np.full(int(known.sum()), float(blocks)), means[known], np.log(shares[known]))


def _joined(parts: Iterable[Outcomes]) -> Outcomes:
    return Outcomes(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _lattice_steps(values: Floats) -> int:
    unit = 1
    for value in values.tolist():
        fraction = Fraction(value).limit_denominator(FINEST)
        unit = lcm(unit, fraction.denominator)
        if abs(value - float(fraction)) > 1e-6 or unit > FINEST:
            return COARSE
    return unit


def _on_lattice(values: Floats, shares: Floats, unit: int) -> Floats:
    # A value between two points is split between them so that the mean is preserved.
    distribution: Floats = np.zeros(unit + 1)
    steps = np.clip(values * unit, 0, unit)
    steps = np.where(np.abs(steps - np.round(steps)) < 1e-4, np.round(steps), steps)
    below = np.minimum(np.floor(steps).astype(np.int64), unit - 1)
    np.add.at(distribution, below, shares * (below + 1 - steps))
    np.add.at(distribution, below + 1, shares * (steps - below))
    return distribution
