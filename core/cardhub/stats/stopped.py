"""Estimates after a test that stopped when it had seen enough.

Whoever stops because things look good overestimates. The median-unbiased estimate is the strength
under which an outcome no better than the observed one has a chance of 1/2, the evidence being taken
for a Brownian motion (Siegmund's ordering, Van den Bergh's drift).
"""

from math import sqrt

from scipy.optimize import brentq

from cardhub.stats.brownian import Motion
from cardhub.stats.elo import elo_of_score, score_of_elo
from cardhub.stats.llr import filled, moments, t_of_nelo
from cardhub.stats.results import EloEstimate, check_level
from cardhub.stats.sprt import Sprt, Verdict

EDGE = 1e-4


def after_stop(test: Sprt, level: float = 0.95) -> EloEstimate | None:
    """Return the median-unbiased (logistic) Elo and interval of a test, decided or not.

    None without blocks; None within it where the strength may be arbitrarily high or low. Blocks
    should be many enough for the evidence to move in small steps.
    """
    check_level(level)
    if not test.tally.blocks:
        return None
    walk = _Walk(test)
    middle, low, high = (walk.score_with(p) for p in (0.5, (1 + level) / 2, (1 - level) / 2))
    return EloEstimate(*(None if s is None else elo_of_score(s) for s in (middle, low, high)))


class _Walk:
    """The evidence of a test as a Brownian motion, for any true score."""

    def __init__(self, test: Sprt) -> None:
        self._mean, self._variance = moments(test.tally.values(), filled(test.tally.counts()))
        self._scores = _tested_scores(test, sqrt(self._variance))
        self._bounds = test.hypotheses.bounds
        self._time, self._place = float(test.tally.blocks), test.llr
        bound = {Verdict.NOT_BETTER: self._bounds[0], Verdict.BETTER: self._bounds[1]}
        if test.verdict in bound:  # the last step overshot: go back to where it crossed
            self._time *= bound[test.verdict] / test.llr
            self._place = bound[test.verdict]

    def score_with(self, chance: float) -> float | None:
        """Return the true score under which no better outcome has this chance; None: 0 or 1."""

        def excess(score: float) -> float:
            return self._chance(score) - chance

        if excess(EDGE) <= 0 or excess(1 - EDGE) >= 0:
            return None
        return float(brentq(excess, EDGE, 1 - EDGE, xtol=1e-9))

    def _chance(self, score: float) -> float:
        """Return the chance of an outcome no better than this one under a true score."""
        score0, score1 = self._scores
        variance = self._variance + (score - self._mean) ** 2
        gap = score1 - score0
        drift = (score - (score0 + score1) / 2) * gap / variance
        motion = Motion(*self._bounds, drift, gap * gap / variance)
        return motion.chance_of_no_better(self._time, self._place)


def _tested_scores(test: Sprt, deviation: float) -> tuple[float, float]:
    """Return the mean scores of blocks that the two hypotheses stand for."""
    tested = test.hypotheses
    if tested.model == "logistic":
        return score_of_elo(tested.elo0), score_of_elo(tested.elo1)
    t0, t1 = (t_of_nelo(nelo, tested.games_per_block) for nelo in (tested.elo0, tested.elo1))
    return 0.5 + t0 * deviation, 0.5 + t1 * deviation
