"""Wald's sequential probability ratio test (SPRT) of block scores (Sequential Analysis, 1947).

The test statistic is the generalized log-likelihood ratio (see `llr`): a block may have any number
of games, and its score any value between 0 and 1.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite, log
from typing import Literal

import numpy as np

from cardhub.stats.elo import score_of_elo, t_of_nelo
from cardhub.stats.sequential.llr import closed_llr, logistic_llr, normalized_llr
from cardhub.stats.types import Floats, check_scores

# The Elo model of the hypotheses; `closed` approximates `normalized` by mean and variance.
Model = Literal["logistic", "normalized", "closed"]

MODELS: tuple[Model, ...] = ("logistic", "normalized", "closed")

# The decimals to which scores are rounded: 1/3 is the same cell however it was computed.
DIGITS = 9
# The number of distinct scores beyond which a new one is rounded to 3 decimals, so that memory is
# bounded.
CELLS = 1000


class Verdict(Enum):
    """The current decision of a test."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"

    @property
    def exit_code(self) -> int:
        """The exit code of a command: 0 for better, 1 for not better, 2 for undecided."""
        return list(Verdict).index(self)


class Tally:
    """A histogram of block scores; it always has the cells 0, 1 and those of `support`."""

    def __init__(self, support: Iterable[float] = ()) -> None:
        cells = np.asarray([0.0, 1.0, *support])
        check_scores(cells)
        self._counts = dict.fromkeys((round(value, DIGITS) for value in cells.tolist()), 0)
        self.blocks = 0

    def add(self, score: float) -> None:
        """Count the score of a block; raises ValueError unless it is between 0 and 1."""
        check_scores(np.asarray(score))
        value = round(score, DIGITS)
        if value not in self._counts and len(self._counts) >= CELLS:
            value = round(score, 3)
        self._counts[value] = self._counts.get(value, 0) + 1
        self.blocks += 1

    def values(self) -> Floats:
        """Return the distinct scores in ascending order."""
        return np.asarray(sorted(self._counts), dtype=np.float64)

    def counts(self) -> Floats:
        """Return the number of blocks with each of `values()`."""
        return np.asarray([self._counts[value] for value in sorted(self._counts)], dtype=np.float64)


@dataclass(frozen=True)
class Hypotheses:
    """The null and alternative hypotheses in Elo, with their error rates.

    `alpha` is the probability of "better" under `elo0`, `beta` that of "not better" under `elo1`.
    Normalized Elo is defined per game and therefore depends on the number of games in a block.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"
    games_per_block: float = 2

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(
                f"invalid hypotheses {self.elo0} and {self.elo1}: elo0 must be less than elo1"
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                f"invalid error rates {self.alpha} and {self.beta}: use values such as 0.05"
            )
        if self.model not in MODELS:
            raise ValueError(f"unknown model {self.model!r}: use one of {', '.join(MODELS)}")
        if not self.games_per_block > 0:
            raise ValueError(f"invalid games per block {self.games_per_block}: must be positive")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's stopping bounds of the LLR, for "not better" and for "better"."""
        # Wald's approximations ignore the overshoot of the last block: after a handful of blocks
        # the error rates are rough.
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, tally: Tally) -> float:
        """Return the LLR of `elo1` against `elo0`; 0 without blocks."""
        return self.llr_of(tally.values(), tally.counts())

    def llr_of(self, values: Floats, counts: Floats) -> float:
        """Return the LLR of a histogram of block scores; counts may be fractional."""
        if self.model == "logistic":
            return logistic_llr(values, counts, score_of_elo(self.elo0), score_of_elo(self.elo1))
        t0, t1 = (t_of_nelo(nelo, self.games_per_block) for nelo in (self.elo0, self.elo1))
        if self.model == "normalized":
            return normalized_llr(values, counts, t0, t1)
        return closed_llr(values, counts, t0, t1, self.games_per_block)


@dataclass
class Sprt:
    """A running test: takes block scores in the order of the schedule until it has a verdict.

    Blocks after the verdict are ignored. `support` are the possible scores of a block; those that
    never occur have a pseudo-count.
    """

    hypotheses: Hypotheses
    support: tuple[float, ...] = ()
    llr: float = field(default=0.0, init=False)
    verdict: Verdict = field(default=Verdict.UNDECIDED, init=False)
    tally: Tally = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.tally = Tally(self.support)

    def add(self, score: float) -> Verdict:
        """Add the score of the next block, in [0, 1], and return the current verdict."""
        if self.verdict is Verdict.UNDECIDED:
            self.tally.add(score)
            self.judge()
        return self.verdict

    def judge(self) -> Verdict:
        """Update the verdict from the tally and return it.

        `add` calls this after every block. If it is known that no block but the last decides the
        test, add all scores to the `tally` and call this once.
        """
        self.llr = self.hypotheses.llr(self.tally)
        low, high = self.hypotheses.bounds
        if self.llr >= high:
            self.verdict = Verdict.BETTER
        elif self.llr <= low:
            self.verdict = Verdict.NOT_BETTER
        return self.verdict
