"""Where a sequential test stops: the distribution of its outcomes, for any true mean of blocks.

Scores of blocks are put on a lattice and their sum is followed as the exact law of a random walk.
The laws for different means are one exponential family: the walk is followed once, and the
probability for another mean is that for the first times a likelihood ratio.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.stats.types import Floats

FINEST, COARSE = 48, 32
"""The finest lattice that is kept, in steps from 0 to 1; other scores are rounded to COARSE."""
NEGLIGIBLE = 1e-250
"""Probabilities below are cut off; likelihood ratios of interest are far from the inverse."""


class Outcomes(NamedTuple):
    """Outcomes: after how many blocks, with what mean score, and how likely on a log scale."""

    blocks: Floats
    means: Floats
    logs: Floats

    def where(self, chosen: NDArray[np.bool_]) -> "Outcomes":
        """Return those that are chosen."""
        return Outcomes(*(column[chosen] for column in self))

    def joined(self, others: "Outcomes") -> "Outcomes":
        """Return these and others."""
        return _joined((self, others))


class BlockLaw:
    """The law of a block's score, and its exponential tilts: one for each mean."""

    def __init__(self, values: Floats, weights: Floats) -> None:
        self.unit = _unit(values)
        self.shares = _on_lattice(values, weights / weights.sum(), self.unit)
        self._points = np.arange(self.unit + 1) / self.unit
        self._logs = np.log(np.maximum(self.shares, 1e-300))

    def mean(self, tilt: float) -> float:
        """Return the mean of the law that is tilted by exp(tilt x score)."""
        return float(self._points @ np.exp(self._logs + tilt * self._points - self._norm(tilt)))

    def chance(self, outcomes: Outcomes, tilt: float) -> float:
        """Return the probability of any of the outcomes if blocks follow the tilted law."""
        return float(self._chances(outcomes, tilt).sum())

    def largest(self, outcomes: Outcomes, tilt: float) -> float:
        """Return the probability of the likeliest of the outcomes under the tilted law."""
        return float(self._chances(outcomes, tilt).max(initial=0.0))

    def _chances(self, outcomes: Outcomes, tilt: float) -> Floats:
        blocks, means, logs = outcomes
        found: Floats = np.exp(logs + blocks * (tilt * means - self._norm(tilt)))
        return found

    def _norm(self, tilt: float) -> float:
        return float(np.logaddexp.reduce(self._logs + tilt * self._points))


@dataclass(frozen=True)
class Evidence:
    """The evidence that a block adds on average, by the mean score of blocks so far."""

    means: Floats
    values: Floats

    def after(self, blocks: float | Floats, means: Floats) -> Floats:
        """Return the evidence of so many blocks with such means."""
        found: Floats = blocks * np.interp(means, self.means, self.values)
        return found


class Walk(NamedTuple):
    """Where a test has gone after its last look: stopped low, still running, or stopped high."""

    low: Outcomes
    running: Outcomes
    high: Outcomes


def follow(
    law: BlockLaw, evidence: Evidence, bounds: tuple[float, float], looks: int, every: int
) -> Walk:
    """Return where a test of blocks under a law stops that is looked at `every` so many blocks."""
    step: Floats = np.ones(1)
    for _ in range(every):
        step = np.convolve(step, law.shares)
    low: list[Outcomes] = []
    high: list[Outcomes] = []
    start, running = 0, np.ones(1)
    for blocks in range(every, looks * every + 1, every):
        running = np.convolve(running, step)
        means = np.arange(start, start + len(running)) / (law.unit * blocks)
        found = evidence.after(blocks, means)
        for ended, stops in ((low, found <= bounds[0]), (high, found >= bounds[1])):
            ended.append(_outcomes(blocks, means[stops], running[stops]))
            running[stops] = 0
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


def _unit(values: Floats) -> int:
    """Return how many lattice steps there are from 0 to 1."""
    unit = 1
    for value in values.tolist():
        fraction = Fraction(value).limit_denominator(FINEST)
        unit = lcm(unit, fraction.denominator)
        if abs(value - float(fraction)) > 1e-6 or unit > FINEST:
            return COARSE
    return unit


def _on_lattice(values: Floats, shares: Floats, unit: int) -> Floats:
    """Return the shares of lattice points: a value between two is split so that means stay."""
    law: Floats = np.zeros(unit + 1)
    places = np.clip(values * unit, 0, unit)
    places = np.where(np.abs(places - np.round(places)) < 1e-4, np.round(places), places)
    below = np.minimum(np.floor(places).astype(np.int64), unit - 1)
    np.add.at(law, below, shares * (below + 1 - places))
    np.add.at(law, below + 1, shares * (places - below))
    return law
