"""Generalized log-likelihood ratios (LLR) of block scores with any finite support.

The LLR compares the maximum likelihood of a multinomial distribution constrained to one mean (or
t-value) with the maximum under the other (Van den Bergh). Values may have any scale; `even` is the
mean score of bots of equal strength.
"""

from math import log, sqrt

import numpy as np
from scipy.optimize import brentq

from cardhub.stats.types import Floats

# The pseudo-count of a score that was not observed, so that it keeps a positive probability.
EMPTY = 1e-3

# The iteration limit of the fit with a given t-value, and its tolerance in probabilities.
ROUNDS = 100
SETTLED = 1e-10
# The largest t-value for which the fit has one start: from 0.5 on, starts found different maxima.
NEAR = 0.25
# The iteration limit and the relative tolerance of Newton's method.
STEPS = 100
EXACT = 1e-14

# Keeps a bracket inside the open interval of deviations that have a distribution.
MARGIN = 1 + 1e-6
# The largest fraction of the distance to a pole that one Newton step covers. Steps close to a pole
# are so short that the iteration would be mistaken for converged.
TOWARDS_POLE = 0.99


def mean_llr(values: Floats, counts: Floats, score0: float, score1: float) -> float:
    """Return the LLR of the mean `score1` against `score0`, both inside the range of `values`."""
    if not counts.any():
        return 0.0
    weights = filled(counts)
    fit0, fit1 = (_tilted(values - score, weights / weights.sum()) for score in (score0, score1))
    if fit0 is None or fit1 is None:
        raise ValueError(
            f"means {score0} and {score1} must lie strictly inside the range of the values"
        )
    return float(weights @ np.log(fit1 / fit0))


def normalized_llr(
    values: Floats, counts: Floats, t0: float, t1: float, even: float = 0.5
) -> float:
    """Return the LLR of the t-value `t1` against `t0`; t is (mean - `even`) / standard deviation.

    Falls back to the closed form where no distribution on the values has such a t-value.
    """
    if not counts.any():
        return 0.0
    weights = filled(counts)
    fit0, fit1 = (_with_t(values, weights / weights.sum(), t, even) for t in (t0, t1))
    if fit0 is None or fit1 is None:
        return closed_llr(values, counts, t0, t1, even=even)
    return float(weights @ np.log(fit1 / fit0))


def closed_llr(
    values: Floats,
    counts: Floats,
    t0: float,
    t1: float,
    games_per_block: float = 1,
    even: float = 0.5,
) -> float:
    """Return the approximate normalized LLR from mean and variance.

    The approximation agrees to three or four digits where scores vary, and is far too small where
    nearly all scores are equal.
    """
    if not counts.any():
        return 0.0
    mean, variance = moments(values, filled(counts))
    t, k = (mean - even) / sqrt(variance), games_per_block
    games = k * float(filled(counts).sum())
    return games / 2 * log((1 + (t - t0) ** 2 / k) / (1 + (t - t1) ** 2 / k))


def filled(counts: Floats) -> Floats:
    """Return the counts with a pseudo-count in every empty cell."""
    return np.where(counts == 0, EMPTY, counts)


def moments(values: Floats, weights: Floats) -> tuple[float, float]:
    """Return mean and variance of a weighted distribution; weights need not sum to 1."""
    share = weights / weights.sum()
    mean = float(share @ values)
    return mean, float(share @ (values - mean) ** 2)


def _tilted(slope: Floats, share: Floats) -> Floats | None:
    if slope.min() >= 0 or slope.max() <= 0:
        return None
    poles = -1 / float(slope.max()), -1 / float(slope.min())
    x, (low, high) = 0.0, poles
    for _ in range(STEPS):  # Newton's method, bracketed by bisection between the poles
        part = slope / (1 + x * slope)
        excess = float(share @ part)
        low, high = (x, high) if excess > 0 else (low, x)
        after = x + excess / float(share @ part**2)
        after = min(after, x + TOWARDS_POLE * (poles[1] - x))
        after = max(after, x + TOWARDS_POLE * (poles[0] - x))
        after = after if low < after < high else (low + high) / 2
        close = EXACT * abs(x), EXACT * float(share @ np.abs(part))
        if abs(after - x) <= close[0] or abs(excess) <= close[1]:
            break
        x = after
    return share / (1 + x * slope)


def _with_t(values: Floats, share: Floats, t: float, even: float) -> Floats | None:
    ahead = values - even
    fit = _with_t_from(np.full(len(values), 1 / len(values)), ahead, share, t)
    # Far from even the likelihood has several local maxima. From equal probabilities the iteration
    # may find one with nearly all probability on a single value.
    other = _with_t_from(share, ahead, share, t) if abs(t) > NEAR else None
    if fit is None or (other is not None and share @ np.log(other / fit) > SETTLED):
        fit = other
    if fit is not None or t == 0:
        return fit
    return _with_t_by_root(ahead if t > 0 else -ahead, share, abs(t))


def _with_t_from(fit: Floats, ahead: Floats, share: Floats, t: float) -> Floats | None:
    # Fixed-point iteration: each round linearizes the standard deviation around the current fit. It
    # takes few rounds, but cycles where nearly all scores are 0 or 1: then a root is bracketed.
    for _ in range(ROUNDS):
        mean, variance = moments(ahead, fit)
        before, tilted = fit, _tilted(_slope(ahead, mean, sqrt(variance), t), share)
        if tilted is None:
            return None
        fit = tilted
        if np.abs(fit - before).max() < SETTLED:
            return fit
    return None


def _slope(values: Floats, mean: float, spread: float, t: float) -> Floats:
    # The constraint mean - t x deviation = 0, linear in the probabilities near the fit.
    return np.asarray(values - t * (spread + (values - mean) ** 2 / spread) / 2)


def _with_t_by_root(values: Floats, share: Floats, t: float) -> Floats | None:
    # One unknown, the deviation d: the mean is t d, and the distribution tilted to the slope of
    # both has that mean only if it has that deviation. A slope is positive where the value lies
    # between d x near and d x far: below `low` nowhere, and at `low` all probability falls on one
    # value, whose mean is too high. At `high` the mean is too low.
    ahead = values[values > 0]
    if not len(ahead):
        return None
    square = 1 + t * t
    near, far = (square - sqrt(square)) / t, (square + sqrt(square)) / t
    widest = float(values.max() - values.min()) / 2
    low, high = float(ahead.min()) / far * MARGIN, min(widest, float(ahead.max()) / near / MARGIN)

    def fit(spread: float) -> Floats | None:
        return _tilted(_slope(values, t * spread, spread, t), share)

    def excess(spread: float) -> float:
        found = fit(spread)
        return -1.0 if found is None else float(found @ values) - t * spread

    if not excess(low) > 0 >= excess(high):
        return None
    return fit(float(brentq(excess, low, high, xtol=1e-14)))
