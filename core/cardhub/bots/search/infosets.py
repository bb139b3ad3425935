"""What a search has learned, by information set: how often each choice was made and what came."""

from math import log, sqrt
from random import Random

EXPLORATION = 0.3
"""How much a choice gains by having been made seldom, on a scale where games are worth 0 to 1."""
WIDTH = 1.5
"""How many choices are looked at, by the root of the visits."""


class Edge:
    """One choice in an information set.

    `total` is the sum of what it was worth to the seat that chose, `appeal` of how well it went
    compared with everything tried. `available` counts the worlds in which it could be chosen: with
    other cards it may not be legal.
    """

    __slots__ = ("action", "appeal", "available", "total", "visits")

    def __init__(self, action: int) -> None:
        self.action = action
        self.visits = 0
        self.available = 1
        self.appeal = 0.0
        self.total = 0.0


InfoSet = dict[int, Edge]
"""The choices made so far in an information set, by key; see `Views.key`."""

Offers = list[tuple[int, int]]
"""Legal actions: the key and the action of each."""


def explore(edges: InfoSet, offers: Offers) -> tuple[Edge, int] | None:
    """Return the best of what is on offer by UCB, with its action; None if a new one is due.

    There are as many choices as the visits bear, so that more is learned of the first ones: those
    people tend to make. What was available and not chosen counts less from then on.
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
    """Return a new choice and its action: the usual action, or any other if that is known."""
    new = [(key, action) for key, action in offers if key not in edges]
    key, action = next((offer for offer in new if offer[1] == usual), None) or rng.choice(new)
    edge = edges[key] = Edge(action)
    return edge, action


def take_turns(edges: InfoSet, offers: Offers) -> tuple[Edge, int]:
    """Return what was chosen least often of what is on offer, the first of equals."""
    tried = [(edges[key] if key in edges else Edge(action), key, action) for key, action in offers]
    edge, key, action = min(tried, key=lambda choice: choice[0].visits)
    return edges.setdefault(key, edge), action
