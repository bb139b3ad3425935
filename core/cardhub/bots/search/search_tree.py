"""The search tree: information sets of all seats, grown by one determinization per iteration."""

from collections.abc import Iterable
from random import Random
from typing import Generic

from cardhub.bots.bot import Rated
from cardhub.bots.search.infoset_keys import InfosetKeys
from cardhub.bots.search.seat_values import Standardizer, has_linear_values, seat_values
from cardhub.bots.search.selection import (
    Edge,
    InfoSet,
    KeyedActions,
    add_edge,
    least_visited,
    select,
)
from cardhub.bots.search.simulation import Playout
from cardhub.game.game import S
from cardhub.game.game_scoring import game_scoring
from cardhub.hidden.chance import sample_action
from cardhub.hidden.observation import Observation, Step
from cardhub.table.state import CHANCE, OVER

# Maximum number of information sets in a tree that is reused.
MOST = 100_000

# The edges traversed in an iteration, and the seat of each.
Path = list[tuple[Edge, int]]


class SearchTree(Generic[S]):
    """The tree of multiple-observer ISMCTS: every seat selects in information sets of its own.

    Seats do not share a tree of states, as in determinized UCT: there, each could choose another
    action in states that it cannot tell apart (strategy fusion, Frank and Basin 1998).
    """

    def __init__(
        self,
        observation: Observation[S],
        rng: Random,
        playout: Playout[S],
        *,
        is_flat: bool = False,
    ) -> None:
        game = observation.game
        self._game = game
        self._seat = observation.seat
        self._rng = rng
        self._playout = playout
        self._is_flat = is_flat
        self._infosets = InfosetKeys(game)
        scoring = game_scoring(game, observation.state.settings, observation.state.seats)
        self._values = seat_values(scoring)
        is_linear = has_linear_values(scoring.goal)
        self._standardizer = Standardizer(game.seats.high, is_linear=is_linear)
        self._root_key = observation.seat
        self._own: dict[int, InfoSet] = {}
        self._rivals: dict[int, InfoSet] = {}

    @property
    def root(self) -> InfoSet:
        """The information set of the root."""
        return self._own.setdefault(self._root_key, {})

    def reset(self) -> None:
        """Discard the tree."""
        self._root_key = self._seat
        self._own.clear()
        self._rivals.clear()

    def advance_root(self, state: S, steps: Iterable[Step]) -> bool:
        """Move the root some steps on; `state` is a determinization before them.

        Return False if the tree does not contain the new root.
        """
        keys = [self._root_key] * state.seats
        for seat, action in steps:
            if state.seat != seat or action not in self._game.legal(state):
                return False
            self._apply(state, action, keys)
        self._root_key = keys[self._seat]
        # Keys of rivals begin with the cards that they held at the old root.
        self._rivals.clear()
        return self._root_key in self._own and len(self._own) < MOST

    def iterate(self, state: S) -> None:
        """Descend the tree with a determinization, add an edge, play out and back up the values."""
        self._simulate(state, self.begin(state), [])

    def iterate_after(self, state: S, action: int) -> None:
        """Iterate as `iterate` does, with this legal action at the root."""
        keys = self.begin(state)
        key = self._infosets.edge_key(state, action)
        edge = self.root.get(key) or self.root.setdefault(key, Edge(action))
        path: Path = [(edge, state.seat)]
        self._apply(state, action, keys)
        self._simulate(state, keys, path, descends=not self._is_flat and edge.visits > 0)

    def _simulate(self, state: S, keys: list[int], path: Path, *, descends: bool = True) -> None:
        while descends and state.seat != OVER:
            if state.seat == CHANCE:
                # Chance has no edges: determinizations sample its outcomes by their weights.
                self._apply(state, sample_action(self._game, state, self._rng), keys)
                continue
            edge, action = self._select(state, keys[state.seat])
            path.append((edge, state.seat))
            self._apply(state, action, keys)
            # Expansion: each iteration adds at most one edge, then the playout begins.
            descends = not self._is_flat and edge.visits > 0
        self._playout(state)
        scores = self._game.scores(state) if state.seat == OVER else None
        values = self._values.of(self._game.evaluate(state), scores)
        standardized = self._standardizer.of(values)
        for edge, seat in path:
            edge.visits += 1
            edge.standardized += standardized[seat]
            edge.total += values[seat]

    def rating(self, key: int, action: int) -> Rated:
        """Return the rating of an action at the root, given the key of its edge."""
        edge = self.root.get(key)
        if edge is None or not edge.visits:
            return Rated(action, 0, 0.0)
        return Rated(action, edge.visits, self._values.rating(edge.total / edge.visits))

    def begin(self, state: S) -> list[int]:
        """Return the keys of the information sets of all seats at the root."""
        keys = self._infosets.begin(state)
        keys[self._seat] = self._root_key
        return keys

    def most_visited(self, state: S, keys: list[int], least: int) -> int | None:
        """Return the most visited action of the seat to act, None below `least` visits."""
        infosets = self._own if state.seat == self._seat else self._rivals
        edges = infosets.get(keys[state.seat], {})
        visits = {
            action: edges[key].visits
            for key, action in self.keyed_actions(state)
            if key in edges and edges[key].visits >= least
        }
        return max(visits, key=lambda action: visits[action], default=None)

    def apply(self, state: S, action: int, keys: list[int], rng: Random) -> None:
        """Apply an action in place, and update the keys of all seats."""
        self._infosets.apply(self._game, state, action, keys, rng)

    def keyed_actions(self, state: S) -> KeyedActions:
        """Return the legal actions of the seat to act, with the keys of their edges."""
        key = self._infosets.edge_key
        return [(key(state, action), action) for action in self._game.legal(state)]

    def _select(self, state: S, infoset_key: int) -> tuple[Edge, int]:
        infosets = self._own if state.seat == self._seat else self._rivals
        actions, edges = self.keyed_actions(state), infosets.setdefault(infoset_key, {})
        if self._is_flat:
            return least_visited(edges, actions)
        known = select(edges, actions)
        if known is not None:
            return known
        # Widening tries few actions of many, so the game's own choice comes first.
        preferred = self._game.playout_action(state, self._rng)
        return add_edge(edges, actions, preferred, self._rng)

    def _apply(self, state: S, action: int, keys: list[int]) -> None:
        self._infosets.apply(self._game, state, action, keys, self._rng)
