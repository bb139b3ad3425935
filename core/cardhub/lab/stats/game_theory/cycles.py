"""Transitivity of pairwise payoffs: cyclic share, certified 3-cycles, the Nash mixture."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.lab.estimate import Estimate
from cardhub.lab.stats.bootstrap import intervals
from cardhub.lab.stats.game_theory.payoffs import Payoffs
from cardhub.lab.stats.game_theory.zerosum import max_entropy_nash
from cardhub.lab.stats.significance import sign_flip
from cardhub.lab.stats.types import Floats


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
    shares = np.asarray([max_entropy_nash(matrix).rows for matrix in drawn])
    return Mixture(intervals(solved.rows, shares, level), solved.gap)
