"""What the results of games teach in a training: the goal, and with many seats the margins."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from cardhub.learning.adapters.utilities import GOAL, SCORES
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring, returns

Floats = NDArray[np.float32]

# The weight of margins in rewards, in deviations; that of the win is 1.
MARGIN_WEIGHT = 1.5
# The least variance of a scale, by which numbers can still be divided.
LEAST = 1e-12


@dataclass(slots=True)
class UtilityScale:
    """The mean and the deviation of the utilities of all finished games.

    The critic learns utilities on this scale, because games count points, chips or wins.
    """

    count: float = 0.0
    total: float = 0.0
    squares: float = 0.0

    def add(self, utilities: NDArray[np.float64]) -> None:
        """Count the utilities of the seats of games."""
        self.count += utilities.size
        self.total += float(utilities.sum())
        self.squares += float((utilities**2).sum())

    @property
    def mean(self) -> float:
        """The mean utility."""
        return self.total / max(self.count, 1)

    @property
    def deviation(self) -> float:
        """The standard deviation of utilities."""
        return sqrt(max(self.squares / max(self.count, 1) - self.mean**2, LEAST))

    def scaled(self, utilities: NDArray[np.float64]) -> Floats:
        """Return utilities with mean 0 and deviation 1."""
        scaled: Floats = ((utilities - self.mean) / self.deviation).astype(np.float32)
        return scaled


class Rewards:
    """The rewards of finished games: utilities and margins with mean 0 and deviation 1.

    With more than two parties most games are lost, by good players too. So if the win is the goal,
    the difference from the mean score is a part of the reward.
    """

    def __init__(self, scoring: Scoring) -> None:
        self._scoring = scoring
        self.utilities, self.margins = UtilityScale(), UtilityScale()
        self.has_margins = scoring.goal is Goal.WIN and len({*scoring.teams}) > 2
        """Whether margins count."""

    @property
    def results(self) -> str:
        """The kind of results that the tables have to give: utilities of the goal, or scores."""
        return SCORES if self.has_margins else GOAL

    def add(self, results: NDArray[np.float64]) -> Floats:
        """Count the results of games, and return their rewards by game and seat."""
        self.count(results)
        return self.of(results)

    def count(self, results: NDArray[np.float64]) -> None:
        """Count the results of games, from which the scale of rewards follows."""
        self.utilities.add(self._utilities(results))
        if self.has_margins:
            self.margins.add(_margins(results))

    def of(self, results: NDArray[np.float64]) -> Floats:
        """Return the rewards of games by game and seat, on the present scale."""
        by_goal = self.utilities.scaled(self._utilities(results))
        if not self.has_margins:
            return by_goal
        by_margin = MARGIN_WEIGHT * self.margins.scaled(_margins(results))
        rewards: Floats = ((by_goal + by_margin) / (1 + MARGIN_WEIGHT)).astype(np.float32)
        return rewards

    def _utilities(self, results: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.has_margins:
            return results
        goal, teams = self._scoring.goal, self._scoring.teams
        # The greatest score wins: tables negate scores if the lowest wins.
        rows = results.astype(int).tolist()
        return np.array([returns(row, goal=goal, teams=teams) for row in rows])

    @property
    def point(self) -> float:
        """What a point more than the mean of the seats counts in rewards, 0 if margins do not."""
        if not (self.has_margins and self.margins.count):
            return 0.0
        sign = -1 if self._scoring.lowest_wins else 1
        return sign * MARGIN_WEIGHT / (1 + MARGIN_WEIGHT) / self.margins.deviation

    def restore(self, utilities: Sequence[float], margins: Sequence[float]) -> None:
        """Go on from the scales of an earlier training."""
        self.utilities, self.margins = UtilityScale(*utilities), UtilityScale(*margins)


def _margins(results: NDArray[np.float64]) -> NDArray[np.float64]:
    margins: NDArray[np.float64] = results - results.mean(axis=1, keepdims=True)
    return margins
