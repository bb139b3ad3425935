"""Alpha-rank: the stationary distribution of an evolutionary process over bots.

Rare mutants invade monomorphic populations (Omidshafiei et al. 2019, alpha-Rank: Multi-Agent
Evaluation by Evolution). Weak selection gives a uniform distribution, strong selection concentrates
on bots that cannot be invaded. The result is a sweep over the selection strength alpha; the masses
at its end give the ranking.
"""

from typing import NamedTuple

import numpy as np

from cardhub.lab.estimate import Estimate
from cardhub.lab.stats.bootstrap import intervals, ranks_of
from cardhub.lab.stats.game_theory.payoffs import Payoffs
from cardhub.lab.stats.types import Floats

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
