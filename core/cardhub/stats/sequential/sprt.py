"""Wald's sequential probability ratio test on block scores: stop as soon as the evidence suffices.

The evidence is the generalised log-likelihood ratio (see `llr`), so that a block may hold any
number of games and its score any value between 0 and 1.
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

Model = Literal["logistic", "normalized", "closed"]
"""What the two Elo values mean; `closed` is `normalized` by the formula for mean and variance."""

MODELS: tuple[Model, ...] = ("logistic", "normalized", "closed")

DIGITS, CELLS = 9, 1000
"""Scores equal to so many digits are one value; beyond so many values, new ones are rounded."""


class Verdict(Enum):
    """What a test says so far."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"

    @property
    def exit_code(self) -> int:
        """0 for better, 1 for not better, 2 for undecided, as a shell wants it."""
        return list(Verdict).index(self)


class Tally:
    """How many blocks had which score; the cells 0 and 1 and those of `support` always exist."""

    def __init__(self, support: Iterable[float] = ()) -> None:
        cells = np.asarray([0.0, 1.0, *support])
        check_scores(cells)
        self._counts = dict.fromkeys((round(value, DIGITS) for value in cells.tolist()), 0)
        self.blocks = 0

    def add(self, score: float) -> None:
        """Count the score of one block; raises ValueError unless it is between 0 and 1."""
        check_scores(np.asarray(score))
        value = round(score, DIGITS)
        if value not in self._counts and len(self._counts) >= CELLS:
            value = round(score, 3)
        self._counts[value] = self._counts.get(value, 0) + 1
        self.blocks += 1

    def values(self) -> Floats:
        """Return the values, ascending."""
        return np.asarray(sorted(self._counts), dtype=np.float64)

    def counts(self) -> Floats:
        """Return how often each of `values()` occurred."""
        return np.asarray([self._counts[value] for value in sorted(self._counts)], dtype=np.float64)


@dataclass(frozen=True)
class Hypotheses:
    """Two Elo values to tell apart, and how often either may be taken for the other.

    `alpha` is the chance of "better" when the truth is `elo0`, `beta` that of "not better" when it
    is `elo1`. Normalized Elo is per game, so it needs the number of games in a block.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"
    games_per_block: float = 2

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 must be less than elo1, not {self.elo0} and {self.elo1}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(f"alpha and beta are error rates such as 0.05, not {self.alpha}")
        if self.model not in MODELS:
            raise ValueError(f"unknown model {self.model!r}; there are {', '.join(MODELS)}")
        if not self.games_per_block > 0:
            raise ValueError(f"a block has at least one game, not {self.games_per_block}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the LLR stops the test, for "not better" and for "better"."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, tally: Tally) -> float:
        """Return the evidence for `elo1` against `elo0`; 0 without blocks."""
        return self.llr_of(tally.values(), tally.counts())

    def llr_of(self, values: Floats, counts: Floats) -> float:
        """Return the evidence of so many blocks with each value; there may be parts of blocks."""
        if self.model == "logistic":
            return logistic_llr(values, counts, score_of_elo(self.elo0), score_of_elo(self.elo1))
        t0, t1 = (t_of_nelo(nelo, self.games_per_block) for nelo in (self.elo0, self.elo1))
        if self.model == "normalized":
            return normalized_llr(values, counts, t0, t1)
        return closed_llr(values, counts, t0, t1, self.games_per_block)


@dataclass
class Sprt:
    """A running test: takes block scores in the order of the schedule until it has a verdict.

    Blocks that come after the verdict change nothing. `support` are the scores a block can have;
    those that never occur count as a trace.
    """

    hypotheses: Hypotheses
    support: tuple[float, ...] = ()
    llr: float = field(default=0.0, init=False)
    verdict: Verdict = field(default=Verdict.UNDECIDED, init=False)
    tally: Tally = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.tally = Tally(self.support)

    def add(self, score: float) -> Verdict:
        """Take the score of the next block in [0, 1] and return the verdict so far."""
        if self.verdict is Verdict.UNDECIDED:
            self.tally.add(score)
            self.judge()
        return self.verdict

    def judge(self) -> Verdict:
        """Return the verdict on what was counted, having set it.

        `add` does so after every block. Whoever knows that the test was undecided before the last
        one can count blocks in the `tally` and judge once.
        """
        self.llr = self.hypotheses.llr(self.tally)
        low, high = self.hypotheses.bounds
        if self.llr >= high:
            self.verdict = Verdict.BETTER
        elif self.llr <= low:
            self.verdict = Verdict.NOT_BETTER
        return self.verdict
