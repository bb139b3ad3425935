"""Maximum-likelihood distributions with a linear constraint, by Newton's method.

The distribution closest to shares p under the constraint that the mean slope is 0 is
p / (1 + x slope), with the x that solves the constraint (Owen 1990, Empirical likelihood).
"""

import numpy as np

from cardhub.lab.stats.types import Floats

# The iteration limit of Newton's method, and its tolerances: the relative size of the last step,
# and the rounding error of the mean.
STEPS = 100
CLOSE = 1e-8
EXACT = 1e-14
# The largest fraction of the distance to a pole that one Newton step covers. Steps close to a pole
# are so short that the iteration would be mistaken for converged.
TOWARDS_POLE = 0.99


def tilted(slopes: Floats, shares: Floats, start: Floats | None = None) -> tuple[Floats, Floats]:
    """Return the distribution of each row of shares and its x; NaN for rows without a solution.

    The iteration begins at `start`, an x for each row.
    """
    # Newton's method, bracketed by bisection between the poles.
    steepest, flattest = slopes.max(axis=1), slopes.min(axis=1)
    rows = np.flatnonzero((flattest < 0) & (steepest > 0))
    fits, roots = np.full(slopes.shape, np.nan), np.full(len(slopes), np.nan)
    poles = low, high = -1 / steepest[rows], -1 / flattest[rows]
    x = np.zeros(len(rows)) if start is None else start[rows]
    x = np.where((low < x) & (x < high), x, 0.0)
    slope, share = slopes[rows], shares[rows]
    is_done = np.zeros(len(rows), dtype=np.bool_)
    for _ in range(STEPS):
        part = slope / (1 + x[:, None] * slope)
        weighted = share * part
        excess = weighted.sum(axis=1)
        low, high = np.where(excess > 0, x, low), np.where(excess > 0, high, x)
        step = excess / (weighted * part).sum(axis=1)
        down, up = x - poles[0], poles[1] - x
        after = x + np.minimum(np.maximum(step, -TOWARDS_POLE * down), TOWARDS_POLE * up)
        # Without progress x stays: one more step could end on a pole.
        is_done |= np.abs(after - x) <= EXACT * np.abs(x)
        is_done |= np.abs(excess) <= EXACT * np.abs(weighted).sum(axis=1)
        # Convergence is quadratic: after a step of relative size CLOSE the error is its square.
        is_last = np.abs(step) <= CLOSE * np.minimum(np.abs(x), np.minimum(down, up))
        after = np.where(is_last | ((low < after) & (after < high)), after, (low + high) / 2)
        x = np.where(is_done, x, after)
        is_done |= is_last
        if is_done.all():
            break
    fits[rows] = share / (1 + x[:, None] * slope)
    roots[rows] = x
    return fits, roots


def tilted_alone(
    slopes: list[float], shares: list[float], start: float = 0.0
) -> tuple[list[float], float] | None:
    """Return the result of `tilted` for one row, in plain floats; None without a solution."""
    steepest, flattest = max(slopes), min(slopes)
    if not flattest < 0 < steepest:
        return None
    poles = low, high = -1 / steepest, -1 / flattest
    x = start if low < start < high else 0.0
    for _ in range(STEPS):
        excess = sizes = bend = 0.0
        for slope, share in zip(slopes, shares, strict=True):
            part = slope / (1 + x * slope)
            weighted = share * part
            excess += weighted
            sizes += abs(weighted)
            bend += weighted * part
        low, high = (x, high) if excess > 0 else (low, x)
        step, down, up = excess / bend, x - poles[0], poles[1] - x
        after = x + min(max(step, -TOWARDS_POLE * down), TOWARDS_POLE * up)
        if abs(after - x) <= EXACT * abs(x) or abs(excess) <= EXACT * sizes:
            break
        is_last = abs(step) <= CLOSE * min(abs(x), down, up)
        x = after if is_last or low < after < high else (low + high) / 2
        if is_last:
            break
    return [p / (1 + x * slope) for slope, p in zip(slopes, shares, strict=True)], x
