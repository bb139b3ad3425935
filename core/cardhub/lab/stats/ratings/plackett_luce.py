"""The Plackett-Luce log-likelihood of rankings with ties, its gradient and its curvature.

Davidson-Luce ties (Firth, Kosmidis and Turner 2019, Davidson-Luce model for multi-item choice with
ties): each stage chooses a set of tied players among those left. A set of size s has the weight
delta_s times the geometric mean of its members' strengths, with delta_1 = 1; for two players this
is Davidson's model (1970).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from cardhub.lab.stats.types import Floats, Ints

# The slot of a fixed log strength of 0, for example of the first bot.
NO_PARAMETER = -1


class Stage(NamedTuple):
    """One stage of a ranking: the feature row of each possible set, and the observed set."""

    sets: Floats
    chosen: int


class Evaluated(NamedTuple):
    """Log-likelihood (draws), gradient (parameters x draws), curvature (parameters^2 x draws)."""

    value: Floats
    gradient: Floats
    curvature: Floats


def stages(sizes: Sequence[int], tie_sizes: Sequence[int]) -> list[Stage]:
    """Return the stages of a ranking with groups of these sizes.

    Columns are the players in finishing order, then the log deltas of `tie_sizes`.
    """
    players, first, ranking = sum(sizes), 0, []
    for size in sizes:
        unplaced = range(first, players)
        allowed = [1, *(tie for tie in tie_sizes if tie <= len(unplaced))]
        sets = [members for tie in allowed for members in combinations(unplaced, tie)]
        if len(sets) > 1:
            rows = np.asarray([_coefficients(members, players, tie_sizes) for members in sets])
            ranking.append(Stage(rows, sets.index(tuple(range(first, first + size)))))
        first += size
    return ranking


def _coefficients(members: Sequence[int], players: int, tie_sizes: Sequence[int]) -> list[float]:
    strengths = [1 / len(members) if player in members else 0 for player in range(players)]
    return strengths + [float(tie == len(members)) for tie in tie_sizes]


class Term:
    """The likelihood of all patterns with the same group sizes.

    `slots` are the parameter indices of the columns of its stages, or NO_PARAMETER, for each
    pattern. The shape is patterns x columns x 2, because a column may have two parameters (a bot's
    and a seat's).
    """

    def __init__(self, choices: list[Stage], slots: Ints, parameters: int) -> None:
        self._choices = choices
        self.patterns: int = slots.shape[0]
        self._columns: int = slots.shape[1]
        self._pairs = np.triu_indices(self._columns)
        by_column = np.swapaxes(slots, 0, 1)
        self._design_matrix = _design_matrix(by_column, parameters)
        self._covariance_matrix = _covariance_matrix(by_column, parameters, self._pairs)

    @property
    def work(self) -> int:
        """The number of floats that the widest stage needs per draw."""
        widest = max((len(stage.sets) for stage in self._choices), default=1)
        return self.patterns * max(widest, len(self._pairs[0]))

    def evaluate(self, parameters: Floats, weights: Floats) -> Evaluated:
        """Return the weighted log-likelihood and its derivatives; `weights` is patterns x draws."""
        draws = parameters.shape[1]
        cells, flat_weights = self.patterns * draws, weights.reshape(-1)
        strengths = (self._design_matrix @ parameters).reshape(self._columns, cells)
        value = np.zeros(cells)
        slope = np.zeros((self._columns, cells))
        bend = np.zeros((len(self._pairs[0]), cells))
        for stage in self._choices:
            self._add(stage, strengths, value, slope, bend)
        return Evaluated(
            (value * flat_weights).reshape(self.patterns, draws).sum(axis=0),
            self._design_matrix.T @ (slope * flat_weights).reshape(-1, draws),
            self._covariance_matrix @ (bend * flat_weights).reshape(-1, draws),
        )

    def _add(
        self, stage: Stage, strengths: Floats, value: Floats, slope: Floats, bend: Floats
    ) -> None:
        # Log weights of sets are linear in the log strengths and log deltas inside one log-sum-exp:
        # the log-likelihood is concave, its gradient is observed minus expected features, and its
        # negative Hessian the covariance of the features (an exponential family).
        one, other = self._pairs
        logs = stage.sets @ strengths
        logs -= logs.max(axis=0)
        chances = np.exp(logs)
        total = chances.sum(axis=0)
        chances /= total
        value += logs[stage.chosen] - np.log(total)
        mean = stage.sets.T @ chances
        slope += stage.sets[stage.chosen][:, None] - mean
        bend += (stage.sets[:, one] * stage.sets[:, other]).T @ chances
        bend -= mean[one] * mean[other]


def _design_matrix(slots: Ints, parameters: int) -> csr_array:
    rows, used = np.nonzero(slots.reshape(-1, 2) != NO_PARAMETER)
    columns = slots.reshape(-1, 2)[rows, used]
    shape = (slots.shape[0] * slots.shape[1], parameters)
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def _covariance_matrix(slots: Ints, parameters: int, pairs: tuple[Ints, ...]) -> csr_array:
    one, other = slots[pairs[0]], slots[pairs[1]]  # pairs x patterns x 2
    number = np.arange(one.shape[0] * one.shape[1])
    # A column's strength is the sum of up to two parameters, so a covariance of columns adds to up
    # to four covariances of parameters. Only pairs with one <= other are computed: the others
    # are their mirror images.
    rows, columns = [], []
    for first, second in ((0, 0), (0, 1), (1, 0), (1, 1)):
        left, right = one[:, :, first].ravel(), other[:, :, second].ravel()
        both = (left != NO_PARAMETER) & (right != NO_PARAMETER)
        is_off = np.repeat(pairs[0] != pairs[1], one.shape[1]) & both
        rows += [(left * parameters + right)[both], (right * parameters + left)[is_off]]
        columns += [number[both], number[is_off]]
    at = np.concatenate(rows), np.concatenate(columns)
    return csr_array((np.ones(len(at[0])), at), shape=(parameters**2, len(number)))


def pair_slope(players: int, deltas: Mapping[int, Floats]) -> Floats:
    """Return the derivative of a player's expected pair score by its log strength.

    At equal strengths, with a win counted 1 and a tie 1/2. It is 1/4 without ties, for any number
    of players.
    """
    # Recursion over the players that are left, from 2 on. The slope of the log probability of a set
    # of size s that contains the player is 1/s - 1/left, of any other set -1/left.
    slopes: dict[int, Floats] = {}
    for left in range(2, players + 1):
        weights = {1: np.ones(()), **{s: delta for s, delta in deltas.items() if s <= left}}
        total, slope = np.zeros(()), np.zeros(())
        for size, weight in weights.items():
            total = total + comb(left, size) * weight
            slope = slope + weight * _slope_of(left, size, slopes)
        slopes[left] = slope / total
    return slopes[players]


def _slope_of(left: int, size: int, slopes: Mapping[int, Floats]) -> Floats:
    # The chosen set contains the player alone, both players of the pair, or neither: then the pair
    # is decided at a later stage.
    pull = 1 / size - 1 / left
    alone = np.asarray(comb(left - 2, size - 1) * pull)
    both = comb(left - 2, size - 2) / 2 * pull if size > 1 else 0
    if size > left - 2:
        return alone + both
    return alone + both + comb(left - 2, size) * (slopes[left - size] - 1 / (2 * left))
