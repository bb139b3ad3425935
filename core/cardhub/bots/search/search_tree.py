"""The search tree: all seats' information sets, extended by one determinization per iteration."""

from collections.abc import Iterable
from random import Random
from typing import Generic

from cardhub.bots.bot import Rated
from cardhub.bots.search.infosets import (
    Edge,
    EdgeSelector,
    FirstInfoSets,
    InfoSet,
    Views,
    action_keys,
)
from cardhub.bots.search.simulation import (
    DeterminizationSampler,
    Playout,
    SeatValues,
    Standardizer,
    TeamValues,
    has_linear_values,
    seat_values,
)
from cardhub.model.game.game import Heuristics, S
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.game.sides import known_sides, teams_of_sides
from cardhub.model.hidden.chance import advance, sample_action
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.rounds import asked_seats, turn_to
from cardhub.model.table.state import CHANCE, OVER

# A tree is discarded after this number of added information sets of the searching seat.
MOST = 100_000


class SearchTree(Generic[S]):
    """The tree of multiple-observer ISMCTS: every seat selects in its own information sets.

    Unlike in determinized UCT, seats do not share a tree of states. In a shared tree, a seat could
    choose different actions in states that it cannot distinguish (strategy fusion, Frank and Basin
    1998).
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
        self._heuristics = game.heuristics
        self._seat = observation.seat
        self._rng = rng
        self._playout = playout
        self._is_flat = is_flat
        self._keys = action_keys(game)
        self._selector = EdgeSelector(game, rng, observation.seat)
        scoring = game_scoring(game, observation.state.settings, observation.state.seats)
        self._scoring = scoring
        self._values = seat_values(scoring)
        is_linear = has_linear_values(scoring.goal)
        # A score that counts by itself is the seat's own payoff on any side.
        self._has_sides = bool(game.sides) and not is_linear
        # The sides of a game's end are read in its last state, which rules in C do not make.
        self._is_played_in_c = playout.is_in_c and not self._has_sides
        self._values_of_sides: dict[tuple[int, ...], SeatValues] = {}
        self._standardizer = Standardizer(game.seats.high, is_linear=is_linear)
        # At the end, evaluations are then equal to the scores, or are not used.
        has_evaluation = type(self._heuristics).evaluate is not Heuristics.evaluate
        self._is_valued_by_scores = is_linear or not has_evaluation
        self.reset(observation)

    def reset(self, observation: Observation[S]) -> None:
        """Discard the tree, and start a new one for this observation."""
        self._start(observation, InfoSet())
        self._selector.added = 0

    def advance_root(self, state: S, steps: Iterable[Step], observation: Observation[S]) -> bool:
        """Move the root along `steps` to an observation.

        `state`: a determinization before the steps. Returns False if the tree does not contain the
        new root.
        """
        views = Views([self.root] * state.seats, state.seen[:])
        for seat, action in steps:
            turn_to(state, seat)
            if state.seat != seat or action not in self._game.legal(state):
                return False
            self.apply(state, action, views, self._rng)
        self._start(observation, views.nodes[self._seat])
        return bool(self.root.edges) and self._selector.added < MOST

    def _start(self, observation: Observation[S], root: InfoSet) -> None:
        self.root = root
        # Information sets of rivals start with the cards that they hold at this point.
        self._firsts = FirstInfoSets(observation.state, self._seat, root, self._keys.classes)

    def search(self, sampler: DeterminizationSampler[S], count: int) -> None:
        """Run `count` iterations with new determinizations."""
        for _ in range(count):
            self.iterate(sampler.draw())

    def iterate(self, state: S) -> None:
        """Descend the tree with a determinization, add an edge, play out and back up the values."""
        path: list[Edge] = []
        if self._is_flat:
            edge, action = self._selector.least_visited(state, self.root)
            path.append(edge)
            advance(self._game, state, action, self._rng)
        else:
            self._descend(state, self._firsts.of(state), path)
        self._back_up(state, path)

    def iterate_after(self, state: S, action: int) -> None:
        """Run an iteration like `iterate`, with this legal action at the root."""
        views = self._firsts.of(state)
        key = self._keys.edge_key(state, action)
        edge = self.edge(self.root, key, action, state.seat)
        path = [edge]
        self._keys.step(state, action, views, self._rng)
        if edge.visits and not self._is_flat:
            self._descend(state, views, path)
        self._back_up(state, path)

    def _descend(self, state: S, views: Views, path: list[Edge]) -> None:
        keys, selector, rng = self._keys, self._selector, self._rng
        seat, is_new = state.seat, False
        while seat != OVER:
            if seat == CHANCE:
                # Chance has no edges: determinizations sample its outcomes by their weights.
                action = sample_action(self._game, state, rng)
            else:
                edge, action = selector.select(state, views.nodes[seat])
                path.append(edge)
                is_new = is_new or not edge.visits
                # Expansion: each iteration adds at most one edge, then the playout begins; in a
                # round of simultaneous choices an edge for each seat.
                if is_new and not (keys.has_rounds and len(asked_seats(state)) > 1):
                    advance(self._game, state, action, rng)
                    return
            keys.step(state, action, views, rng)
            seat = state.seat

    def _back_up(self, state: S, path: list[Edge]) -> None:
        values = self._leaf_values(state)
        standardized = self._standardizer.of(values)
        for edge in path:
            seat = edge.seat
            edge.visits += 1
            edge.standardized += standardized[seat]
            edge.total += values[seat]
        if self._selector.selections:
            self._selector.learn(standardized)

    def _leaf_values(self, state: S) -> list[float]:
        """Return the values of all seats after a playout of the state, which may be changed."""
        if state.seat != OVER:
            values = self._values_in_c(state) if self._is_played_in_c else None
            if values is not None:
                return values
            self._playout.play(state)
        scores = self._game.scores(state) if state.seat == OVER else None
        by_seat = self._side_values(state) if self._has_sides else self._values
        if scores is not None and self._is_valued_by_scores:
            return by_seat.of(scores, scores)
        return by_seat.of(self._heuristics.evaluate(state), scores)

    def _values_in_c(self, state: S) -> list[float] | None:
        """Return the values of all seats after a playout by rules in C, None if they give it up."""
        outcome = self._playout.outcome(state, evaluates_end=not self._is_valued_by_scores)
        if outcome is None:
            return None
        scores = outcome.scores if outcome.is_over else None
        is_final = scores is not None and self._is_valued_by_scores
        return self._values.of(outcome.scores if is_final else outcome.evaluations, scores)

    def _side_values(self, state: S) -> SeatValues:
        """Return the values by the sides of a determinization, in which all faces are known."""
        teams = teams_of_sides(known_sides(self._game, state))
        if teams not in self._values_of_sides:
            self._values_of_sides[teams] = TeamValues(self._values, teams)
        return self._values_of_sides[teams]

    def rating(self, state: S, action: int) -> Rated:
        """Return the rating of an action at the root; `state`: any state of the information set."""
        edge = self.root.edges.get(self._keys.edge_key(state, action))
        if edge is None or not edge.visits:
            return Rated(action, 0, 0.0)
        return Rated(action, edge.visits, self._values.rating(edge.total / edge.visits))

    def in_python(self, observation: Observation[S]) -> "SearchTree[S]":
        """Return a tree for `observation`, which is at the root, that may be read in Python."""
        return self

    def roots(self) -> list[InfoSet]:
        """Return the topmost information set of each seat."""
        return self._firsts.roots

    def use_roots(self, roots: list[InfoSet]) -> None:
        """Replace the topmost information set of each seat, at the same observation."""
        self.root, self._firsts.roots = roots[self._seat], roots

    def edge(self, infoset: InfoSet, key: int, action: int, seat: int) -> Edge:
        """Return an edge, and create it without visits if it does not exist."""
        edge = infoset.edges.get(key)
        if edge is None:
            edge = self._selector.add(infoset, key, action, seat)
            edge.available = 0
        return edge

    def begin(self, state: S) -> Views:
        """Return the information sets of all seats at the root."""
        return self._firsts.of(state)

    def most_visited(self, state: S, views: Views, least: int) -> int | None:
        """Return the most visited action of the seat to act, or None below `least` visits."""
        edges, best, most = views.nodes[state.seat].edges, None, least - 1
        for action in self._game.legal(state):
            edge = edges.get(self._keys.edge_key(state, action))
            if edge is not None and edge.visits > most:
                best, most = action, edge.visits
        return best

    def apply(self, state: S, action: int, views: Views, rng: Random) -> None:
        """Apply an action in place, and advance the information sets of all seats."""
        self._keys.step(state, action, views, rng)
