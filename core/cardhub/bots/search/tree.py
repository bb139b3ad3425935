"""The search tree: edges by information set, with visits and values."""

from math import log, sqrt
from random import Random

EXPLORATION = 0.3
"""Exploration constant of UCB, for values from 0 to 1."""
WIDTH = 1.5
"""Progressive widening: number of edges per square root of the visits."""


class Edge:
    """One action in an information set.

    `total` is the sum of its values for the seat to act, `appeal` the sum of its values relative to
    other simulations. `available` counts the determinizations in which it is legal.
    """

    __slots__ = ("action", "appeal", "available", "total", "visits")

    def __init__(self, action: int) -> None:
        self.action = action
        self.visits = 0
        self.available = 1
        self.appeal = 0.0
        self.total = 0.0


InfoSet = dict[int, Edge]
"""The edges of an information set, by key; see `InfosetKeys.key`."""

Offers = list[tuple[int, int]]
"""Legal actions: the key and the action of each."""


def explore(edges: InfoSet, offers: Offers) -> tuple[Edge, int] | None:
    """Return the best available edge by UCB, with its action; None if a new edge is to be added.

    Edges are added in proportion to the root of the visits, so that the first ones, which the
    playout prefers, are visited more.
    """
    best, best_action, top = None, 0, -1.0
    known = total = 0
    for key, action in offers:
        edge = edges.get(key)
        if edge is None:
            continue
        known += 1
        edge.available += 1
        visits = edge.visits
        total += visits
        bound = edge.appeal / visits + EXPLORATION * sqrt(log(edge.available) / visits)
        if bound > top:
            best, best_action, top = edge, action, bound
    if best is None or (known < len(offers) and known <= WIDTH * sqrt(total)):
        return None
    return best, best_action


def widen(edges: InfoSet, offers: Offers, usual: int, rng: Random) -> tuple[Edge, int]:
    """Add an edge and return it with its action: the usual action, or any other if that exists."""
    new = [(key, action) for key, action in offers if key not in edges]
    key, action = next((offer for offer in new if offer[1] == usual), None) or rng.choice(new)
    edge = edges[key] = Edge(action)
    return edge, action


def take_turns(edges: InfoSet, offers: Offers) -> tuple[Edge, int]:
    """Return the least visited available edge, the first of equals."""
    tried = [(edges[key] if key in edges else Edge(action), key, action) for key, action in offers]
    edge, key, action = min(tried, key=lambda choice: choice[0].visits)
    return edges.setdefault(key, edge), action
