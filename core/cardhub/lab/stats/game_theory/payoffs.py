"""Pairwise payoffs of the bots in one game, and their transitivity: cyclic share and 3-cycles."""

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
from cardhub.lab.stats.bootstrap import block_weights, intervals, weight_shapes
from cardhub.lab.stats.game_theory.zerosum import max_entropy_nash, minimiser
from cardhub.lab.stats.significance import sign_flip
from cardhub.lab.stats.types import Floats, Ints, Pair, PlayedGame, generator

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


class CyclicShare(NamedTuple):
    """The share of the log-odds that no rating explains, and its expectation under noise alone."""

    share: float
    from_noise: float


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


def cyclic_share(payoffs: Payoffs) -> CyclicShare | None:
    """Return the cyclic share of the Hodge decomposition of log-odds: residual / total squares.

    None if the pairs that met form no cycle, or if all are even.
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
    return CyclicShare(circling / total, min(1.0, float(np.diag(residual) @ noise) / total))


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
