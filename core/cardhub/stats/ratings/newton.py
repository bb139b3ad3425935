"""Newton's method, vectorized over many concave maximization problems."""

from collections.abc import Callable

import numpy as np

from cardhub.stats.types import Floats, Ints

Evaluate = Callable[[Floats, Ints], tuple[Floats, Floats, Floats]]
"""A callback: takes points (parameters x problems) and the indices of the problems; returns values,
gradients (parameters x problems) and negative Hessians (problems x parameters x parameters)."""

ROUNDS, HALVINGS, FARTHEST = 60, 30, 4.0
"""Limits: Newton steps, halvings of one step, and its length in any parameter."""


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
        solved = np.linalg.solve(bends, slopes.T[:, :, None])
        newton = np.asarray(solved[:, :, 0].T, dtype=np.float64)
        lengths = np.abs(newton).max(axis=0)
        steps: Floats = np.divide(newton, np.maximum(1, lengths / FARTHEST))
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
    """One Newton step of all problems, with step halving where the value would decrease."""

    def __init__(
        self, evaluate: Evaluate, points: Floats, steps: Floats, before: Floats, active: Ints
    ) -> None:
        self.points = points + steps
        self.values, self.slopes, self.bends = evaluate(self.points, active)
        slack = 1e-10 * (1 + np.abs(before))
        for halving in range(1, HALVINGS):
            lower = np.flatnonzero(self.values < before - slack)
            if not len(lower):
                return
            self.points[:, lower] = points[:, lower] + steps[:, lower] / 2**halving
            values, slopes, bends = evaluate(self.points[:, lower], active[lower])
            self.values[lower], self.slopes[:, lower], self.bends[lower] = values, slopes, bends
