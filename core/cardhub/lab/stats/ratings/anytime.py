"""Elo ratings of bots that join, meet and are looked at at any time, with always-valid intervals.

The expected score of a bot against another one is a logistic function of the difference of their
strengths. Each meeting is chosen by the results before it, so intervals must not assume that the
number of blocks was set in advance. They are those of Robbins' normal mixture, as in
`confidence_sequence`, for an estimate that is linear in the scores in the limit of many blocks
(Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021).
"""

from collections.abc import Collection, Iterable
from itertools import combinations
from math import fsum, log, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc

from cardhub.lab.estimate import PointEstimate
from cardhub.lab.stats.ratings.fit import ELO
from cardhub.lab.stats.sequential.confidence_sequence import mixture_scale
from cardhub.lab.stats.types import Floats, Pair, check_level

# The standard deviation of strengths before any game: 1,000 Elo, so that all can be compared.
PRIOR = 1000 / ELO
# The number of blocks of a bot before its first interval: with fewer the limit is too far.
FIRST_BLOCKS = 30
# Blocks whose scores vary as much as possible count as so many when the scatter is estimated.
CAUTIOUS_BLOCKS = 10
STEPS, CLOSE = 100, 1e-9


class PairCounts(NamedTuple):
    """The blocks of two bots: their number, and the sums of scores and squares of the first bot."""

    blocks: int = 0
    total: float = 0.0
    squares: float = 0.0

    def plus(self, scores: Iterable[float]) -> "PairCounts":
        """Return the counts with further blocks."""
        added = list(scores)
        return PairCounts(
            self.blocks + len(added),
            fsum((self.total, *added)),
            fsum((self.squares, *(score * score for score in added))),
        )


class AnytimeRatings:
    """The strengths of bots 0 to `bots` - 1, of which bot 0 is the zero of the scale.

    `counts`: the blocks of pairs, in ascending order of the bots.
    """

    def __init__(self, bots: int, counts: dict[Pair, PairCounts]) -> None:
        self._pairs = list(counts)
        self._meetings = _meetings(bots, self._pairs)
        self._blocks = np.asarray([row.blocks for row in counts.values()], np.float64)
        self._totals = np.asarray([row.total for row in counts.values()], np.float64)
        self._squares = np.asarray([row.squares for row in counts.values()], np.float64)
        self._of_bot = np.abs(self._meetings).T @ self._blocks
        self.strengths = self._fit(bots)
        self.scatter = self._estimate_scatter()
        self._variances = self._covariance().diagonal()

    def elo(self, bot: int, level: float) -> PointEstimate:
        """Return the Elo of a bot above bot 0; without ends if it has too few blocks."""
        check_level(level)
        value = float(self.strengths[bot]) * ELO
        if bot == 0:
            return PointEstimate(value, value, value)
        blocks = float(self._of_bot[bot])
        if blocks < FIRST_BLOCKS:
            return PointEstimate(value, None, None)
        # Solves log_mixture = log(1 / alpha) for the distance from the estimate.
        grown = blocks * mixture_scale(1 - level)
        width = 2 * (grown + 1) / grown * (log(1 / (1 - level)) + log(grown + 1) / 2)
        reach = sqrt(width * self.scatter * float(self._variances[bot])) * ELO
        return PointEstimate(value, value - reach, value + reach)

    def blocks_of(self, bot: int) -> int:
        """Return the number of blocks of a bot."""
        return round(float(self._of_bot[bot]))

    def fit_of(self, counts: dict[Pair, PairCounts]) -> float | None:
        """Return the p-value of other results under these ratings; None with too few blocks.

        The statistic is Pearson's, with the uncertainty of the ratings in its covariance.
        """
        blocks = np.asarray([row.blocks for row in counts.values()], np.float64)
        if min(blocks.sum(), self._blocks.sum()) < FIRST_BLOCKS:
            return None
        meetings = _meetings(len(self.strengths), list(counts))
        ahead = meetings @ self.strengths
        totals = np.asarray([row.total for row in counts.values()], np.float64)
        residuals = totals - blocks * _logistic(ahead)
        slopes = (blocks * _slopes(ahead))[:, None] * meetings
        covariance = np.diag(blocks * _slopes(ahead)) + slopes @ self._covariance() @ slopes.T
        statistic = residuals @ np.linalg.solve(self.scatter * covariance, residuals)
        return float(chdtrc(len(counts), statistic))

    def next_pair(
        self, playable: Collection[int], blocks: int, pending: Iterable[Pair] = ()
    ) -> Pair | None:
        """Return the pair whose meeting narrows the differences of all bots most.

        `blocks`: the number of blocks of a meeting. `pending`: the meetings that are being played.
        None if fewer than two bots can play.
        """
        covariance = self._covariance(pending, blocks)
        bots = len(covariance)
        pairs = list(combinations(sorted(playable), 2))
        if not pairs:
            return None
        meetings = _meetings(bots, pairs)
        information = blocks * _slopes(meetings @ self.strengths) / self.scatter
        effects = meetings @ covariance * self.scatter
        spreads = (effects * meetings).sum(axis=1)
        # By so much the sum of variances of all differences falls.
        squares = bots * (effects**2).sum(axis=1) - effects.sum(axis=1) ** 2
        gains = squares * information / (1 + information * spreads)
        return pairs[int(gains.argmax())]

    def _fit(self, bots: int) -> Floats:
        """Return the strengths that are most probable, with bot 0 at 0."""
        strengths = np.zeros(bots)
        for _ in range(STEPS):
            expected = _logistic(self._meetings @ strengths)
            slope = self._meetings.T @ (self._totals - self._blocks * expected)
            slope -= strengths / PRIOR**2
            step = np.zeros(bots)
            step[1:] = np.linalg.solve(self._information(strengths)[1:, 1:], slope[1:])
            # Steps of at most one keep Newton's method from leaving the scale.
            strengths += step / max(1.0, float(np.abs(step).max(initial=0.0)))
            if np.abs(step).max(initial=0.0) < CLOSE:
                break
        return strengths

    def _information(self, strengths: Floats) -> Floats:
        weights = self._blocks * _slopes(self._meetings @ strengths)
        prior = np.eye(len(strengths)) / PRIOR**2
        return np.asarray(self._meetings.T @ (weights[:, None] * self._meetings) + prior)

    def _covariance(self, pending: Iterable[Pair] = (), blocks: int = 0) -> Floats:
        """Return the covariance of strengths if scores vary as much as possible."""
        bots = len(self.strengths)
        information = self._information(self.strengths)
        meetings = _meetings(bots, list(pending))
        weights = blocks * _slopes(meetings @ self.strengths)
        information += meetings.T @ (weights[:, None] * meetings)
        covariance = np.zeros((bots, bots))
        covariance[1:, 1:] = np.linalg.inv(information[1:, 1:])
        return covariance

    def _estimate_scatter(self) -> float:
        """Return the variance of scores in units of the largest possible one, at most 1."""
        expected = _logistic(self._meetings @ self.strengths)
        squares = self._squares - 2 * expected * self._totals + self._blocks * expected**2
        largest = float((self._blocks * expected * (1 - expected)).sum())
        blocks = float(self._blocks.sum())
        lost = blocks / max(blocks - len(self.strengths) + 1, 1.0)
        cautious = CAUTIOUS_BLOCKS / 4
        return min(1.0, (float(squares.sum()) * lost + cautious) / (largest + cautious))


def _meetings(bots: int, pairs: Collection[Pair]) -> Floats:
    """Return a row for each pair, 1 for its first bot and -1 for its second."""
    rows = np.zeros((len(pairs), bots))
    for row, (first, second) in enumerate(pairs):
        rows[row, first], rows[row, second] = 1.0, -1.0
    return rows


def _logistic(strengths: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-strengths)), np.float64)


def _slopes(strengths: Floats) -> Floats:
    expected = _logistic(strengths)
    return expected * (1 - expected)
