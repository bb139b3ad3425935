"""Maximum-entropy Nash equilibria of zero-sum matrix games.

Nash averaging (Balduzzi et al. 2018, Re-evaluating Evaluation) uses this equilibrium because it is
unique and does not depend on the order of rows. A duplicate of a column changes only the share of
its original.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.lab.stats.types import Floats, Ints

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
