"""The joint likelihood of all games and its maximization by Newton's method.

The data and all bootstrap draws are fitted in batches of concave problems.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
from scipy.sparse import csr_array

from cardhub.lab.stats.bootstrap import block_weights, weight_shapes
from cardhub.lab.stats.ratings.parameters import (
    IN_ESTIMATE,
    ParameterIndex,
    PseudoGames,
    parameter_index,
    pseudo_games,
)
from cardhub.lab.stats.ratings.plackett_luce import Term, stages
from cardhub.lab.stats.ratings.tabulation import FinishTable, Pattern
from cardhub.lab.stats.types import Floats, Ints, Pair, generator

# The number of blocks of the prior, in which all games end alike.
PRIOR_BLOCKS = 1.0
# The variance below which all games count as equal.
TOLERANCE = 1e-9


def design_effect(table: FinishTable) -> float:
    """Return the design effect of pair scores, from 1 to the mean number of games per block.

    Without any variance of games it is the latter.
    """
    games, scores, squares = _by_pair_and_kind(table)
    if not len(games):
        return 1.0
    is_met = games > 0
    blocks, total = is_met @ table.copies, games @ table.copies
    means, size = scores @ table.copies / total, total / blocks
    by_block = np.where(is_met, scores / np.where(is_met, games, 1), means[:, None])
    between = float(size @ ((by_block - means[:, None]) ** 2 @ table.copies))
    variances = squares @ table.copies / total - means**2
    largest = float(total.sum() / blocks.sum())
    expected = float(variances @ (blocks - 1))
    prior = PRIOR_BLOCKS * float(variances.mean())
    if expected + prior < TOLERANCE:
        return largest
    return float(np.clip((between + prior * largest) / (expected + prior), 1, largest))


def _by_pair_and_kind(table: FinishTable) -> tuple[Floats, Floats, Floats]:
    # Numbers of games, sums of scores and of their squares, pairs x kinds of block.
    pairs: dict[Pair, int] = {}
    rows, columns, values = [], [], []
    for number, pattern in enumerate(table.patterns):
        for pair, score in _pair_scores(pattern):
            rows.append(pairs.setdefault(pair, len(pairs)))
            columns.append(number)
            values.append(score)
    shape = (len(pairs), len(table.patterns))
    sums = [
        (csr_array((part, (rows, columns)), shape=shape) @ table.counts).toarray()
        for part in (np.ones(len(values)), np.asarray(values), np.square(values))
    ]
    return sums[0], sums[1], sums[2]


def _pair_scores(pattern: Pattern) -> Iterator[tuple[Pair, float]]:
    groups = np.repeat(np.arange(len(pattern.sizes)), pattern.sizes).tolist()
    for (one, group), (other, other_group) in combinations(
        zip(pattern.bots, groups, strict=True), 2
    ):
        if one != other:
            ahead = 0.5 if group == other_group else 1.0
            yield (min(one, other), max(one, other)), ahead if one < other else 1 - ahead


# The tolerances of the estimate and of bootstrap draws, in log strength: sampling errors are far
# larger than CLOSE.
EXACT = 1e-12
CLOSE = 1e-6
# The largest number of floats in a batch of draws (4 MB), and the smallest batch.
NUMBERS = 500_000
FEWEST_DRAWS = 16


@dataclass(frozen=True)
class Likelihood:
    """The penalized likelihood of a table of games as a function of block weights."""

    index: ParameterIndex
    terms: list[Term]
    counts: list[csr_array]
    pseudo_games: PseudoGames
    shapes: Floats
    copies: Floats

    def estimate(self) -> Floats:
        """Return the maximum-likelihood parameters as a column."""
        shares = IN_ESTIMATE * self.pseudo_games.size * self.pseudo_games.shares[:, None]
        weights = self._pattern_weights(self.copies[:, None], shares)
        return self._maximum(np.zeros((self.index.size, 1)), weights, EXACT)

    def draws(self, estimate: Floats, draws: int, seed: int) -> Floats:
        """Return the maximum-likelihood parameters for random block weights, parameters x draws.

        All draws start at the estimate, which is close to each maximum.
        """
        rng = generator(seed)
        fits = [np.zeros((self.index.size, 0))]
        for size in self._batch_sizes(draws):
            blocks = block_weights(self.shapes, self.copies, size, rng)
            weights = self._pattern_weights(blocks, self.pseudo_games.weights(size, rng))
            fits.append(self._maximum(np.repeat(estimate, size, axis=1), weights, CLOSE))
        return np.hstack(fits)

    def _batch_sizes(self, draws: int) -> Iterator[int]:
        # Sizes must not depend on the machine: they set the order in which the rng is read.
        work = max(len(self.copies), *(term.work for term in [*self.terms, self.pseudo_games.term]))
        batch = max(FEWEST_DRAWS, NUMBERS // work)
        for first in range(0, draws, batch):
            yield min(batch, draws - first)

    def _pattern_weights(self, blocks: Floats, pseudo_games: Floats) -> list[Floats]:
        return [*(counts @ blocks for counts in self.counts), pseudo_games]

    def _maximum(self, start: Floats, weights: list[Floats], tolerance: float) -> Floats:
        terms, size = [*self.terms, self.pseudo_games.term], self.index.size
        prior = self.index.prior

        def evaluate(points: Floats, active: Ints) -> tuple[Floats, Floats, Floats]:
            gradient = -prior @ points
            value = np.einsum("pd,pd->d", points, gradient) / 2
            bend = np.repeat(prior[:, :, None], len(active), axis=2)
            for term, weight in zip(terms, weights, strict=True):
                part = term.evaluate(points, weight[:, active])
                value = value + part.value
                gradient = gradient + part.gradient
                bend += part.curvature.reshape(size, size, -1)
            return value, gradient, np.ascontiguousarray(bend.transpose(2, 0, 1))

        return maximise(evaluate, start, tolerance)


def likelihood_of(
    table: FinishTable, bots: tuple[int, ...], met: dict[int, set[int]]
) -> Likelihood:
    """Return the likelihood of games among some bots; the first bot has strength 0.

    `met` are the opponents of each bot.
    """
    index = parameter_index(table.patterns, bots)
    order = sorted(range(len(table.patterns)), key=lambda row: table.patterns[row].sizes)
    terms, counts = [], []
    # Patterns with equal group sizes share their stages, and are evaluated as one array.
    for sizes, rows in groupby(order, lambda row: table.patterns[row].sizes):
        these = list(rows)
        slots = index.slots(table.patterns[row] for row in these)
        terms.append(Term(stages(sizes, index.ties), slots, index.size))
        counts.append(table.counts[these])
    shapes = weight_shapes(bots_of_blocks(table), table.copies)
    pseudo = pseudo_games(index, met, design_effect(table))
    return Likelihood(index, terms, counts, pseudo, shapes, table.copies)


def bots_of_blocks(table: FinishTable) -> list[set[int]]:
    """Return the set of bots in each kind of block."""
    bots: list[set[int]] = [set() for _ in table.copies]
    for row, block in zip(*table.counts.nonzero(), strict=True):
        bots[block].update(table.patterns[row].bots)
    return bots


# A callback: takes points (parameters x problems) and the indices of the problems; returns values,
# gradients (parameters x problems) and negative Hessians (problems x parameters x parameters).
Evaluate = Callable[[Floats, Ints], tuple[Floats, Floats, Floats]]

ROUNDS = 60
HALVINGS = 30
# The largest change of a parameter in one step: where nearly all games are won, the likelihood is
# almost flat, and a full step would leave the region in which its quadratic model holds.
LARGEST_ACTION = 4.0


def maximise(evaluate: Evaluate, start: Floats, tolerance: float) -> Floats:
    """Return the maximum of each problem, starting from its column of `start`.

    A problem has converged after a full step shorter than the square root of `tolerance`: by
    quadratic convergence, the remaining error is about `tolerance`.
    """
    points = start.copy()
    active: Ints = np.arange(points.shape[1])
    if not points.shape[0]:
        return points
    values, slopes, bends = evaluate(points, active)
    for _ in range(ROUNDS):
        # The likelihood is concave and the priors strictly so: negative Hessians are invertible.
        solved = np.linalg.solve(bends, slopes.T[:, :, None])
        newton = np.asarray(solved[:, :, 0].T, dtype=np.float64)
        lengths = np.abs(newton).max(axis=0)
        steps: Floats = np.divide(newton, np.maximum(1, lengths / LARGEST_ACTION))
        there = _Climb(evaluate, points[:, active], steps, values, active)
        points[:, active] = there.points
        going = lengths > tolerance**0.5
        active = active[going]
        if not len(active):
            break
        values = there.values[going]
        slopes, bends = there.slopes[:, going], there.bends[going]
    return points


class _Climb:
    """One Newton step of all problems, with step halving if the value would decrease."""

    def __init__(
        self, evaluate: Evaluate, points: Floats, steps: Floats, before: Floats, active: Ints
    ) -> None:
        self.points = points + steps
        self.values, self.slopes, self.bends = evaluate(self.points, active)
        # Close to the maximum values differ by less than rounding errors: without slack the step
        # would be halved in vain.
        slack = 1e-10 * (1 + np.abs(before))
        for halving in range(1, HALVINGS):
            lower = np.flatnonzero(self.values < before - slack)
            if not len(lower):
                return
            self.points[:, lower] = points[:, lower] + steps[:, lower] / 2**halving
            values, slopes, bends = evaluate(self.points[:, lower], active[lower])
            self.values[lower], self.slopes[:, lower], self.bends[lower] = values, slopes, bends
