"""What a search has learned, by information set: how often each choice was made and what came."""

from math import log, sqrt
from random import Random

EXPLORATION = 0.6
"""How much a choice gains by having been made seldom, on a scale where games are worth 0 to 1."""


class Edge:
    """One choice in an information set.

    `total` is the sum of what it was worth to the seat that chose. `available` counts the worlds in
    which it could be chosen: with other cards it may not be legal.
    """

    __slots__ = ("action", "available", "total", "visits")

    def __init__(self, action: int) -> None:
        self.action = action
        self.visits = 0
        self.available = 1
        self.total = 0.0


InfoSet = dict[int, Edge]
"""The choices made so far in an information set, by key; see `Views.key`."""

Offers = list[tuple[int, int]]
"""Legal actions: the key and the action of each."""


def explore(edges: InfoSet, offers: Offers, rng: Random) -> tuple[Edge, int]:
    """Return one of what is on offer and its action: what was never chosen, else the best by UCB.

    What was available and not chosen counts less from then on.
    """
    untried = []
    best, best_action, top = None, 0, -1.0
    for key, action in offers:
        edge = edges.get(key)
        if edge is None:
            untried.append((key, action))
            continue
        edge.available += 1
        visits = edge.visits
        bound = edge.total / visits + EXPLORATION * sqrt(log(edge.available) / visits)
        if bound > top:
            best, best_action, top = edge, action, bound
    if best is not None and not untried:
        return best, best_action
    key, action = untried[int(rng.random() * len(untried))]
    edge = edges[key] = Edge(action)
    return edge, action


def take_turns(edges: InfoSet, offers: Offers) -> tuple[Edge, int]:
    """Return what was chosen least often of what is on offer, the first of equals."""
    tried = [(edges[key] if key in edges else Edge(action), key, action) for key, action in offers]
    edge, key, action = min(tried, key=lambda choice: choice[0].visits)
    return edges.setdefault(key, edge), action
