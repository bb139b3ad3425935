"""The boundary-crossing distribution of a sequential test, for any true mean block score.

Block scores are mapped to a lattice, and the distribution of their sum is propagated exactly as a
random walk with absorbing boundaries.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.lab.stats.types import Floats

# The finest exact lattice, in steps from 0 to 1; other scores are put on one of COARSE steps.
FINEST = 48
COARSE = 32
# The probability below which states are truncated; relevant likelihood ratios are far smaller than
# its inverse.
NEGLIGIBLE = 1e-250
# Sums within this distance of a bound count as having reached it.
TIE = 1e-7


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
        return Outcomes(*map(np.concatenate, zip(self, others, strict=True)))


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
        chances: Floats = np.exp(logs + blocks * (tilt * means - self._log_norm(tilt)))
        return chances

    def _log_norm(self, tilt: float) -> float:
        return float(np.logaddexp.reduce(self._logs + tilt * self._points))


@dataclass(frozen=True)
class Evidence:
    """The LLR per block as a function of the mean score, by linear interpolation.

    It must grow with the mean: where it falls, it keeps its largest value at lower means.
    """

    means: Floats
    values: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.maximum.accumulate(self.values))

    def after(self, blocks: float | Floats, means: Floats) -> Floats:
        """Return the LLR after a number of blocks with these mean scores."""
        llrs: Floats = blocks * np.interp(means, self.means, self.values)
        return llrs

    def mean_at(self, values: Floats) -> Floats:
        """Return the means with these LLRs per block; infinite beyond the range of the LLR."""
        means: Floats = np.interp(values, self.values, self.means, left=-np.inf, right=np.inf)
        return means


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
    step: Floats = np.ones(1)
    for _ in range(every):
        step = np.convolve(step, distribution.shares)
    blocks = np.arange(every, looks * every + 1, every)
    # The sums from which on the test stops, for each look.
    lowest, highest = (
        distribution.unit * blocks * evidence.mean_at(bound / blocks) for bound in bounds
    )
    first_running = np.maximum(np.floor(lowest + TIE) + 1, 0).astype(np.int64).tolist()
    first_high = np.minimum(np.ceil(highest - TIE), distribution.unit * blocks + 1)
    low, high = _Stops(distribution.unit), _Stops(distribution.unit)
    # Cell i of `running` is the probability that the test goes on with the sum start + i.
    start, running = 0, np.ones(1)
    for number, below, above in zip(
        blocks.tolist(), first_running, first_high.astype(np.int64).tolist(), strict=True
    ):
        running = np.convolve(running, step)
        from_below, from_above = max(below - start, 0), max(above - start, 0)
        low.add(number, start, running[:from_below])
        high.add(number, start + from_above, running[from_above:])
        running = running[from_below:from_above]
        start += from_below
        # Trimmed to states that matter: without bounds the walk's range grows with every block.
        alive = np.flatnonzero(running > NEGLIGIBLE)
        if not len(alive):
            break
        running = running[alive[0] : alive[-1] + 1]
        start += int(alive[0])
    going = _Stops(distribution.unit)
    going.add(looks * every, start, running)
    return Walk(low.outcomes(), going.outcomes(), high.outcomes())


class _Stops:
    """Probabilities of the sums with which a test stops, look by look."""

    def __init__(self, unit: int) -> None:
        self._unit = unit
        self._parts: list[tuple[int, int, Floats]] = []

    def add(self, blocks: int, start: int, shares: Floats) -> None:
        """Add the probabilities of the sums from `start` on, after a number of blocks."""
        if len(shares):
            self._parts.append((blocks, start, shares))

    def outcomes(self) -> Outcomes:
        """Return all sums of positive probability."""
        if not self._parts:
            return Outcomes(np.empty(0), np.empty(0), np.empty(0))
        sizes = [len(shares) for _, _, shares in self._parts]
        blocks = np.repeat([float(number) for number, _, _ in self._parts], sizes)
        sums = np.concatenate([start + np.arange(len(part)) for _, start, part in self._parts])
        shares = np.concatenate([part for _, _, part in self._parts])
        is_possible = shares > 0
        means = sums[is_possible] / (self._unit * blocks[is_possible])
        return Outcomes(blocks[is_possible], means, np.log(shares[is_possible]))


def _lattice_steps(values: Floats) -> int:
    unit = 1
    for value in values.tolist():
        fraction = Fraction(value).limit_denominator(FINEST)
        unit = lcm(unit, fraction.denominator)
        if abs(value - float(fraction)) > 1e-6 or unit > FINEST:
            return COARSE
    return unit


def _on_lattice(values: Floats, shares: Floats, unit: int) -> Floats:
    # A value between two points is split between them in a way that preserves the mean.
    distribution: Floats = np.zeros(unit + 1)
    steps = np.clip(values * unit, 0, unit)
    steps = np.where(np.abs(steps - np.round(steps)) < 1e-4, np.round(steps), steps)
    below = np.minimum(np.floor(steps).astype(np.int64), unit - 1)
    np.add.at(distribution, below, shares * (below + 1 - steps))
    np.add.at(distribution, below + 1, shares * (steps - below))
    return distribution
