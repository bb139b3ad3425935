"""Empirical game theory: Nash equilibria, pairwise payoffs with their cycles, and alpha-rank.

Nash averaging (Balduzzi et al. 2018, Re-evaluating Evaluation) uses the maximum-entropy equilibrium
because it is unique and does not depend on the order of rows. A duplicate of a column changes only
the share of its original.

Alpha-rank is the stationary distribution of an evolutionary process in which rare mutants invade
monomorphic populations (Omidshafiei et al. 2019, alpha-Rank: Multi-Agent Evaluation by Evolution).
Weak selection gives a uniform distribution, strong selection concentrates on bots that cannot be
invaded. The result is a sweep over the selection strength alpha; the masses at its end give the
ranking.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from cardhub.lab.estimate import Estimate
from cardhub.lab.stats.bootstrap import block_weights, intervals, ranks_of, weight_shapes
from cardhub.lab.stats.significance import sign_flip
from cardhub.lab.stats.types import Floats, Ints, Pair, PlayedGame, generator

# Weights and dual prices below it count as 0: HiGHS solves to about 1e-9.
TRACE = 1e-9
# Payoffs, scaled to [0, 1], within this distance count as equal.
LOOSE = 1e-6
# The status of scipy's linprog for an optimal solution.
OPTIMAL = 0


class Equilibrium(NamedTuple):
    """The mixed strategies of the maximizing row player and the minimizing column player.

    `gap` is the exploitability of the pair, 0 up to rounding.
    """

    rows: Floats
    columns: Floats
    value: float
    gap: float


def max_entropy_nash(payoffs: Floats) -> Equilibrium:
    """Return the equilibrium in which both strategies have maximum entropy."""
    columns = minimiser(payoffs)
    rows = minimiser(-payoffs.T)
    worst, best = float((rows @ payoffs).min()), float((payoffs @ columns).max())
    return Equilibrium(rows, columns, (worst + best) / 2, best - worst)


def minimiser(payoffs: Floats) -> Floats:
    """Return the minimax mixture of columns; of several, the one with maximum entropy."""
    if not payoffs.size or not np.isfinite(payoffs).all():
        raise ValueError(
            f"invalid payoffs of shape {payoffs.shape}: a game has finite payoffs, at least one"
        )
    # Resampled games of few bots are many, and seldom need a linear program.
    if payoffs.shape[1] > 1 and np.ptp(payoffs) > 0:
        quick = _saddle_column(_scaled(payoffs))
        quick = _circle_of_three(payoffs) if quick is None else quick
        if quick is not None:
            return quick
    # Duplicates are merged before and share their weight evenly afterwards: entropy over copies
    # would otherwise favour a bot for having clones.
    rows = np.unique(payoffs, axis=0)
    distinct, original = np.unique(rows, axis=1, return_inverse=True)
    shares = _minimax(distinct)
    original = original.reshape(-1)
    return shares[original] / np.bincount(original)[original]


def _minimax(payoffs: Floats) -> Floats:
    if payoffs.shape[1] == 1:
        return np.ones(1)
    scaled = _scaled(payoffs)
    if scaled.shape[1] == 2:
        return _mixture_of_two(scaled)
    # The optimal mixtures form a face of the simplex. If it is a single vertex, it is the solution
    # of the linear program; else that may be any vertex, and entropy has to choose.
    face = _optimal_face(scaled)
    equations = np.vstack([face.tight, np.ones(len(face.kept))])
    if np.linalg.matrix_rank(equations, tol=LOOSE) == len(face.kept):
        return face.vertex
    return _maximum_entropy(scaled, face)


def _scaled(payoffs: Floats) -> Floats:
    """Return payoffs from 0 to 1."""
    scaled: Floats = (payoffs - payoffs.min()) / np.ptp(payoffs)
    return scaled


def _saddle_column(payoffs: Floats) -> Floats | None:
    # Every other column is worse against the row of the saddle point, which proves uniqueness.
    lowest = np.partition(payoffs, 1, axis=1)[:, :2]
    is_clear = lowest[:, 1] - lowest[:, 0] > LOOSE
    is_low = payoffs == lowest[:, :1]
    saddles = (payoffs == payoffs.max(axis=0)) & is_low & is_clear[:, None]
    columns = np.flatnonzero(saddles.any(axis=0))
    return np.eye(payoffs.shape[1])[columns[0]] if len(columns) else None


def _circle_of_three(payoffs: Floats) -> Floats | None:
    """Return the only equilibrium of three bots each of which beats the next, else None."""
    if payoffs.shape != (3, 3) or not np.array_equal(payoffs, -payoffs.T):
        return None
    margins = np.asarray([payoffs[1, 2], payoffs[2, 0], payoffs[0, 1]])
    is_circle = np.ptp(np.sign(margins)) == 0
    sizes = np.abs(margins)
    return sizes / sizes.sum() if is_circle and sizes.min() > LOOSE * sizes.max() else None


def _mixture_of_two(payoffs: Floats) -> Floats:
    """Return the optimal mixture of two columns; of several, the one closest to even."""
    first, second = payoffs.T
    slopes = first - second
    # The optimal weights of the first column are an interval. Its ends are 0, 1, or a weight at
    # which two rows pay the same.
    row, other = np.triu_indices(len(payoffs), 1)
    turns = slopes[row] - slopes[other]
    crossing = turns != 0
    weights = (second[other] - second[row])[crossing] / turns[crossing]
    weights = np.append(weights[(weights > 0) & (weights < 1)], [0.0, 1.0])
    highest = (np.outer(weights, slopes) + second).max(axis=1)
    best = weights[highest <= highest.min() + TRACE]
    weight = float(np.clip(0.5, best.min(), best.max()))
    return np.asarray([weight, 1 - weight])


class _Face(NamedTuple):
    """The face of optimal mixtures: its support, its tight constraints, one vertex, the value."""

    kept: Ints
    tight: Floats
    vertex: Floats
    value: float


def _optimal_face(payoffs: Floats) -> _Face:
    from scipy.optimize import linprog  # late: it is slow to import

    # Variables: the mixture and the value v. Minimize v, subject to payoffs @ mixture <= v.
    rows, columns = payoffs.shape
    solution = linprog(
        np.append(np.zeros(columns), 1.0),
        A_ub=np.hstack([payoffs, -np.ones((rows, 1))]),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None],
        b_eq=np.ones(1),
        bounds=[(0, None)] * columns + [(None, None)],
        method="highs-ds",
    )
    variables = _checked(solution.status, solution.x)
    mixture = _normalized(variables[:-1])
    # Complementary slackness: a column with a positive reduced cost has weight 0 in every optimal
    # mixture, and a row with a positive price is tight in every one.
    usable = (mixture > TRACE) | (solution.lower.marginals[:-1] < TRACE)
    must = np.abs(solution.ineqlin.marginals) > TRACE
    kept = np.flatnonzero(usable)
    return _Face(kept, payoffs[must][:, kept], mixture, float(variables[-1]))


def _maximum_entropy(payoffs: Floats, face: _Face) -> Floats:
    from scipy.optimize import minimize  # late: it is slow to import

    # The dual problem is smooth, has a closed-form gradient, and one variable per row. Prices of
    # rows that are tight on the whole face may have either sign: those are equations.
    inside, slack = _relative_interior(payoffs[:, face.kept], face.value)
    used = np.flatnonzero(inside > 0)
    excess = payoffs[:, face.kept[used]] - face.value
    bounds = [(0, None) if loose else (None, None) for loose in slack]

    def dual(prices: Floats) -> tuple[float, Floats]:
        logs = -prices @ excess
        top = float(logs.max())
        weights = np.exp(logs - top)
        return top + float(np.log(weights.sum())), -excess @ (weights / weights.sum())

    optimum = minimize(
        dual,
        np.zeros(len(payoffs)),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": 5000, "maxfun": 20000, "ftol": 0.0, "gtol": 1e-11},
    )
    logs = -optimum.x @ excess
    mixture = _normalized(np.exp(logs - logs.max()))
    if float((excess @ mixture).max()) > LOOSE:
        # The dual did not converge: fall back to an optimal mixture with lower entropy.
        mixture = _normalized(inside[used])
    whole: Floats = np.zeros(payoffs.shape[1])
    whole[face.kept[used]] = mixture
    return whole


def _relative_interior(payoffs: Floats, value: float) -> tuple[Floats, NDArray[np.bool_]]:
    from scipy.optimize import linprog  # late: it is slow to import

    # The program maximizes the number of columns and slacks at 1 in the cone over the face. Columns
    # that are 0 on the whole face have to go: maximum entropy is reached in the relative interior.
    rows, columns = payoffs.shape
    eye, none = np.eye(columns), np.zeros((columns, rows))
    excess = payoffs - value
    solution = linprog(
        np.concatenate([np.zeros(columns), -np.ones(columns + rows)]),
        A_ub=np.vstack(
            [
                np.hstack([excess, np.zeros((rows, columns)), np.eye(rows)]),
                np.hstack([-eye, eye, none]),
            ]
        ),
        b_ub=np.zeros(rows + columns),
        bounds=[(0, None)] * columns + [(0, 1)] * (columns + rows),
        method="highs-ds",
    )
    variables = _checked(solution.status, solution.x)
    weights: Floats = np.where(variables[columns : 2 * columns] > 0.5, variables[:columns], 0.0)
    return weights, variables[2 * columns :] > 0.5


def _checked(status: int, solution: Floats | None) -> Floats:
    if status != OPTIMAL or solution is None:
        raise ArithmeticError(f"linear program not solved: linprog status {status}")
    return solution


def _normalized(weights: Floats) -> Floats:
    clean = np.where(weights > TRACE, weights, 0.0)
    return np.asarray(clean / clean.sum(), dtype=np.float64)


# The number of weights that are drawn at a time: 8 MB.
NUMBERS = 1_000_000
# The mean weight of a pseudo-win and a pseudo-loss of each pair in bootstrap draws (Jeffreys).
PSEUDO_COUNT = 0.5


def pair_scores(games: Iterable[PlayedGame]) -> dict[Pair, dict[int, float]]:
    """Return for each pair (a, b) with a < b the score of a against b in each common block.

    The block score is the mean over the games of the block and over all pairs of their seats: 1 for
    the better place, 1/2 for a tie. All pairwise statistics use it.
    """
    sums: dict[tuple[int, int, int], float] = defaultdict(float)
    counts: dict[tuple[int, int, int], int] = defaultdict(int)
    for game in games:
        seats = combinations(zip(game.entrants, game.places, strict=True), 2)
        for (one, place), (other, other_place) in seats:
            if one != other:
                score = 0.5 if place == other_place else float(place < other_place)
                key = (min(one, other), max(one, other), game.block)
                sums[key] += score if one < other else 1 - score
                counts[key] += 1
    by_pair: dict[Pair, dict[int, float]] = defaultdict(dict)
    for (one, other, block), total in sorted(sums.items()):
        by_pair[one, other][block] = total / counts[one, other, block]
    return dict(by_pair)


@dataclass(frozen=True)
class Payoffs:
    """The block scores of every pair of bots that met; rows of `pairs` are (a, b) with a < b.

    `scores` and `met` are sparse matrices, blocks x pairs; `met` is 1 where both bots of the pair
    play the block.
    """

    bots: int
    pairs: Ints
    scores: csr_array
    met: csr_array

    @property
    def blocks(self) -> Floats:
        """The number of blocks of each pair."""
        return np.asarray(self.met.sum(axis=0), dtype=np.float64)

    @property
    def means(self) -> Floats:
        """The mean score of each pair."""
        return np.asarray(self.scores.sum(axis=0) / self.blocks, dtype=np.float64)

    def of_pair(self, number: int) -> Floats:
        """Return the block scores of one pair."""
        met = self.met[:, [number]].toarray()[:, 0] > 0
        return np.asarray(self.scores[:, [number]].toarray()[:, 0][met], dtype=np.float64)

    def advantages(self, means: Floats | None = None) -> Floats:
        """Return the antisymmetric matrix of mean scores - 1/2; 0 for pairs that never met.

        If `means` is draws x pairs, the result is draws x bots x bots.
        """
        known = self.means if means is None else means
        matrix = np.zeros((*known.shape[:-1], self.bots, self.bots))
        one, other = self.pairs.T
        matrix[..., one, other] = known - 0.5
        matrix[..., other, one] = 0.5 - known
        return matrix

    def draw_means(self, draws: int, seed: int) -> Floats:
        """Return bootstrap draws of the mean scores, draws x pairs."""
        return self._drawn(draws, seed, PSEUDO_COUNT)

    def draw_differences(self, draws: int, seed: int) -> Floats:
        """Return bootstrap draws of the means of `scores` that are differences in points."""
        # A pseudo-win has no size in points: means vary only as much as blocks do.
        return self._drawn(draws, seed, 0.0)

    def _drawn(self, draws: int, seed: int, pseudo: float) -> Floats:
        rng = generator(seed)
        copies = np.ones(self.met.shape[0])
        shapes = weight_shapes(self._pairs_of_blocks(), copies)
        size = max(1, NUMBERS // max(1, len(shapes)))
        parts = [np.zeros((0, len(self.pairs)))]
        for first in range(0, draws, size):
            weights = block_weights(shapes, copies, min(size, draws - first), rng)
            parts.append(self._weighted_means(weights, rng, pseudo))
        return np.vstack(parts)

    def _weighted_means(self, weights: Floats, rng: np.random.Generator, pseudo: float) -> Floats:
        # A pseudo-win and a pseudo-loss of random weight: draws vary even if all blocks are equal.
        size = (len(self.pairs), weights.shape[1])
        wins, losses = rng.gamma(pseudo, size=size), rng.gamma(pseudo, size=size)
        total = self.met.T @ weights + wins + losses
        return np.asarray(((self.scores.T @ weights + wins) / total).T, dtype=np.float64)

    def _pairs_of_blocks(self) -> list[set[int]]:
        pairs_of: list[set[int]] = [set() for _ in range(self.met.shape[0])]
        for block, pair in zip(*self.met.nonzero(), strict=True):
            pairs_of[block].add(int(pair))
        return pairs_of


def payoffs_of(games: Iterable[PlayedGame], bots: int) -> Payoffs:
    """Return the payoffs among bots 0 to `bots` - 1."""
    scores_of = pair_scores(games)
    return payoffs_of_scores(
        {pair: (list(blocks), list(blocks.values())) for pair, blocks in scores_of.items()}, bots
    )


def payoffs_of_scores(
    scores: Mapping[Pair, tuple[Sequence[int] | Ints, Sequence[float] | Floats]], bots: int
) -> Payoffs:
    """Return the payoffs among bots 0 to `bots` - 1 from the blocks and scores of every pair.

    The pairs are (a, b) with a < b. Blocks with equal numbers are the same block in all pairs.
    """
    pairs = np.asarray(list(scores), dtype=np.int64).reshape(-1, 2)
    if len(pairs) and int(pairs.max()) >= bots:
        raise ValueError(f"unknown bot {int(pairs.max())}: bots are numbered 0 to {bots - 1}")
    blocks = np.concatenate([np.zeros(0, np.int64), *(np.asarray(of[0]) for of in scores.values())])
    values = np.concatenate([np.zeros(0), *(np.asarray(of[1]) for of in scores.values())])
    columns = np.repeat(np.arange(len(pairs)), [len(of[0]) for of in scores.values()])
    known, rows = np.unique(blocks, return_inverse=True)
    at, shape = (rows.tolist(), columns.tolist()), (len(known), len(pairs))
    scores_matrix = csr_array((values.tolist(), at), shape=shape, dtype=np.float64)
    return Payoffs(bots, pairs, scores_matrix, csr_array((np.ones(len(values)), at), shape=shape))


class Cycles(NamedTuple):
    """3-cycles, in which each bot beats the next: the number of apparent and the certified ones.

    Apparent cycles follow from the mean scores. `limit` is the corrected significance level of an
    edge.
    """

    apparent: int
    certified: tuple[tuple[int, int, int], ...]
    limit: float


class Mixture(NamedTuple):
    """The share of each bot in the equilibrium mixture; `gap` is the solver's error."""

    shares: tuple[Estimate, ...]
    gap: float


def cyclic_share(payoffs: Payoffs) -> tuple[float, float] | None:
    """Return the share of the log-odds that no rating explains, and its mean under noise alone.

    It is the cyclic part of the Hodge decomposition: residual / total squares. None if the
    pairs that met form no cycle, or if all are even.
    """
    pairs, blocks = payoffs.pairs, payoffs.blocks
    if not len(pairs):
        return None
    # Combinatorial Hodge theory (Jiang, Lim, Yao and Ye 2011): log-odds are a flow on the graph of
    # pairs. Its gradient part are differences of ratings (Bradley-Terry); the rest is cyclic.
    flow = np.zeros((len(pairs), payoffs.bots))
    flow[np.arange(len(pairs)), pairs[:, 0]] = 1
    flow[np.arange(len(pairs)), pairs[:, 1]] = -1
    residual = np.eye(len(pairs)) - flow @ np.linalg.pinv(flow)
    # Half a win and half a loss more keep log-odds finite.
    smooth = (blocks * payoffs.means + 0.5) / (blocks + 1)
    odds = np.log(smooth / (1 - smooth))
    total = float(odds @ odds)
    # The trace of the projection is the number of independent cycles.
    if float(np.trace(residual)) < 0.5 or total < 1e-12:
        return None
    # Delta method: d log(p / (1 - p)) = dp / (p (1 - p)).
    noise = _smoothed_variances(payoffs, smooth) / (smooth * (1 - smooth)) ** 2
    circling = max(0.0, float(odds @ residual @ odds))
    return circling / total, min(1.0, float(np.diag(residual) @ noise) / total)


def _smoothed_variances(payoffs: Payoffs, smooth: Floats) -> Floats:
    blocks = payoffs.blocks
    squares = np.asarray(payoffs.scores.multiply(payoffs.scores).sum(axis=0))
    spread = squares - 2 * smooth * blocks * payoffs.means + blocks * smooth**2
    spread += ((1 - smooth) ** 2 + smooth**2) / 2
    return np.asarray(spread / (blocks + 1) ** 2, dtype=np.float64)


def certified_cycles(
    payoffs: Payoffs,
    rng: Random,
    level: float = 0.95,
    p_values: Sequence[float] | None = None,
) -> Cycles:
    """Return the 3-cycles; a cycle is certified if all its edges are significant (Bonferroni).

    The family-wise error rate of certified cycles is at most 1 - `level`. The p-values of the pairs
    are computed by sign-flip tests unless they are given; `rng` is for tests that are sampled.
    """
    # Bonferroni over all pairs, not only those in apparent cycles: those are selected by the data.
    limit = (1 - level) / max(1, len(payoffs.pairs))
    beats = payoffs.advantages() > 0
    apparent = _three_cycles(beats)
    edges = {frozenset(edge) for a, b, c in apparent for edge in ((a, b), (b, c), (c, a))}
    sure = np.zeros_like(beats)
    for number, (one, other) in enumerate(payoffs.pairs.tolist()):
        if frozenset((one, other)) in edges:
            if p_values:
                p_value = p_values[number]
            else:
                tested = sign_flip(payoffs.of_pair(number) - 0.5, rng)
                p_value = 1.0 if tested is None else tested.value
            if p_value <= limit:
                sure[one, other], sure[other, one] = beats[one, other], beats[other, one]
    return Cycles(len(apparent), tuple(_three_cycles(sure)), limit)


def _three_cycles(beats: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    cycles = []
    # Both directions of three bots; each cycle begins with its lowest index, so it is counted once.
    for a, b, c in combinations(range(len(beats)), 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            if beats[x, y] and beats[y, z] and beats[z, x]:
                cycles.append((x, y, z))
    return cycles


def nash_mixture(
    payoffs: Payoffs, *, draws: int = 200, seed: int = 0, level: float = 0.95
) -> Mixture:
    """Return the maximum-entropy equilibrium of the bot-versus-bot game, with intervals.

    Pairs that never met count as even.
    """
    solved = max_entropy_nash(payoffs.advantages())
    drawn = payoffs.advantages(payoffs.draw_means(draws, seed))
    shares = np.asarray([minimiser(-matrix.T) for matrix in drawn])  # the rows' strategies
    return Mixture(intervals(solved.rows, shares, level), solved.gap)


POPULATION = 50
# The number of alphas of the sweep, and the first of them.
STEPS = 25
WEAKEST = 0.1
# The -log of the smallest fixation probability at the end of the sweep. exp(-300) is still a normal
# float; the stationary distribution hardly changes for stronger selection.
FAINTEST = 300.0


class AlphaRank(NamedTuple):
    """The sweep (alphas, and masses as alphas x bots) and its final masses, with intervals.

    `is_settled` is whether the order of bots is constant over the last fifth of the sweep.
    """

    alphas: Floats
    masses: Floats
    final: tuple[Estimate, ...]
    is_settled: bool


def alpha_rank(
    payoffs: Payoffs, *, draws: int = 200, seed: int = 0, level: float = 0.95
) -> AlphaRank:
    """Return the sweep for pairwise payoffs; pairs that never met count as even."""
    matrix = payoffs.advantages()
    most = float(np.abs(matrix).max(initial=0.0)) or 1.0
    alphas = np.geomspace(WEAKEST, max(WEAKEST * 10, FAINTEST / (POPULATION * most)), STEPS)
    masses = stationary(takeovers(matrix, alphas[:, None, None]))
    drawn = payoffs.advantages(payoffs.draw_means(draws, seed))
    final = intervals(masses[-1], stationary(takeovers(drawn, alphas[-1])), level)
    orders = ranks_of(masses[-(STEPS // 5) :])
    return AlphaRank(alphas, masses, final, bool((orders == orders[-1]).all()))


def takeovers(matrix: Floats, alpha: Floats | float) -> Floats:
    """Return the fixation probability of one mutant (column) in a population (row)."""
    # Moran process: rho = (1 - exp(-u)) / (1 - exp(-m u)) with m = POPULATION, u = alpha x the
    # difference in fitness. Scores of a pair sum to 1, so the difference does not depend on the
    # number of mutants: m (score - 1/2) / (m - 1).
    gain = -matrix * alpha * POPULATION / (POPULATION - 1)
    size = np.abs(np.where(gain == 0, 1.0, gain))
    # For u < 0, rho(u) = rho(-u) exp(-(m - 1) |u|): exp never overflows, and tiny rates are exact.
    grown = np.expm1(-size) / np.expm1(-POPULATION * size)
    against = grown * np.exp(-np.minimum((POPULATION - 1) * size, 2 * FAINTEST))
    return np.where(gain == 0, 1 / POPULATION, np.where(gain > 0, grown, against))


def stationary(rates: Floats) -> Floats:
    """Return the stationary distributions of Markov chains; `rates` is chains x from x to."""
    # Elimination of Grassmann, Taksar and Heyman (1985): without subtractions, and so accurate for
    # rates that differ by a factor of exp(300). Solving linear equations would lose all digits.
    chain = rates.copy()
    bots = chain.shape[-1]
    for last in range(bots - 1, 0, -1):
        out = chain[..., last, :last].sum(axis=-1, keepdims=True)
        chain[..., :last, last] /= out
        through = chain[..., :last, last, None] * chain[..., None, last, :last]
        chain[..., :last, :last] += through
    masses = np.ones((*rates.shape[:-2], bots))
    for bot in range(1, bots):
        masses[..., bot] = (masses[..., :bot] * chain[..., :bot, bot]).sum(axis=-1)
        masses[..., : bot + 1] /= masses[..., : bot + 1].max(axis=-1, keepdims=True)
    return np.asarray(masses / masses.sum(axis=-1, keepdims=True), dtype=np.float64)
