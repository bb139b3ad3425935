"""The distribution of a sequential test's end, and median-unbiased estimates after the test.

Block scores are mapped to a lattice, and the distribution of their sum is propagated exactly as a
random walk with absorbing boundaries.

The estimate and its interval invert the probability of an outcome at least as good as the observed
one, as a function of the true mean. Outcomes are ordered by the verdict ("not better", undecided,
"better"), then by the mean score. The empirical distribution of block scores is tilted
exponentially to each mean; the simulated test uses the same LLR and bounds as the real one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import asinh, ceil, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.stats.elo import as_elo
from cardhub.lab.stats.sequential.sprt import Hypotheses, Sprt, Verdict
from cardhub.lab.stats.types import Floats, check_level

# The finest exact lattice, in steps from 0 to 1; other scores are put on one of COARSE_STEPS steps.
FINEST = 48
COARSE_STEPS = 32
# The probability below which states are truncated; relevant likelihood ratios are far smaller than
# its inverse.
NEGLIGIBLE = 1e-250
# Sums within this distance of a bound count as having reached it.
TIE = 1e-7


class Outcomes(NamedTuple):
    """Outcomes of a test: the number of blocks, the mean score and the log probability of each."""

    blocks: Floats
    means: Floats
    logs: Floats

    def where(self, chosen: NDArray[np.bool_]) -> "Outcomes":
        """Return the selected outcomes."""
        return Outcomes(*(column[chosen] for column in self))

    def joined(self, others: "Outcomes") -> "Outcomes":
        """Return the concatenation with other outcomes."""
        return Outcomes(*map(np.concatenate, zip(self, others, strict=True)))


class ScoreDistribution:
    """The distribution of a block score and its exponential tilts, one for each mean."""

    def __init__(self, values: Floats, weights: Floats) -> None:
        self.unit = _lattice_steps(values)
        self.shares = _on_lattice(values, weights / weights.sum(), self.unit)
        self._points = np.arange(self.unit + 1) / self.unit
        self._logs = np.log(np.maximum(self.shares, 1e-300))

    def mean(self, tilt: float) -> float:
        """Return the mean of the distribution tilted by exp(tilt x score)."""
        return float(self._points @ np.exp(self._logs + tilt * self._points - self._log_norm(tilt)))

    def chance(self, outcomes: Outcomes, tilt: float) -> float:
        """Return the total probability of outcomes under the tilted distribution."""
        return float(self._chances(outcomes, tilt).sum())

    def largest(self, outcomes: Outcomes, tilt: float) -> float:
        """Return the largest probability of a single outcome under the tilted distribution."""
        return float(self._chances(outcomes, tilt).max(initial=0.0))

    def _chances(self, outcomes: Outcomes, tilt: float) -> Floats:
        # Tilts form an exponential family: the likelihood ratio of an outcome depends only on its
        # number of blocks and its mean, not on the path. One propagation serves all means.
        blocks, means, logs = outcomes
        chances: Floats = np.exp(logs + blocks * (tilt * means - self._log_norm(tilt)))
        return chances

    def _log_norm(self, tilt: float) -> float:
        return float(np.logaddexp.reduce(self._logs + tilt * self._points))


@dataclass(frozen=True)
class Evidence:
    """The LLR per block as a function of the mean score, by linear interpolation.

    It must grow with the mean: where it falls, it keeps its largest value at lower means.
    """

    means: Floats
    values: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.maximum.accumulate(self.values))

    def after(self, blocks: float | Floats, means: Floats) -> Floats:
        """Return the LLR after a number of blocks with these mean scores."""
        llrs: Floats = blocks * np.interp(means, self.means, self.values)
        return llrs

    def mean_at(self, values: Floats) -> Floats:
        """Return the means with these LLRs per block; infinite beyond the range of the LLR."""
        means: Floats = np.interp(values, self.values, self.means, left=-np.inf, right=np.inf)
        return means


class Walk(NamedTuple):
    """Outcomes after the last look: stopped at the lower bound, running, stopped at the upper."""

    low: Outcomes
    running: Outcomes
    high: Outcomes


def follow(
    distribution: ScoreDistribution,
    evidence: Evidence,
    bounds: tuple[float, float],
    looks: int,
    every: int,
) -> Walk:
    """Return the outcomes of a test that is evaluated every `every` blocks, `looks` times."""
    step: Floats = np.ones(1)
    for _ in range(every):
        step = np.convolve(step, distribution.shares)
    blocks = np.arange(every, looks * every + 1, every)
    # The sums from which on the test stops, for each look.
    lowest, highest = (
        distribution.unit * blocks * evidence.mean_at(bound / blocks) for bound in bounds
    )
    first_running = np.maximum(np.floor(lowest + TIE) + 1, 0).astype(np.int64).tolist()
    first_high = np.minimum(np.ceil(highest - TIE), distribution.unit * blocks + 1)
    low, high = _Stops(distribution.unit), _Stops(distribution.unit)
    # Cell i of `running` is the probability that the test goes on with the sum start + i.
    start, running = 0, np.ones(1)
    for number, below, above in zip(
        blocks.tolist(), first_running, first_high.astype(np.int64).tolist(), strict=True
    ):
        running = np.convolve(running, step)
        from_below, from_above = max(below - start, 0), max(above - start, 0)
        low.add(number, start, running[:from_below])
        high.add(number, start + from_above, running[from_above:])
        running = running[from_below:from_above]
        start += from_below
        # Trimmed to states that matter: without bounds the walk's range grows with every block.
        alive = np.flatnonzero(running > NEGLIGIBLE)
        if not len(alive):
            break
        running = running[alive[0] : alive[-1] + 1]
        start += int(alive[0])
    going = _Stops(distribution.unit)
    going.add(looks * every, start, running)
    return Walk(low.outcomes(), going.outcomes(), high.outcomes())


class _Stops:
    """Probabilities of the sums with which a test stops, look by look."""

    def __init__(self, unit: int) -> None:
        self._unit = unit
        self._parts: list[tuple[int, int, Floats]] = []

    def add(self, blocks: int, start: int, shares: Floats) -> None:
        """Add the probabilities of the sums from `start` on, after a number of blocks."""
        if len(shares):
            self._parts.append((blocks, start, shares))

    def outcomes(self) -> Outcomes:
        """Return all sums of positive probability."""
        if not self._parts:
            return Outcomes(np.empty(0), np.empty(0), np.empty(0))
        sizes = [len(shares) for _, _, shares in self._parts]
        blocks = np.repeat([float(number) for number, _, _ in self._parts], sizes)
        sums = np.concatenate([start + np.arange(len(part)) for _, start, part in self._parts])
        shares = np.concatenate([part for _, _, part in self._parts])
        is_possible = shares > 0
        means = sums[is_possible] / (self._unit * blocks[is_possible])
        return Outcomes(blocks[is_possible], means, np.log(shares[is_possible]))


def _lattice_steps(values: Floats) -> int:
    unit = 1
    for value in values.tolist():
        fraction = Fraction(value).limit_denominator(FINEST)
        unit = lcm(unit, fraction.denominator)
        if abs(value - float(fraction)) > 1e-6 or unit > FINEST:
            return COARSE_STEPS
    return unit


def _on_lattice(values: Floats, shares: Floats, unit: int) -> Floats:
    # A value between two points is split between them in a way that preserves the mean.
    distribution: Floats = np.zeros(unit + 1)
    steps = np.clip(values * unit, 0, unit)
    steps = np.where(np.abs(steps - np.round(steps)) < 1e-4, np.round(steps), steps)
    below = np.minimum(np.floor(steps).astype(np.int64), unit - 1)
    np.add.at(distribution, below, shares * (below + 1 - steps))
    np.add.at(distribution, below + 1, shares * (steps - below))
    return distribution


# The pseudo-count of blocks, spread evenly over all scores. Scores that have not occurred keep a
# positive probability. And tests stop early if their scores happen to vary little, which makes the
# observed variance too small: with 1 block instead of 3, intervals after tests of 0 against 50
# Elo hold the truth less often.
UNSEEN = 3.0
# The largest probability of a single outcome for which a median-unbiased estimate is given: the
# chances of a value too high and of one too low differ by at most that much.
COARSE = 0.1
# The number of blocks above which the simulated test is evaluated only every few blocks.
LOOKS = 3000
# The number of tilts at which the LLR is computed: it is smooth, and interpolated between them.
TILTS = 25
# The largest of these tilts per lattice step: the probabilities of neighbouring scores differ by a
# factor of e^6. WIDEST is the largest tilt of the search for means.
STEEPEST = 6.0
WIDEST = 20
# The smallest probability of all scores but the most frequent for which the LLR is computed: beyond
# it, the LLR hardly changes.
RARE = 5e-3
# Mean scores within this distance are treated as equal.
SAME = 1e-9


def after_stop(test: Sprt, level: float = 0.95) -> OpenEstimate | None:
    """Return the median-unbiased (logistic) Elo and interval of a test, decided or not.

    None without blocks. A `low` or `high` of None means that the interval is unbounded. A `value`
    of None means that nearly all blocks had the same score: the outcomes are then too coarse for a
    median-unbiased estimate.
    """
    check_level(level)
    if not test.tally.blocks:
        return None
    # With few blocks their variance is uncertain, too: the tails of a normal distribution are taken
    # beyond the quantile of Student's t, with 2 degrees of freedom less than blocks.
    freedom = max(test.tally.blocks - 2, 1)
    stopped, tail = _Stopped(test), float(ndtr(stdtrit(freedom, (1 - level) / 2)))
    means = stopped.middle(), stopped.low(tail), stopped.high(tail)
    return as_elo(OpenEstimate(*means))


class _Stopped:
    """The observed outcome of a test within the distribution of its possible outcomes.

    `_beyond` are the outcomes more extreme than the observed one, in the direction of its verdict,
    and `_same` those equal to it.
    """

    def __init__(self, test: Sprt) -> None:
        values, counts = test.tally.values(), test.tally.counts()
        weights = counts + UNSEEN / len(counts)
        self._mean = float(counts @ values) / test.tally.blocks
        self._distribution = ScoreDistribution(values, weights)
        self._is_failed = test.verdict is Verdict.NOT_BETTER
        evidence = _evidence_by_mean(test.hypotheses, values, weights, self._distribution.unit)
        every = ceil(test.tally.blocks / LOOKS)
        looks = _looks(test, evidence, self._mean, every)
        walk = follow(self._distribution, evidence, test.hypotheses.bounds, looks, every)
        # Outcomes are ordered by the verdict first: after "better", only "better" is more extreme.
        if test.verdict is Verdict.UNDECIDED:
            further, self._same = self._more_extreme(walk.running)
            self._beyond = further.joined(walk.high)
        else:
            self._beyond, self._same = self._more_extreme(
                walk.low if self._is_failed else walk.high
            )

    def _more_extreme(self, outcomes: Outcomes) -> tuple[Outcomes, Outcomes]:
        further = (outcomes.means - self._mean) * (-1 if self._is_failed else 1)
        return outcomes.where(further > SAME), outcomes.where(np.abs(further) <= SAME)

    def _tail(self, tilt: float, share: float) -> float:
        # Equal outcomes count in full for one end of the interval and not at all for the other,
        # half for the median: for discrete outcomes coverage is then at least nominal.
        part = 1 - share if self._is_failed else share
        chance = self._distribution.chance(self._beyond, tilt) + part * self._distribution.chance(
            self._same, tilt
        )
        return 1 - chance if self._is_failed else chance

    def low(self, tail: float) -> float | None:
        """Return the mean for which outcomes at least as good have the probability `tail`."""
        return self._mean_at(lambda tilt: self._tail(tilt, 1.0) - tail)

    def high(self, tail: float) -> float | None:
        """Return the mean for which outcomes at most as good have the probability `tail`."""
        return self._mean_at(lambda tilt: self._tail(tilt, 0.0) - (1 - tail))

    def middle(self) -> float | None:
        """Return the mean under which better and worse outcomes are equally likely."""
        tilt = self._tilt_at(lambda tilt: self._tail(tilt, 0.5) - 0.5)
        if (
            tilt is None
            or self._distribution.largest(self._beyond.joined(self._same), tilt) > COARSE
        ):
            return None
        return self._distribution.mean(tilt)

    def _mean_at(self, excess: Callable[[float], float]) -> float | None:
        tilt = self._tilt_at(excess)
        return None if tilt is None else self._distribution.mean(tilt)

    def _tilt_at(self, excess: Callable[[float], float]) -> float | None:
        from scipy.optimize import brentq  # late: it is slow to import

        # The bracket doubles from 0 in the direction of the root: probabilities underflow at tilts
        # far beyond it.
        sign = 1 if excess(0.0) < 0 else -1
        near, far = 0.0, 0.1 * sign
        while abs(far) < WIDEST * self._distribution.unit:
            if sign * excess(far) >= 0:
                return float(brentq(excess, near, far, xtol=1e-9))
            near, far = far, 2 * far
        return None


def _evidence_by_mean(tested: Hypotheses, values: Floats, weights: Floats, unit: int) -> Evidence:
    # sinh spaces tilts evenly around 0, where most tests stop, and geometrically farther out.
    reach = asinh(STEEPEST * unit)
    tilts = np.sinh(np.linspace(-reach, reach, TILTS))[:, None]
    # Only differences of exponents matter; subtracting the largest avoids overflow.
    tilted = weights * np.exp(tilts * (values - (tilts > 0)))
    tilted /= tilted.sum(axis=1, keepdims=True)
    tilted = tilted[1 - tilted.max(axis=1) >= RARE]
    return Evidence(tilted @ values, tested.llrs_of(values, tilted))


def _looks(test: Sprt, evidence: Evidence, mean: float, every: int) -> int:
    # An undecided test was stopped by its limit of blocks.
    looks = ceil(test.tally.blocks / every)
    if test.verdict is Verdict.UNDECIDED:
        return looks
    # LLR grows linearly in the number of blocks for a given mean: from some look on, the means that
    # still cross the boundary then are less extreme than the observed one.
    sign = 1 if test.verdict is Verdict.BETTER else -1
    later = np.arange(looks, 2 * looks + 50, dtype=np.float64)
    reached = sign * evidence.after(later * every, mean - sign / later)
    enough = np.flatnonzero(reached >= abs(test.hypotheses.bounds[sign > 0]))
    return int(later[enough[0]] if len(enough) else later[-1])
