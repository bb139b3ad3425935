"""Edges of the search tree: their selection by UCB, and the values that are backed up."""

from collections.abc import Sequence
from math import log, sqrt
from random import Random

# Exploration constant of UCB, for values from 0 to 1.
EXPLORATION = 0.3
# Progressive widening: number of edges per square root of the visits.
WIDTH = 1.5
# Number of simulations in the running averages.
MEMORY = 1000.0
# Number of standard deviations that are scaled to the range from 0 to 1.
SPREAD = 4.0
LEAST_VARIANCE = 1e-4
# Multiple of the mean margin that gets the full value.
FULL_MARGIN = 3.0


class Edge:
    """One action in an information set.

    `total` is the sum of its values for the seat to act, `standardized` that of its values relative
    to other simulations. `available` counts the determinizations in which it is legal.
    """

    __slots__ = ("action", "available", "standardized", "total", "visits")

    def __init__(self, action: int) -> None:
        self.action = action
        self.visits = 0
        self.available = 1
        self.standardized = 0.0
        self.total = 0.0


# The edges of an information set, by key; see `InfosetKeys.edge_key`.
InfoSet = dict[int, Edge]

# Legal actions: the key and the action of each.
KeyedActions = list[tuple[int, int]]


def select(edges: InfoSet, actions: KeyedActions) -> tuple[Edge, int] | None:
    """Return the best available edge by UCB, with its action; None if an edge is to be added.

    Edges are added by progressive widening (Coulom 2007).
    """
    best, best_action, top = None, 0, -1.0
    known = total = 0
    for key, action in actions:
        edge = edges.get(key)
        if edge is None:
            continue
        known += 1
        edge.available += 1
        visits = edge.visits
        total += visits
        # Not the visits of the parent but the determinizations in which the action was legal:
        # else rarely legal actions would be explored too much (subset-armed bandit, ISMCTS).
        bound = edge.standardized / visits + EXPLORATION * sqrt(log(edge.available) / visits)
        if bound > top:
            best, best_action, top = edge, action, bound
    if best is None or (known < len(actions) and known <= WIDTH * sqrt(total)):
        return None
    return best, best_action


def add_edge(
    edges: InfoSet, actions: KeyedActions, preferred: int, rng: Random
) -> tuple[Edge, int]:
    """Add an edge and return it with its action: the preferred one, else any that is new."""
    new = [(key, action) for key, action in actions if key not in edges]
    key, action = next((each for each in new if each[1] == preferred), None) or rng.choice(new)
    edge = edges[key] = Edge(action)
    return edge, action


def least_visited(edges: InfoSet, actions: KeyedActions) -> tuple[Edge, int]:
    """Return the least visited available edge, the first of equals."""
    tried = [(edges[key] if key in edges else Edge(action), key, action) for key, action in actions]
    edge, key, action = min(tried, key=lambda choice: choice[0].visits)
    return edges.setdefault(key, edge), action


class SeatValues:
    """Converts evaluations at the end of a simulation to values of the seats, from 0 to 1.

    A value grows with the margin to the best of the others, scaled by a running average of margins.
    At the end of the game that is one half, and the other half is for winning.
    """

    __slots__ = ("_count", "_sign", "_sum")

    def __init__(self, *, lowest_wins: bool) -> None:
        self._sign = -1 if lowest_wins else 1
        self._sum = 1.0
        self._count = 1

    def of(self, evaluations: Sequence[float], scores: Sequence[int] | None) -> list[float]:
        """Return the value of every seat; `scores` are the final ones if the game is over."""
        sign = self._sign
        signed = [sign * evaluation for evaluation in evaluations]
        best, second = _two_best(signed)
        self._sum += best - second
        self._count += 1
        full = FULL_MARGIN * self._sum / self._count
        values = []
        for evaluation in signed:
            margin = (evaluation - (second if evaluation == best else best)) / full
            values.append(0.5 + 0.5 * (1.0 if margin > 1.0 else -1.0 if margin < -1.0 else margin))
        return values if scores is None else self._with_wins(values, scores)

    def _with_wins(self, values: list[float], scores: Sequence[int]) -> list[float]:
        top = max(scores) if self._sign > 0 else min(scores)
        won = 0.5 / scores.count(top)  # winners share the half that is for winning
        return [
            0.5 * value + (won if score == top else 0.0)
            for value, score in zip(values, scores, strict=True)
        ]


def _two_best(evaluations: Sequence[float]) -> tuple[float, float]:
    *_, second, best = sorted(evaluations) if len(evaluations) > 1 else (0.0, *evaluations)
    return best, second


class Standardizer:
    """Rescales values to 0 to 1 by their running means and variances, per seat.

    Values within one game differ far less than between games. UCB needs differences of the order
    of its exploration term, so it selects by a simulation's deviation from the others.
    """

    __slots__ = ("_count", "_means", "_squares")

    def __init__(self, seats: int) -> None:
        self._count = 0.0
        self._means = [0.5] * seats
        self._squares = [LEAST_VARIANCE] * seats

    def of(self, values: Sequence[float]) -> list[float]:
        """Return standardized values, 0.5 for the mean, and update the averages."""
        # From MEMORY simulations on, the averages decay exponentially: the tree changes its play.
        self._count = min(self._count + 1.0, MEMORY)
        step, means, squares = 1.0 / self._count, self._means, self._squares
        standardized = []
        for seat, value in enumerate(values):
            off = value - means[seat]
            means[seat] += step * off
            squares[seat] += step * (off * off - squares[seat])
            scaled = 0.5 + off / (SPREAD * sqrt(squares[seat] + LEAST_VARIANCE))
            standardized.append(1.0 if scaled > 1.0 else 0.0 if scaled < 0.0 else scaled)
        return standardized
