"""Generalised log-likelihood ratios of block scores with any support.

Van den Bergh's multinomial maximum likelihood under a constraint: how much better do the observed
scores fit the best distribution that has the one mean (or t-value) than the best with the other?
"""

from math import log, sqrt

import numpy as np

from cardhub.stats.types import Floats

EMPTY = 1e-3
"""What a cell without blocks counts, so that no score is thought impossible."""

ROUNDS, SETTLED, STEPS, EXACT = 100, 1e-10, 100, 1e-14

TOWARDS_POLE = 0.99
"""The share of the way to a pole that one step of Newton's method goes at most: beside a pole its
steps are so short that they would pass for convergence."""


def logistic_llr(values: Floats, counts: Floats, score0: float, score1: float) -> float:
    """Return the LLR of a mean of `score1` against one of `score0`; both within the values."""
    if not counts.any():
        return 0.0
    weights = filled(counts)
    fit0, fit1 = (_tilted(values - score, weights / weights.sum()) for score in (score0, score1))
    if fit0 is None or fit1 is None:
        raise ValueError(f"means of {score0} and {score1} need values on both sides of them")
    return float(weights @ np.log(fit1 / fit0))


def normalized_llr(values: Floats, counts: Floats, t0: float, t1: float) -> float:
    """Return the LLR of a t-value (mean - 1/2) / deviation of `t1` against one of `t0`.

    Where no distribution on the values has such a t-value, the closed form stands in.
    """
    if not counts.any():
        return 0.0
    weights = filled(counts)
    fit0, fit1 = (_with_t(values, weights / weights.sum(), t) for t in (t0, t1))
    if fit0 is None or fit1 is None:
        return closed_llr(values, counts, t0, t1)
    return float(weights @ np.log(fit1 / fit0))


def closed_llr(
    values: Floats, counts: Floats, t0: float, t1: float, games_per_block: float = 1
) -> float:
    """Return the normalized LLR from mean and variance alone.

    Good to three digits or four where scores vary; far too small where nearly all are equal.
    """
    if not counts.any():
        return 0.0
    mean, variance = moments(values, filled(counts))
    t, k = (mean - 0.5) / sqrt(variance), games_per_block
    games = k * float(filled(counts).sum())
    return games / 2 * log((1 + (t - t0) ** 2 / k) / (1 + (t - t1) ** 2 / k))


def filled(counts: Floats) -> Floats:
    """Return the counts with a trace in every empty cell."""
    return np.where(counts == 0, EMPTY, counts)


def moments(values: Floats, weights: Floats) -> tuple[float, float]:
    """Return mean and variance of a distribution; the weights need not sum to 1."""
    share = weights / weights.sum()
    mean = float(share @ values)
    return mean, float(share @ (values - mean) ** 2)


def _tilted(slope: Floats, share: Floats) -> Floats | None:
    """Return the most likely distribution under which `slope` has mean 0, None if there is none."""
    if slope.min() >= 0 or slope.max() <= 0:
        return None
    poles = -1 / float(slope.max()), -1 / float(slope.min())
    x, (low, high) = 0.0, poles
    for _ in range(STEPS):  # Newton's, kept between the poles by bisection
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


def _with_t(values: Floats, share: Floats, t: float) -> Floats | None:
    """Return the most likely distribution with a t-value; each round makes the deviation linear."""
    fit: Floats = np.full(len(values), 1 / len(values))
    for _ in range(ROUNDS):
        mean, variance = moments(values, fit)
        spread = sqrt(variance)
        slope = values - 0.5 - t * (spread + (values - mean) ** 2 / spread) / 2
        before, tilted = fit, _tilted(slope, share)
        if tilted is None:
            return None
        fit = tilted
        if np.abs(fit - before).max() < SETTLED:
            return fit
    return None
