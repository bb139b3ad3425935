"""A control variate: a fixed baseline plays the same deals, and its luck is taken out of the score.

Cross-fitting keeps it unbiased: the factor for a block is fitted on the other blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from cardhub.stats.types import Floats

FOLDS = 10


@dataclass(frozen=True)
class Adjusted:
    """Block scores without the baseline's luck; they may lie outside [0, 1].

    `mean` and its standard `error`; `factor` is the mean of the fitted factors; `saved` is how many
    times more blocks the bare scores would need for the same error, less than 1 if it did harm.
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
    """Return scores minus factor x (baseline - `expected`), block by block.

    `expected` is the baseline's true mean: known by symmetry, or estimated with `expected_error` on
    deals other than these, for its mean on the same deals would take nothing out. None for fewer
    than four blocks.
    """
    wanted, known = np.asarray(scores, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if wanted.shape != known.shape:
        raise ValueError(f"there are {len(wanted)} blocks, but {len(known)} of the baseline")
    if folds < 2:
        raise ValueError(f"the factor is fitted on other blocks, which takes 2 folds, not {folds}")
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
    """Return the least-squares slope of scores on the baseline, 0 where that never varies."""
    spread = baseline - baseline.mean()
    total = float(spread @ spread)
    return float(spread @ (scores - scores.mean())) / total if total > 1e-12 else 0.0
