"""Axes: positions of numbers in per cent of the length."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, log10

STEPS = (1, 2, 5, 10)


@dataclass(frozen=True)
class Tick:
    """A labelled number of an axis, and its position."""

    at: float
    value: float


@dataclass(frozen=True)
class Scale:
    """An axis from one number to a greater one."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Return the position of a number, clipped to the ends."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)

    def ticks(self, most: int = 6) -> list[Tick]:
        """Return round numbers within the axis, about `most` of them."""
        step = _round_step((self.high - self.low) / most)
        first, last = floor(self.low / step), floor(self.high / step) + 1
        values = (round(n * step, 12) for n in range(first, last + 1))
        return [Tick(self.at(v), v) for v in values if self.low <= v <= self.high]


def around(values: Iterable[float], margin: float = 0.06, least: float = 1.0) -> Scale:
    """Return an axis that covers all values, with room at both ends."""
    found = sorted(values) or [0.0]
    low, high = found[0], found[-1]
    if high - low < least:
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
    room = margin * (high - low)
    return Scale(low - room, high + room)


def _round_step(least: float) -> float:
    """Return the least 1, 2 or 5 times a power of ten that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next((step * power for step in STEPS if step * power >= least), 10 * power)
