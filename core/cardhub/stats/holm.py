"""Holm's correction: which of many tests hold when all of them are to hold at once."""

from collections.abc import Sequence


def holm_rejects(p_values: Sequence[float], level: float = 0.95) -> list[bool]:
    """Return for each p-value whether its hypothesis is rejected.

    The chance of rejecting even one true hypothesis is at most 1 - `level`.
    """
    rejected = [False] * len(p_values)
    order = sorted(range(len(p_values)), key=lambda number: p_values[number])
    for done, number in enumerate(order):
        if p_values[number] > (1 - level) / (len(p_values) - done):
            break
        rejected[number] = True
    return rejected
