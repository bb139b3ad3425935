"""Selection in an information set: UCB with progressive widening, or the least visited action."""

from math import log, sqrt
from random import Random
from typing import Generic

from cardhub.bots.search.infosets import Edge, InfoSet, action_keys
from cardhub.model.game.game import Game, S

# Exploration constant of UCB, for values from 0 to 1.
EXPLORATION = 0.3
# Progressive widening: number of edges per square root of the visits.
WIDTH = 1.5
# Logarithms of small numbers, which are read faster than computed; the first one is never read.
KNOWN = 4096
LOGS = [log(max(number, 1)) for number in range(KNOWN)]


class EdgeSelector(Generic[S]):
    """Selects one of the legal actions, and returns its edge with the action itself.

    They are two, as an edge has the action of the determinization that it was added by, which may
    be on another token. `added` is the number of information sets of `seat` that got edges.
    """

    __slots__ = ("_game", "_keys", "_rng", "_seat", "added")

    def __init__(self, game: Game[S], rng: Random, seat: int) -> None:
        self._game = game
        self._keys = action_keys(game)
        self._rng = rng
        self._seat = seat
        self.added = 0

    def select(self, state: S, infoset: InfoSet) -> tuple[Edge, int]:
        """Return the best available edge by UCB, or a new one.

        Edges are added by progressive widening (Coulom 2007).
        """
        edges = infoset.edges
        seat, seen, face = state.seat, state.seen, state.face
        tokens, seen_keys = self._keys.tokens, self._keys.seen_keys
        has_cards, classes, logs = self._keys.has_cards, self._keys.classes, LOGS
        legal = self._game.legal(state)
        best: Edge | None = None
        best_action = total = 0
        top = -1.0
        new: list[int] | None = None
        for action in legal:
            key = action
            if has_cards:
                # As in `edge_key`, whose call would take a third of the time of this loop.
                token = tokens[action]
                if token >= 0 and seen[token] >> seat & 1:
                    key = seen_keys[action] + classes[face[token]]
            edge = edges.get(key)
            if edge is None:
                if new is None:  # most information sets have all their edges, and need no list
                    new = []
                new.append(action)
                continue
            visits = edge.visits
            total += visits
            # Not the visits of the parent but the determinizations in which the action was legal:
            # else rarely legal actions would be explored too much (subset-armed bandit, ISMCTS).
            available = edge.available + 1
            edge.available = available
            logarithm = logs[available] if available < KNOWN else log(available)
            bound = edge.standardized / visits + EXPLORATION * sqrt(logarithm / visits)
            if bound > top:
                best, best_action, top = edge, action, bound
        if best is None or (new and len(legal) - len(new) <= WIDTH * sqrt(total)):
            return self._add(state, infoset, new or [])
        return best, best_action

    def _add(self, state: S, infoset: InfoSet, new: list[int]) -> tuple[Edge, int]:
        # Widening tries few actions of many, so the game's own choice comes first.
        preferred = self._game.playout_action(state, self._rng)
        action = preferred if preferred in new else self._rng.choice(new)
        key = self._keys.edge_key(state, action)
        return self.add(infoset, key, action, state.seat), action

    def add(self, infoset: InfoSet, key: int, action: int, seat: int) -> Edge:
        """Add an edge, which has no visits yet."""
        if seat == self._seat and not infoset.edges:
            self.added += 1
        edge = Edge(action, seat)
        infoset.add(key, edge)
        return edge

    def least_visited(self, state: S, infoset: InfoSet) -> tuple[Edge, int]:
        """Return the least visited available edge, the first of equals."""
        edges = infoset.edges
        least: Edge | None = None
        least_key = least_action = 0
        for action in self._game.legal(state):
            key = self._keys.edge_key(state, action)
            edge = edges.get(key)
            if edge is None:
                edge = Edge(action, state.seat)
            if least is None or edge.visits < least.visits:
                least, least_key, least_action = edge, key, action
        assert least is not None  # the game is not over
        if least_key not in edges:
            infoset.add(least_key, least)
        return least, least_action
