"""Brownian motion between two barriers: the chance of an outcome no better than a given one.

Outcomes are ordered along the edge of the region in which the motion runs: fast failures, slow
failures, still running from low to high, slow successes, fast successes (Siegmund's ordering).
"""

from dataclasses import dataclass
from math import exp, expm1, pi, sqrt

import numpy as np
from scipy.special import log_ndtr

from cardhub.stats.results import Floats

TERMS, IMAGES = 15, 8
LONG = 0.5
"""The time, in units of width^2 / variance, from which on the sine series is the better one."""


@dataclass(frozen=True)
class Motion:
    """A motion from 0, between two ends around it, with drift and variance per unit of time."""

    low: float
    high: float
    drift: float
    variance: float

    def chance_of_no_better(self, time: float, place: float) -> float:
        """Return the chance of an outcome no better than being at `place` when the clock stops.

        `place` is `low` or `high` if the motion ended there at that time.
        """
        width = self.high - self.low
        if self.variance * time > LONG * width * width:
            chance = self._failed_by_sines(time) + self._below_by_sines(time, place)
        else:
            chance = self._failed_by_images(time) + self._below_by_images(time, place)
        return min(1.0, max(0.0, chance))

    @property
    def _pull(self) -> float:
        return self.drift / self.variance

    def _fails(self) -> float:
        """Return the chance of ever reaching the lower end first."""
        pull, width = self._pull, self.high - self.low
        if abs(pull) * width < 1e-9:
            return self.high / width
        if pull > 0:
            return (
                exp(2 * pull * self.low) * expm1(-2 * pull * self.high) / expm1(-2 * pull * width)
            )
        return expm1(2 * pull * self.high) / expm1(2 * pull * width)

    def _failed_by_sines(self, time: float) -> float:
        """Return the chance of having failed by a late time."""
        width, n = self.high - self.low, np.arange(1, TERMS + 1)
        rate = n**2 * pi**2 * self.variance / (2 * width**2) + self.drift * self._pull / 2
        later = n * np.sin(-n * pi * self.low / width) * np.exp(self._pull * self.low - rate * time)
        return self._fails() - float(np.sum(later / rate)) * self.variance * pi / width**2

    def _below_by_sines(self, time: float, place: float) -> float:
        """Return the chance of still running, no higher than `place`, at a late time."""
        width, n = self.high - self.low, np.arange(1, TERMS + 1)
        rate = n**2 * pi**2 * self.variance / (2 * width**2) + self.drift * self._pull / 2
        wave, pull = n * pi / width, self._pull
        angle = wave * (place - self.low)
        upper = np.exp(pull * place - rate * time) * (pull * np.sin(angle) - wave * np.cos(angle))
        lower = np.exp(pull * self.low - rate * time) * -wave
        share = (upper - lower) / (pull**2 + wave**2)
        return float(np.sum(np.sin(-wave * self.low) * share)) * 2 / width

    def _failed_by_images(self, time: float) -> float:
        """Return the chance of having failed by an early time."""
        width, spread, pull = self.high - self.low, sqrt(self.variance * time), self._pull
        distance = -self.low + 2 * width * np.arange(-IMAGES, IMAGES + 1)
        far, shift = np.abs(distance), self.drift * time
        start = pull * self.low
        passed = np.exp(start - pull * far + log_ndtr((shift - far) / spread))
        passed += np.exp(start + pull * far + log_ndtr((-far - shift) / spread))
        return float(np.sum(np.sign(distance) * passed))

    def _below_by_images(self, time: float, place: float) -> float:
        """Return the chance of still running, no higher than `place`, at an early time."""
        width, number = self.high - self.low, np.arange(-IMAGES, IMAGES + 1, dtype=np.float64)
        steps: Floats = np.multiply(2 * width, number)
        direct = self._between(steps, time, place)
        mirrored = self._between(np.subtract(2 * self.low, steps), time, place)
        return float(np.sum(direct - mirrored))

    def _between(self, start: Floats, time: float, place: float) -> Floats:
        """Return the weight below `place` of free motions from images of the start."""
        spread, centre = sqrt(self.variance * time), start + self.drift * time
        lower, upper = (self.low - centre) / spread, (place - centre) / spread
        lower, upper = np.where(lower > 0, -upper, lower), np.where(lower > 0, -lower, upper)
        log_weight = self._pull * start
        return np.exp(log_weight + log_ndtr(upper)) - np.exp(log_weight + log_ndtr(lower))
