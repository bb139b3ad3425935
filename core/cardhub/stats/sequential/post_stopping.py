"""Estimates after a test that stopped when it had seen enough.

A strength is judged by how likely it makes an outcome at least as good as the observed one.
Outcomes are ordered: first tests that ended with "not better", then those without a verdict, then
those that ended with "better", and within each by their mean score. The distribution of block
scores is the observed one, tilted exponentially to any mean. The test that is followed under it
stops by the same evidence as the real one, however strong a bot is.
"""

from collections.abc import Callable
from math import asinh, ceil, sinh

import numpy as np
from scipy.optimize import brentq

from cardhub.stats.elo import elo_of_score
from cardhub.stats.sequential.boundary_crossing import BlockLaw, Evidence, Outcomes, follow
from cardhub.stats.sequential.sprt import Hypotheses, Sprt, Verdict
from cardhub.stats.types import EloEstimate, Floats, check_level

UNSEEN = 1.0
"""How many blocks are added to those that were seen, in equal parts for all scores, so that a score
that has not occurred yet is not taken to be impossible."""
COARSE = 0.15
"""How likely a single outcome may be for the estimate to be as often too high as too low."""
LOOKS = 3000
"""In tests of more blocks than that, one look is taken every few blocks."""
TILTS, STEEPEST, WIDEST = 25, 6.0, 20
"""At how many tilts evidence is computed, and how far these and those searched go, both in units of
lattice steps: the first so far that neighbouring scores are e^6 times as likely."""
RARE = 5e-3
"""The least share of blocks besides the commonest for which evidence is computed: it hardly changes
beyond, and its iteration need not converge there."""
SAME = 1e-9


def after_stop(test: Sprt, level: float = 0.95) -> EloEstimate | None:
    """Return the median-unbiased (logistic) Elo and interval of a test, decided or not.

    None without blocks. A `low` or `high` of None: the strength may be arbitrarily low or high. A
    `value` of None: outcomes are so few that no estimate is as often too high as too low, because
    nearly all blocks ended alike.
    """
    check_level(level)
    if not test.tally.blocks:
        return None
    stopped, tail = _Stopped(test), (1 - level) / 2
    means = stopped.middle(), stopped.low(tail), stopped.high(tail)
    return EloEstimate(*(None if mean is None else elo_of_score(mean) for mean in means))


class _Stopped:
    """A test among all the ways in which it could have ended.

    `_beyond` are the outcomes of its kind that differ more from the others than its own does,
    `_same` those that are its own.
    """

    def __init__(self, test: Sprt) -> None:
        values, counts = test.tally.values(), test.tally.counts()
        weights = counts + UNSEEN / len(counts)
        self._mean = float(counts @ values) / test.tally.blocks
        self._law = BlockLaw(values, weights)
        self._is_failed = test.verdict is Verdict.NOT_BETTER
        evidence = _evidence(test.hypotheses, values, weights, self._law.unit)
        every = ceil(test.tally.blocks / LOOKS)
        looks = _looks(test, evidence, self._mean, every)
        walk = follow(self._law, evidence, test.hypotheses.bounds, looks, every)
        if test.verdict is Verdict.UNDECIDED:
            further, self._same = self._parted(walk.running)
            self._beyond = further.joined(walk.high)
        else:
            self._beyond, self._same = self._parted(walk.low if self._is_failed else walk.high)

    def _parted(self, outcomes: Outcomes) -> tuple[Outcomes, Outcomes]:
        """Return outcomes whose mean is further out than the observed one, and equal ones."""
        further = (outcomes.means - self._mean) * (-1 if self._is_failed else 1)
        return outcomes.where(further > SAME), outcomes.where(np.abs(further) <= SAME)

    def _chance(self, tilt: float, share: float) -> float:
        """Return the chance of a better outcome, and of a share of the equal ones."""
        part = 1 - share if self._is_failed else share
        chance = self._law.chance(self._beyond, tilt) + part * self._law.chance(self._same, tilt)
        return 1 - chance if self._is_failed else chance

    def low(self, tail: float) -> float | None:
        """Return the mean under which an outcome at least as good has the chance `tail`."""
        return self._mean_at(lambda tilt: self._chance(tilt, 1.0) - tail)

    def high(self, tail: float) -> float | None:
        """Return the mean under which an outcome no better has the chance `tail`."""
        return self._mean_at(lambda tilt: self._chance(tilt, 0.0) - (1 - tail))

    def middle(self) -> float | None:
        """Return the mean under which better and worse outcomes are equally likely."""
        tilt = self._tilt(lambda tilt: self._chance(tilt, 0.5) - 0.5)
        if tilt is None or self._law.largest(self._beyond.joined(self._same), tilt) > COARSE:
            return None
        return self._law.mean(tilt)

    def _mean_at(self, excess: Callable[[float], float]) -> float | None:
        tilt = self._tilt(excess)
        return None if tilt is None else self._law.mean(tilt)

    def _tilt(self, excess: Callable[[float], float]) -> float | None:
        """Return where a function that grows with the tilt is 0, searching outwards."""
        sign = 1 if excess(0.0) < 0 else -1
        near, far = 0.0, 0.1 * sign
        while abs(far) < WIDEST * self._law.unit:
            if sign * excess(far) >= 0:
                return float(brentq(excess, near, far, xtol=1e-9))
            near, far = far, 2 * far
        return None


def _evidence(tested: Hypotheses, values: Floats, weights: Floats, unit: int) -> Evidence:
    """Return the test's evidence per block for all means, densest about the observed one."""
    reach = asinh(STEEPEST * unit)
    means, found = [], []
    for place in np.linspace(-reach, reach, TILTS).tolist():
        tilt = sinh(place)
        tilted = weights * np.exp(tilt * (values - (tilt > 0)))
        tilted /= tilted.sum()
        if 1 - tilted.max() < RARE:
            continue
        means.append(float(tilted @ values))
        found.append(tested.llr_of(values, tilted))
    return Evidence(np.asarray(means), np.asarray(found))


def _looks(test: Sprt, evidence: Evidence, mean: float, every: int) -> int:
    """Return after how many looks nobody can stop any more at a mean further out than this one.

    Without a verdict, the number of blocks was the limit.
    """
    looks = ceil(test.tally.blocks / every)
    if test.verdict is Verdict.UNDECIDED:
        return looks
    sign = 1 if test.verdict is Verdict.BETTER else -1
    later = np.arange(looks, 2 * looks + 50, dtype=np.float64)
    reached = sign * evidence.after(later * every, mean - sign / later)
    enough = np.flatnonzero(reached >= abs(test.hypotheses.bounds[sign > 0]))
    return int(later[enough[0]] if len(enough) else later[-1])
