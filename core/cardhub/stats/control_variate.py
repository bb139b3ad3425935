"""Variance reduction by a control variate: the score of a fixed baseline bot on the same deals.

Cross-fitting keeps the estimate unbiased: the factor of a block is fitted on the other folds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from cardhub.stats.types import Floats

FOLDS = 10
"""The default number of cross-fitting folds."""


@dataclass(frozen=True)
class Adjusted:
    """Adjusted block scores, which may lie outside [0, 1], their mean and its standard error.

    `factor` is the mean of the fitted factors. `saved` is the ratio of variances without and with
    the adjustment; below 1, the adjustment increased the variance.
    """

    scores: Floats
    mean: float
    error: float
    factor: float
    saved: float


def control_variate(
    scores: Sequence[float] | Floats,
    baseline: Sequence[float] | Floats,
    expected: float,
    expected_error: float = 0.0,
    folds: int = FOLDS,
) -> Adjusted | None:
    """Return the scores minus factor x (baseline - `expected`), block by block.

    `expected` is the true mean of the baseline: known by symmetry, or estimated on independent
    deals with the standard error `expected_error`. The baseline's mean on the same deals would not
    change the mean score. None for fewer than four blocks.
    """
    wanted, known = np.asarray(scores, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if wanted.shape != known.shape:
        raise ValueError(
            f"{len(wanted)} block scores, but {len(known)} of the baseline: lengths must match"
        )
    if folds < 2:
        raise ValueError(f"invalid number of folds {folds}: cross-fitting takes at least 2")
    if len(wanted) < 4:
        return None
    fold = np.arange(len(wanted)) % min(folds, len(wanted) // 2)
    factors = np.zeros(len(wanted))
    for number in range(int(fold.max()) + 1):
        factors[fold == number] = _factor(wanted[fold != number], known[fold != number])
    adjusted = wanted - factors * (known - expected)
    factor = float(factors.mean())
    error = sqrt(adjusted.var(ddof=1) / len(adjusted) + (factor * expected_error) ** 2)
    bare = float(wanted.var(ddof=1)) / len(wanted)
    saved = bare / error**2 if error > 0 else 1.0
    return Adjusted(adjusted, float(adjusted.mean()), error, factor, saved)


def _factor(scores: Floats, baseline: Floats) -> float:
    """Return the least-squares slope of scores on the baseline; 0 for a constant baseline."""
    spread = baseline - baseline.mean()
    total = float(spread @ spread)
    return float(spread @ (scores - scores.mean())) / total if total > 1e-12 else 0.0
