"""Wald's sequential probability ratio test (SPRT) of block scores (Sequential Analysis, 1947).

The test statistic is the generalized log-likelihood ratio (see `llr`): a block may have any number
of games, and its score any value between 0 and 1, or any difference in points. A histogram of block
scores is its sufficient statistic.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from math import ceil, floor, isfinite, log
from operator import itemgetter
from typing import Literal

import numpy as np
from typing_extensions import override

from cardhub.lab.stats.elo import score_of_elo, t_of_nelo
from cardhub.lab.stats.sequential.llr import (
    NEAR,
    closed_llr,
    mean_llr,
    mean_llrs,
    normalized_llrs,
)
from cardhub.lab.stats.types import Floats, check_scores

# The decimals to which scores are rounded: 1/3 is the same cell for any way of computing it.
DIGITS = 9
# The number of distinct scores beyond which a new score is rounded to 3 decimals, to bound memory.
CELLS = 1000
# The number of distinct differences beyond which they are put on a lattice, and the step of the
# finest one; each further lattice has twice the step.
POINT_CELLS = 256
FINEST = 2.0**-20


class BlockTally(ABC):
    """A histogram of block scores; counts of cells may be fractional."""

    def __init__(self) -> None:
        self.blocks = 0

    @abstractmethod
    def add(self, score: float) -> None:
        """Count the score of a block."""

    @abstractmethod
    def cells(self) -> Mapping[float, float]:
        """Return the number of blocks by score, 0 for scores that could occur."""

    def values(self) -> Floats:
        """Return the distinct scores in ascending order."""
        return np.asarray(sorted(self.cells()), dtype=np.float64)

    def counts(self) -> Floats:
        """Return the number of blocks with each of `values()`."""
        cells = self.cells()
        return np.asarray([cells[value] for value in sorted(cells)], dtype=np.float64)


class ScoreTally(BlockTally):
    """Scores from 0 to 1; the tally always has the cells 0, 1 and all scores of `support`."""

    def __init__(self, support: Iterable[float] = ()) -> None:
        super().__init__()
        cells = np.asarray([0.0, 1.0, *support])
        check_scores(cells)
        self._counts = dict.fromkeys((round(value, DIGITS) for value in cells.tolist()), 0)

    @override
    def add(self, score: float) -> None:
        if not 0 <= score <= 1:
            raise ValueError(f"invalid block score {score}: it must lie between 0 and 1")
        value = round(score, DIGITS)
        if value not in self._counts and len(self._counts) >= CELLS:
            value = round(score, 3)
        self._counts[value] = self._counts.get(value, 0) + 1
        self.blocks += 1

    @override
    def cells(self) -> Mapping[float, float]:
        return self._counts


class PointTally(BlockTally):
    """Differences in points, of any size, in memory that does not grow with the match.

    The tally always has a cell for the largest difference with either sign: no distribution on
    values of one sign has the mean 0.
    """

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[float, float] = {}
        self._width = self._low = self._high = 0.0

    @override
    def add(self, score: float) -> None:
        if not isfinite(score):
            raise ValueError(f"invalid difference {score}: it must be a finite number")
        value = round(score, DIGITS)
        self._low, self._high = min(self._low, value), max(self._high, value)
        self._put(value, 1.0)
        self.blocks += 1
        if len(self._counts) > POINT_CELLS:
            self._widen()

    @override
    def cells(self) -> Mapping[float, float]:
        reach = max(self._high, -self._low) or 1.0
        return {-reach: 0.0, reach: 0.0, **self._counts}

    def _put(self, value: float, weight: float) -> None:
        if not self._width:
            self._counts[value] = self._counts.get(value, 0.0) + weight
            return
        # Split between the two nearest lattice points in a way that keeps the mean.
        # Lattices are nested, so the result does not depend on the order of values.
        below = floor(value / self._width)
        share = value / self._width - below
        for step, part in ((below, 1 - share), (below + 1, share)):
            if part:
                at = step * self._width
                self._counts[at] = self._counts.get(at, 0.0) + weight * part

    def _widen(self) -> None:
        self._width = self._width or FINEST
        while (self._high - self._low) / self._width > POINT_CELLS - 2:
            self._width *= 2
        before, self._counts = self._counts, {}
        for value, weight in before.items():
            self._put(value, weight)


# The scale of the hypotheses; `closed` approximates `normalized` by mean and variance, `points` are
# means of differences in points.
Model = Literal["logistic", "normalized", "closed", "points"]

MODELS: tuple[Model, ...] = ("logistic", "normalized", "closed", "points")

# The number of blocks before which the LLR of a test in points is 0, because the scale of points is
# unknown. For a mean in points only blocks that did not end even count.
FEWEST = 10
# The number of blocks before which a test is judged after every block.
SETTLED = 64


class Verdict(Enum):
    """The current decision of a test."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"

    @property
    def exit_code(self) -> int:
        """The exit code of a command: 0 for better, 1 for not better, 2 for undecided."""
        return list(Verdict).index(self)


@dataclass(frozen=True)
class Hypotheses:
    """The null and alternative hypotheses in Elo or in points, with their error rates.

    `alpha` is the probability of "better" under `elo0`, `beta` of "not better" under `elo1`.
    Normalized Elo is defined per game and therefore depends on the number of games in a block.
    With `in_points` block scores are differences in points, of any size, and 0 is even; logistic
    Elo does not exist there. The model `points` tests means of such differences.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"
    games_per_block: float = 2
    in_points: bool = False

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
        if self.model == ("logistic" if self.in_points else "points"):
            scale = "differences in points" if self.in_points else "scores from 0 to 1"
            raise ValueError(f"invalid model {self.model!r}: block scores are {scale}")
        if not self.games_per_block > 0:
            raise ValueError(f"invalid games per block {self.games_per_block}: must be positive")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's stopping bounds of the LLR, for "not better" and for "better"."""
        # Wald's approximations ignore the overshoot of the last block: after a handful of blocks
        # the error rates are rough.
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    @property
    def is_far(self) -> bool:
        """Whether fits may have several maxima, between which the LLR jumps."""
        ts = (t_of_nelo(nelo, self.games_per_block) for nelo in (self.elo0, self.elo1))
        return self.model == "normalized" and any(abs(t) > NEAR for t in ts)

    def llr(self, tally: BlockTally) -> float:
        """Return the LLR of `elo1` against `elo0`; 0 without blocks."""
        return self.llr_of(tally.values(), tally.counts())

    def llr_of(self, values: Floats, counts: Floats) -> float:
        """Return the LLR of a histogram of block scores; counts may be fractional."""
        return float(self.llrs_of(values, counts[None])[0])

    def llrs_of(self, values: Floats, counts: Floats) -> Floats:
        """Return the LLR of each row of `counts`, histograms x values."""
        if self.model == "logistic":
            return mean_llrs(values, counts, score_of_elo(self.elo0), score_of_elo(self.elo1))
        even = 0.0 if self.in_points else 0.5
        t0, t1 = (t_of_nelo(nelo, self.games_per_block) for nelo in (self.elo0, self.elo1))
        if self.model == "points":
            llrs = [_points_llr(values, row, self.elo0, self.elo1) for row in counts]
        elif self.model == "closed":
            llrs = [closed_llr(values, row, t0, t1, self.games_per_block, even) for row in counts]
        else:
            llrs = normalized_llrs(values, counts, t0, t1, even).tolist()
        fewest = FEWEST if self.in_points else 0
        return np.where(counts.sum(axis=1) < fewest, 0.0, np.asarray(llrs))


def _points_llr(values: Floats, counts: Floats, mean0: float, mean1: float) -> float:
    if counts[values != 0].sum() < FEWEST:
        return 0.0
    # Both means must lie inside the range of the values, which is unbounded.
    reach = 2 * max(abs(mean0), abs(mean1), float(np.abs(values).max()) / 2)
    ends = np.setdiff1d([-reach, reach], values)
    wider = np.concatenate([values, ends])
    return mean_llr(wider, np.concatenate([counts, np.zeros(len(ends))]), mean0, mean1)


@dataclass
class Sprt:
    """A running test: takes block scores in the order of the schedule until it has a verdict.

    Blocks after the verdict are ignored. `support`: the possible block scores; unobserved scores
    get a pseudo-count. Differences in points have no `support`.
    """

    hypotheses: Hypotheses
    support: tuple[float, ...] = ()
    verdict: Verdict = field(default=Verdict.UNDECIDED, init=False)
    tally: BlockTally = field(init=False, repr=False)
    _llr: float = field(default=0.0, init=False, repr=False)
    _blocks: int = field(default=0, init=False, repr=False)  # of _llr
    _due: int = field(default=0, init=False, repr=False)
    _step: float = field(default=0.0, init=False, repr=False)
    _step_until: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        is_in_points = self.hypotheses.in_points
        self.tally = PointTally() if is_in_points else ScoreTally(self.support)

    @property
    def llr(self) -> float:
        """The LLR of all blocks in the tally."""
        if self._blocks != self.tally.blocks:
            self._llr = self.hypotheses.llr(self.tally)
            self._blocks = self.tally.blocks
        return self._llr

    def add(self, score: float) -> Verdict:
        """Add the score of the next block and return the current verdict."""
        if self.verdict is Verdict.UNDECIDED:
            self.tally.add(score)
            if self.tally.blocks >= self._due:
                self.judge()
        return self.verdict

    def judge(self) -> Verdict:
        """Update the verdict from the tally and return it.

        `add` calls this each time a block may decide the test. If only the last block can
        decide the test, add all scores to the `tally` and call this once.
        """
        low, high = self.hypotheses.bounds
        if self.llr >= high:
            self.verdict = Verdict.BETTER
        elif self.llr <= low:
            self.verdict = Verdict.NOT_BETTER
        else:
            self._due = self.tally.blocks + self._spare(min(high - self.llr, self.llr - low))
        return self.verdict

    def _spare(self, distance: float) -> int:
        """Return the number of blocks until a bound at this distance can be reached."""
        # The fits take a hundred times as long as the rest of a block. By the envelope theorem a
        # block moves the LLR by the log ratio of its probabilities under both fits, which changes
        # little while the number of blocks does: twice the largest move is a safe limit.
        blocks = self.tally.blocks
        if blocks < SETTLED or not self.support or self.hypotheses.is_far:
            return 1
        if blocks >= self._step_until:
            # The largest change of the LLR by one more block.
            values, counts = self.tally.values(), self.tally.counts()
            moved = self.hypotheses.llrs_of(values, counts + np.eye(len(values)))
            self._step = float(np.abs(moved - self.llr).max())
            self._step_until = blocks + blocks // 8
        return max(1, min(int(distance / (2 * self._step)), self._step_until - blocks))


# The values of elo1 - elo0 that are compared, in normalized or logistic Elo.
WIDTHS = (60.0, 100.0, 200.0)
# The number of blocks below which error rates of a test are rough.
FEWEST_BLOCKS = 10


def suggested_test(test: Sprt) -> tuple[Hypotheses, int] | None:
    """Return wider hypotheses for which half as many similar blocks give the same verdict.

    The number is about how many blocks they need. This is a plan for another match and not a
    verdict, because the same blocks must not suggest hypotheses and test them. None without blocks,
    in points, or if no wider hypotheses save half of the blocks.
    """
    tested = test.hypotheses
    if not test.tally.blocks or tested.in_points:
        return None
    wider = (replace(tested, elo1=tested.elo0 + width) for width in WIDTHS)
    plans = [
        (hypotheses, blocks_to_verdict(test, hypotheses))
        for hypotheses in wider
        if hypotheses.elo1 > tested.elo1
        # Far from the observed strength the same blocks would favour the other verdict.
        and (hypotheses.llr(test.tally) > 0) == (tested.llr(test.tally) > 0)
    ]
    best = min(plans, key=itemgetter(1), default=None)
    return best if best is not None and 2 * best[1] <= test.tally.blocks else None


def blocks_to_verdict(test: Sprt, hypotheses: Hypotheses) -> int:
    """Return the number of blocks with the distribution of `test` after which a test decides."""
    blocks = test.tally.blocks
    llr_per_block = hypotheses.llr(test.tally) / blocks
    bound = abs(hypotheses.bounds[llr_per_block > 0])
    # An LLR near 0 has no direction, and the test would take very long.
    return max(FEWEST_BLOCKS, ceil(bound / max(abs(llr_per_block), 1e-9)))
