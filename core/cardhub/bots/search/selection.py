"""Selection in an information set: UCB with progressive widening, or the least visited action."""

from math import log, sqrt
from random import Random
from typing import Generic

from cardhub.bots.search.infosets import Edge, InfoSet, action_keys
from cardhub.model.game.game import Game, S

# The exploration constant of UCB, for values from 0 to 1.
EXPLORATION = 0.3
# Progressive widening: the number of edges per square root of the visits.
WIDTH = 1.5
# A table of logarithms, because reading is faster than computing; the first entry is never read.
TABLE_SIZE = 4096
LOGS = [log(max(number, 1)) for number in range(TABLE_SIZE)]


class EdgeSelector(Generic[S]):
    """Selects a legal action, and returns its edge and the action.

    It returns both, because `Edge.action` is the action in the determinization that added the edge,
    which may use another token. `added`: the number of information sets of `seat` that got edges.
    """

    __slots__ = ("_game", "_keys", "_rng", "_seat", "added")

    def __init__(self, game: Game[S], rng: Random, seat: int) -> None:
        self._game = game
        self._keys = action_keys(game)
        self._rng = rng
        self._seat = seat
        self.added = 0

    def select(self, state: S, infoset: InfoSet) -> tuple[Edge, int]:
        """Return the best available edge by UCB, or a new one by progressive widening."""
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
                # Inlined `edge_key`, because the call would take a third of this loop's time.
                token = tokens[action]
                if token >= 0 and seen[token] >> seat & 1:
                    key = seen_keys[action] + classes[face[token]]
            edge = edges.get(key)
            if edge is None:
                if new is None:  # created lazily, because most information sets have all edges
                    new = []
                new.append(action)
                continue
            visits = edge.visits
            total += visits
            # Count the determinizations in which the action was legal instead of the parent's
            # visits: otherwise rarely legal actions would be explored too much (subset-armed
            # bandit, ISMCTS).
            available = edge.available + 1
            edge.available = available
            logarithm = logs[available] if available < TABLE_SIZE else log(available)
            bound = edge.standardized / visits + EXPLORATION * sqrt(logarithm / visits)
            if bound > top:
                best, best_action, top = edge, action, bound
        if best is None or (new and len(legal) - len(new) <= WIDTH * sqrt(total)):
            return self._add(state, infoset, new or [])
        return best, best_action

    def _add(self, state: S, infoset: InfoSet, new: list[int]) -> tuple[Edge, int]:
        # Widening tries only few of many actions, so the game's preferred action comes first.
        preferred = self._game.playout_action(state, self._rng)
        action = preferred if preferred in new else self._rng.choice(new)
        key = self._keys.edge_key(state, action)
        return self.add(infoset, key, action, state.seat), action

    def add(self, infoset: InfoSet, key: int, action: int, seat: int) -> Edge:
        """Add an edge without visits."""
        if seat == self._seat and not infoset.edges:
            self.added += 1
        edge = Edge(action, seat)
        infoset.add(key, edge)
        return edge

    def least_visited(self, state: S, infoset: InfoSet) -> tuple[Edge, int]:
        """Return the least visited available edge, and the first one of equal edges."""
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
