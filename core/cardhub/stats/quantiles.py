"""Intervals from resampled values."""

import numpy as np

from cardhub.stats.results import Estimate, Floats


def interval(value: float, draws: Floats, level: float) -> Estimate:
    """Return a value with the quantiles of its draws, widened if need be to include it."""
    if not len(draws):
        return Estimate(float(value), float(value), float(value))
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(value), min(float(low), float(value)), max(float(high), float(value)))


def intervals(values: Floats, draws: Floats, level: float) -> tuple[Estimate, ...]:
    """Return values with the quantiles of their draws (draws x values)."""
    columns = draws.reshape(-1, len(values)).T
    pairs = zip(values.tolist(), columns, strict=True)
    return tuple(interval(value, column, level) for value, column in pairs)
