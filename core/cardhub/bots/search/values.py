"""Values of simulated games for each seat, from 0 to 1."""

from collections.abc import Sequence
from math import sqrt

MEMORY = 1000.0
"""Number of simulations in the running averages."""
SPREAD = 4.0
"""Number of standard deviations that are scaled to the range from 0 to 1."""
SOFT = 1e-4
"""Minimum variance."""
LARGE = 3.0
"""Multiple of the usual margin that gets the full value."""


class Values:
    """Converts scores at the end of a simulation to values, scaled by running averages of margins.

    At the end of the game half is for winning, and half for the margin to the best of the others;
    where a simulation ends before, the margin is all.
    """

    __slots__ = ("_count", "_sign", "_sum")

    def __init__(self, *, lowest_wins: bool) -> None:
        self._sign = -1 if lowest_wins else 1
        self._sum = 1.0
        self._count = 1

    def of(self, evaluation: Sequence[float], scores: Sequence[int] | None) -> list[float]:
        """Return the value to every seat; `scores` are the final ones if the game is over."""
        sign = self._sign
        signed = [sign * promise for promise in evaluation]
        best, second = _two_best(signed)
        self._sum += best - second
        self._count += 1
        full = LARGE * self._sum / self._count
        values = []
        for promise in signed:
            margin = (promise - (second if promise == best else best)) / full
            values.append(0.5 + 0.5 * (1.0 if margin > 1.0 else -1.0 if margin < -1.0 else margin))
        return values if scores is None else self._with_wins(values, scores)

    def _with_wins(self, values: list[float], scores: Sequence[int]) -> list[float]:
        """Return values of which half is for winning; those who share a win share its half."""
        top = max(scores) if self._sign > 0 else min(scores)
        won = 0.5 / scores.count(top)
        return [
            0.5 * value + (won if score == top else 0.0)
            for value, score in zip(values, scores, strict=True)
        ]


def _two_best(promises: Sequence[float]) -> tuple[float, float]:
    """Return the best of several and the next one, which may be as good."""
    *_, second, best = sorted(promises) if len(promises) > 1 else (0.0, *promises)
    return best, second


class Appeal:
    """Stretches the values of one search to where they differ.

    Between positions of one game values differ far less than between games. What counts for a
    choice is how a simulation went compared with the others, in units of their spread.
    """

    __slots__ = ("_count", "_means", "_squares")

    def __init__(self, seats: int) -> None:
        self._count = 0.0
        self._means = [0.5] * seats
        self._squares = [SOFT] * seats

    def of(self, values: Sequence[float]) -> list[float]:
        """Return values from 0 to 1, a half for the usual one."""
        self._count = min(self._count + 1.0, MEMORY)
        step, means, squares = 1.0 / self._count, self._means, self._squares
        found = []
        for seat, value in enumerate(values):
            off = value - means[seat]
            means[seat] += step * off
            squares[seat] += step * (off * off - squares[seat])
            appeal = 0.5 + off / (SPREAD * sqrt(squares[seat] + SOFT))
            found.append(1.0 if appeal > 1.0 else 0.0 if appeal < 0.0 else appeal)
        return found
