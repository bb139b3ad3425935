"""Alpha-rank: the stationary distribution of an evolutionary process over bots.

A Markov chain over monomorphic populations (Omidshafiei): rare mutants replace the residents with
their exact fixation probability in a Moran process whose fitness is the mean score. Weak selection
gives a uniform distribution, strong selection concentrates on bots that cannot be invaded. The
result is a sweep over the selection strength alpha; the masses at its end give the ranking.
"""

from typing import NamedTuple

import numpy as np

from cardhub.stats.bootstrap import intervals, ranks_of
from cardhub.stats.game_theory.payoffs import Payoffs
from cardhub.stats.types import Estimate, Floats

# The population size, the steps of the sweep, its first alpha, and the -log of the rarest fixation
# probability at its end.
POPULATION, STEPS, WEAKEST, FAINTEST = 50, 25, 0.1, 300.0


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
    alphas = _alphas(matrix)
    masses = stationary(takeovers(matrix, alphas[:, None, None]))
    drawn = payoffs.advantages(payoffs.draw_means(draws, seed))
    final = intervals(masses[-1], stationary(takeovers(drawn, alphas[-1])), level)
    orders = ranks_of(masses[-(STEPS // 5) :])
    return AlphaRank(alphas, masses, final, bool((orders == orders[-1]).all()))


def _alphas(matrix: Floats) -> Floats:
    most = float(np.abs(matrix).max(initial=0.0)) or 1.0
    return np.geomspace(WEAKEST, max(WEAKEST * 10, FAINTEST / (POPULATION * most)), STEPS)


def takeovers(matrix: Floats, alpha: Floats | float) -> Floats:
    """Return the fixation probability of one mutant (column) in a population (row).

    As scores of a pair sum to 1, the fitness difference of mutants and residents is constant in the
    number of mutants: population x (score - 1/2) / (population - 1).
    """
    gain = -matrix * alpha * POPULATION / (POPULATION - 1)
    size = np.abs(np.where(gain == 0, 1.0, gain))
    grown = np.expm1(-size) / np.expm1(-POPULATION * size)
    against = grown * np.exp(-np.minimum((POPULATION - 1) * size, 2 * FAINTEST))
    return np.where(gain == 0, 1 / POPULATION, np.where(gain > 0, grown, against))


def stationary(rates: Floats) -> Floats:
    """Return the stationary distributions of Markov chains; `rates` is chains x from x to.

    The elimination of Grassmann, Taksar and Heyman has no subtractions and stays accurate for tiny
    rates.
    """
    left = rates.copy()
    bots = left.shape[-1]
    for last in range(bots - 1, 0, -1):
        out = left[..., last, :last].sum(axis=-1, keepdims=True)
        left[..., :last, last] /= out
        through = left[..., :last, last, None] * left[..., None, last, :last]
        left[..., :last, :last] += through
    masses = np.ones((*rates.shape[:-2], bots))
    for bot in range(1, bots):
        masses[..., bot] = (masses[..., :bot] * left[..., :bot, bot]).sum(axis=-1)
        masses[..., : bot + 1] /= masses[..., : bot + 1].max(axis=-1, keepdims=True)
    return np.asarray(masses / masses.sum(axis=-1, keepdims=True), dtype=np.float64)
