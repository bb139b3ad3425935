"""From numbers to places on an axis, in per cent of its length."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, log10

STEPS = (1, 2, 5, 10)


@dataclass(frozen=True)
class Tick:
    """A number that is written at an axis, and where."""

    at: float
    value: float


@dataclass(frozen=True)
class Scale:
    """An axis from one number to a greater one."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Return where a number is; those beyond an end are at that end."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)

    def ticks(self, most: int = 6) -> list[Tick]:
        """Return round numbers within, at most so many."""
        step = _round_step((self.high - self.low) / most)
        first, last = floor(self.low / step), floor(self.high / step) + 1
        values = (round(n * step, 12) for n in range(first, last + 1))
        return [Tick(self.at(v), v) for v in values if self.low <= v <= self.high]


def around(values: Iterable[float], margin: float = 0.06, least: float = 1.0) -> Scale:
    """Return an axis on which all of some numbers are, with room at both ends."""
    found = sorted(values) or [0.0]
    low, high = found[0], found[-1]
    if high - low < least:
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
    room = margin * (high - low)
    return Scale(low - room, high + room)


def _round_step(least: float) -> float:
    """Return 1, 2 or 5 times a power of ten, not under a number."""
    power = 10.0 ** floor(log10(least))
    return next((step * power for step in STEPS if step * power >= least), 10 * power)
