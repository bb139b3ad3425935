"""Edges of the search tree, and their selection by UCB."""

from math import log, sqrt
from random import Random

# Exploration constant of UCB, for values from 0 to 1.
EXPLORATION = 0.3
# Progressive widening: number of edges per square root of the visits.
WIDTH = 1.5


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
