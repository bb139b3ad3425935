"""Equilibria of zero-sum matrix games, and of all of them the one with the highest entropy.

Balduzzi's Nash averaging asks for that one because it is unique and does not depend on the order of
the rows. Rows or columns that are exactly equal are solved as one and share its weight evenly, so a
clone never changes anything but its original's share.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize

from cardhub.stats.types import Floats, Ints

TRACE, LOOSE = 1e-9, 1e-6
FOUND = 0
"""The status of a linear program that was solved."""


class Equilibrium(NamedTuple):
    """Mixtures of the row player, who maximises, and of the column player, who minimises.

    `gap` is by how much the two could improve together, 0 but for rounding.
    """

    rows: Floats
    columns: Floats
    value: float
    gap: float


def max_entropy_nash(payoffs: Floats) -> Equilibrium:
    """Return the equilibrium in which both mixtures have the highest entropy."""
    columns = minimiser(payoffs)
    rows = minimiser(-payoffs.T)
    worst, best = float((rows @ payoffs).min()), float((payoffs @ columns).max())
    return Equilibrium(rows, columns, (worst + best) / 2, best - worst)


def minimiser(payoffs: Floats) -> Floats:
    """Return the mixture of columns with the least maximum over rows; the most even, if several."""
    if not payoffs.size or not np.isfinite(payoffs).all():
        raise ValueError(f"a game has finite payoffs, not {payoffs.shape} with gaps")
    rows = np.unique(payoffs, axis=0)
    distinct, original = np.unique(rows, axis=1, return_inverse=True)
    shares = _solved(distinct)
    original = original.reshape(-1)
    return shares[original] / np.bincount(original)[original]


def _solved(payoffs: Floats) -> Floats:
    """Return the minimiser's mixture of columns that are all different."""
    if payoffs.shape[1] == 1:
        return np.ones(1)
    spread = float(np.ptp(payoffs))
    scaled = (payoffs - payoffs.min()) / spread
    pure = _pure(scaled)
    if pure is not None:
        return pure
    face = _face(scaled)
    equations = np.vstack([face.tight, np.ones(len(face.kept))])
    if np.linalg.matrix_rank(equations, tol=LOOSE) == len(face.kept):
        return face.vertex
    return _most_even(scaled, face)


def _pure(payoffs: Floats) -> Floats | None:
    """Return the only mixture where a saddle point makes it a single column, else None.

    Against the row of that point, which is best there, every other column is worse. It is quick to
    see, and most resampled games have one.
    """
    lowest = np.partition(payoffs, 1, axis=1)[:, :2]
    is_clear = lowest[:, 1] - lowest[:, 0] > LOOSE
    is_low = payoffs == lowest[:, :1]
    saddles = (payoffs == payoffs.max(axis=0)) & is_low & is_clear[:, None]
    columns = np.flatnonzero(saddles.any(axis=0))
    return np.eye(payoffs.shape[1])[columns[0]] if len(columns) else None


class _Face(NamedTuple):
    """All optimal mixtures: the columns they may use, the rows they must meet, one of them."""

    kept: Ints
    tight: Floats
    vertex: Floats
    value: float


def _face(payoffs: Floats) -> _Face:
    """Return the optimal face, by complementary slackness with one pair of solutions."""
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
    found = _checked(solution.status, solution.x)
    mixture = _normalised(found[:-1])
    usable = (mixture > TRACE) | (solution.lower.marginals[:-1] < TRACE)
    must = np.abs(solution.ineqlin.marginals) > TRACE
    kept = np.flatnonzero(usable)
    return _Face(kept, payoffs[must][:, kept], mixture, float(found[-1]))


def _most_even(payoffs: Floats, face: _Face) -> Floats:
    """Return the mixture of highest entropy on a face with several."""
    inside, slack = _inside(payoffs[:, face.kept], face.value)
    used = np.flatnonzero(inside > 0)
    excess = payoffs[:, face.kept[used]] - face.value
    bounds = [(0, None) if loose else (None, None) for loose in slack]

    def dual(prices: Floats) -> tuple[float, Floats]:
        logs = -prices @ excess
        top = float(logs.max())
        weights = np.exp(logs - top)
        return top + float(np.log(weights.sum())), -excess @ (weights / weights.sum())

    found = minimize(
        dual,
        np.zeros(len(payoffs)),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": 5000, "maxfun": 20000, "ftol": 0.0, "gtol": 1e-11},
    )
    logs = -found.x @ excess
    mixture = _normalised(np.exp(logs - logs.max()))
    if float((excess @ mixture).max()) > LOOSE:
        mixture = _normalised(inside[used])  # not the most even, but an equilibrium
    whole: Floats = np.zeros(payoffs.shape[1])
    whole[face.kept[used]] = mixture
    return whole


def _inside(payoffs: Floats, value: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Return weights that are positive wherever the face allows, and which rows can be slack.

    As many columns and slacks as possible are brought to 1 in the cone over the face.
    """
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
    found = _checked(solution.status, solution.x)
    weights: Floats = np.where(found[columns : 2 * columns] > 0.5, found[:columns], 0.0)
    return weights, found[2 * columns :] > 0.5


def _checked(status: int, solution: Floats | None) -> Floats:
    """Return the solution of a linear program that always has one."""
    if status != FOUND or solution is None:
        raise ArithmeticError(f"a linear program ended with status {status}")
    return solution


def _normalised(weights: Floats) -> Floats:
    """Return weights without rounding errors below 0, their sum 1."""
    clean = np.where(weights > TRACE, weights, 0.0)
    return np.asarray(clean / clean.sum(), dtype=np.float64)
