"""Generalized log-likelihood ratios (LLR) of block scores with any finite support.

The LLR compares the maximum likelihood of a multinomial distribution constrained to one mean (or
t-value) with the maximum under the other (Van den Bergh). Values may have any scale; `even` is the
mean score of bots of equal strength.

Constrained distributions are found by Newton's method: the one closest to shares p under the
constraint that the mean slope is 0 is p / (1 + x slope), with the x that solves the constraint
(Owen 1990, Empirical likelihood).
"""

from math import fsum, isnan, log, sqrt
from operator import mul

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


# The pseudo-count of an unobserved score, which keeps its probability positive.
EMPTY = 1e-3

# The iteration limit of the fit with a given t-value, and its tolerance in probabilities.
ROUNDS = 100
SETTLED = 1e-10
# The largest t-value for which the fit has one start: from 0.5 on, starts led to different maxima.
NEAR = 0.25
# The number of values up to which a single histogram is fitted in plain floats.
FEW = 24

# Keeps a bracket inside the open interval of deviations with a distribution.
MARGIN = 1 + 1e-6


def mean_llr(values: Floats, counts: Floats, score0: float, score1: float) -> float:
    """Return the LLR of the mean `score1` against `score0`, both inside the range of `values`."""
    return float(mean_llrs(values, counts[None], score0, score1)[0])


def mean_llrs(values: Floats, counts: Floats, score0: float, score1: float) -> Floats:
    """Return the LLR of each row of `counts` (histograms x values), as `mean_llr` does."""
    if not values.min() < min(score0, score1) <= max(score0, score1) < values.max():
        raise ValueError(
            f"means {score0} and {score1} must lie strictly inside the range of the values"
        )
    weights, shares = _weights_and_shares(counts)
    fit0, fit1 = (_with_slopes(values - score, shares) for score in (score0, score1))
    return _log_ratio(weights, fit0, fit1)


def normalized_llrs(
    values: Floats, counts: Floats, t0: float, t1: float, even: float = 0.5
) -> Floats:
    """Return the LLR of the t-value `t1` against `t0` for each row of `counts`.

    The rows are histograms of the values; t is (mean - `even`) / standard deviation. Falls back to
    the closed form if no distribution on the values has this t-value.
    """
    weights, shares = _weights_and_shares(counts)
    fit0, fit1 = (_with_t(values, shares, t, even) for t in (t0, t1))
    llrs = _log_ratio(weights, fit0, fit1)
    for row in np.flatnonzero(np.isnan(llrs)):
        llrs[row] = closed_llr(values, counts[row], t0, t1, even=even)
    return llrs


def closed_llr(
    values: Floats,
    counts: Floats,
    t0: float,
    t1: float,
    games_per_block: float = 1,
    even: float = 0.5,
) -> float:
    """Return the approximate normalized LLR from mean and variance.

    The approximation agrees to three or four digits if scores vary, and is far too small if nearly
    all scores are equal.
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


def _weights_and_shares(counts: Floats) -> tuple[Floats, Floats]:
    # A histogram without blocks keeps weights of 0, and with them an LLR of 0.
    weights = np.where(counts.any(axis=1, keepdims=True), filled(counts), 0.0)
    total = weights.sum(axis=1, keepdims=True)
    return weights, np.where(
        total > 0, weights / np.where(total > 0, total, 1), 1 / counts.shape[1]
    )


def _log_ratio(weights: Floats, fit0: Floats, fit1: Floats) -> Floats:
    log_ratios: Floats = (weights * np.log(fit1 / fit0)).sum(axis=1)
    return log_ratios


def _with_slopes(slopes: Floats, shares: Floats) -> Floats:
    if len(shares) == 1 and len(slopes) <= FEW:
        alone = tilted_alone(slopes.tolist(), shares[0].tolist())
        return np.full(shares.shape, np.nan) if alone is None else np.asarray([alone[0]])
    return tilted(np.broadcast_to(slopes, shares.shape), shares)[0]


def _with_t(values: Floats, shares: Floats, t: float, even: float) -> Floats:
    ahead = values - even
    fits = _with_t_from(np.full(shares.shape, 1 / len(values)), ahead, shares, t)
    if abs(t) > NEAR:
        # Far from even the likelihood has several local maxima. From equal probabilities the
        # iteration may find one with nearly all probability on a single value.
        others = _with_t_from(shares, ahead, shares, t)
        is_better = _log_ratio(shares, fits, others) > SETTLED
        fits = np.where((is_better | np.isnan(fits).any(axis=1))[:, None], others, fits)
    if t != 0:
        for row in np.flatnonzero(np.isnan(fits).any(axis=1)):
            fits[row] = _with_t_by_root(ahead if t > 0 else -ahead, shares[row], abs(t))
    return fits


def _with_t_from(start: Floats, ahead: Floats, shares: Floats, t: float) -> Floats:
    # Fixed-point iteration: each round linearizes the standard deviation around the current fit. It
    # takes few rounds, but cycles where nearly all scores are 0 or 1: then a root is bracketed.
    converged = np.full(shares.shape, np.nan)
    if len(shares) == 1 and len(ahead) <= FEW:
        alone = _with_t_alone(start[0].tolist(), ahead.tolist(), shares[0].tolist(), t)
        return converged if alone is None else np.asarray([alone])
    rows, fits, roots = np.arange(len(shares)), start, None
    for _ in range(ROUNDS):
        before = fits
        fits, roots = tilted(_slopes(ahead, fits, t), shares[rows], roots)
        change = np.abs(fits - before).max(axis=1)
        converged[rows[change < SETTLED]] = fits[change < SETTLED]
        # A row without a fit is NaN, and settles in the first round.
        going = change >= SETTLED
        if not going.any():
            break
        rows, fits, roots = rows[going], fits[going], roots[going]
    return converged


def _with_t_alone(
    fit: list[float], ahead: list[float], shares: list[float], t: float
) -> list[float] | None:
    # The same for one row, in plain floats: with a handful of values several times as fast.
    root = 0.0
    for _ in range(ROUNDS):
        before, mean = fit, fsum(map(mul, fit, ahead))
        squares = [(value - mean) ** 2 for value in ahead]
        spread = sqrt(fsum(map(mul, fit, squares)))
        if not spread:
            return None
        slopes = [v - t * (spread + s / spread) / 2 for v, s in zip(ahead, squares, strict=True)]
        solution = tilted_alone(slopes, shares, root)
        if solution is None:
            return None
        fit, root = solution
        if max(abs(new - old) for new, old in zip(fit, before, strict=True)) < SETTLED:
            return fit
    return None


def _slopes(ahead: Floats, fits: Floats, t: float) -> Floats:
    # The constraint mean - t x deviation = 0, linear in the probabilities near each fit.
    means = fits @ ahead
    squares = (ahead - means[:, None]) ** 2
    spreads = np.sqrt((fits * squares).sum(axis=1))[:, None]
    return np.asarray(ahead - t * (spreads + squares / spreads) / 2)


def _with_t_by_root(values: Floats, share: Floats, t: float) -> Floats:
    from scipy.optimize import brentq  # late: it is slow to import

    # One unknown, the deviation d: the mean is t d, and the distribution tilted to the slope of
    # both has that mean only if it has that deviation. A slope is positive where the value lies
    # between d x near and d x far: below `low` nowhere, and at `low` all probability falls on one
    # value, whose mean is too high. At `high` the mean is too low.
    none: Floats = np.full(len(values), np.nan)
    ahead = values[values > 0]
    if not len(ahead):
        return none
    square = 1 + t * t
    near, far = (square - sqrt(square)) / t, (square + sqrt(square)) / t
    widest = float(values.max() - values.min()) / 2
    low, high = float(ahead.min()) / far * MARGIN, min(widest, float(ahead.max()) / near / MARGIN)

    def fit(spread: float) -> Floats:
        slope = values - t * (spread + (values - t * spread) ** 2 / spread) / 2
        return np.asarray(_with_slopes(slope, share[None])[0], dtype=np.float64)

    def excess(spread: float) -> float:
        difference = float(fit(spread) @ values) - t * spread
        return -1.0 if isnan(difference) else difference

    if not excess(low) > 0 >= excess(high):
        return none
    return fit(float(brentq(excess, low, high, xtol=1e-14)))
