"""Alpha-rank: how long a population that copies what works stays with each bot.

Omidshafiei's chain over populations of one bot: now and then a mutant appears and takes over with
its exact fixation probability in a Moran process, in which fitness is the mean score against the
others. Weak selection mixes everything, strong selection keeps what cannot be invaded; so a sweep
over the strength alpha is shown, and the masses at its strong end are the ranking.
"""

from typing import NamedTuple

import numpy as np

from cardhub.stats.bootstrap import intervals
from cardhub.stats.game_theory.payoffs import Payoffs
from cardhub.stats.ranks import ranks_of
from cardhub.stats.types import Estimate, Floats

POPULATION, STEPS, WEAKEST, FAINTEST = 50, 25, 0.1, 300.0
"""Players; points of the sweep; where it begins; and the -log of the rarest takeover at its end."""


class AlphaRank(NamedTuple):
    """The sweep (alphas, and masses as alphas x bots) and the masses at its end, with intervals.

    `is_settled` tells whether the order was the same over the last fifth of the sweep.
    """

    alphas: Floats
    masses: Floats
    final: tuple[Estimate, ...]
    is_settled: bool


def alpha_rank(
    payoffs: Payoffs, *, draws: int = 200, seed: int = 0, level: float = 0.95
) -> AlphaRank:
    """Return the sweep for bots that meet in pairs; pairs that never met count as even."""
    matrix = payoffs.advantages()
    alphas = _alphas(matrix)
    masses = stationary(takeovers(matrix, alphas[:, None, None]))
    drawn = payoffs.advantages(payoffs.draw_means(draws, seed))
    final = intervals(masses[-1], stationary(takeovers(drawn, alphas[-1])), level)
    orders = ranks_of(masses[-(STEPS // 5) :])
    return AlphaRank(alphas, masses, final, bool((orders == orders[-1]).all()))


def _alphas(matrix: Floats) -> Floats:
    """Return the strengths of selection to try, up to where takeovers against the wind vanish."""
    most = float(np.abs(matrix).max(initial=0.0)) or 1.0
    return np.geomspace(WEAKEST, max(WEAKEST * 10, FAINTEST / (POPULATION * most)), STEPS)


def takeovers(matrix: Floats, alpha: Floats | float) -> Floats:
    """Return the chances that one mutant (column) takes over a population (row).

    As each score is 1 minus the opponent's, the gain of mutants over residents is the same at every
    mix: population x (score - 1/2) / (population - 1).
    """
    gain = -matrix * alpha * POPULATION / (POPULATION - 1)
    size = np.abs(np.where(gain == 0, 1.0, gain))
    grown = np.expm1(-size) / np.expm1(-POPULATION * size)
    against = grown * np.exp(-np.minimum((POPULATION - 1) * size, 2 * FAINTEST))
    return np.where(gain == 0, 1 / POPULATION, np.where(gain > 0, grown, against))


def stationary(rates: Floats) -> Floats:
    """Return the stationary masses of chains with such rates (chains x from x to).

    By elimination without subtraction (Grassmann, Taksar and Heyman), hence exact for tiny rates.
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
