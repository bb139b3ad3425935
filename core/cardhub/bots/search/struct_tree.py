"""The search tree in C, over states that are structs.

It makes the tree that Python would make, with the same draws, visits and values. Python reads an
observation for it, and draws faces where the rules of a game exclude some; what C cannot carry out
it gives back, and Python goes on with the same tree.
"""

from collections.abc import Iterable
from random import Random
from typing import Any

from typing_extensions import override

from cardhub.bots.bot import Rated
from cardhub.bots.search.infosets import Edge, InfoSet
from cardhub.bots.search.search_tree import MOST, SearchTree
from cardhub.bots.search.simulation import DeterminizationSampler, Playout, has_linear_values
from cardhub.bots.search.struct_playouts import rules_in_c
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.faces import blanked
from cardhub.model.table.goal import Goal

# How C names the ways to value scores.
BY_SCORE, BY_WIN, BY_RANK = range(3)
# The number of iterations at a time, for which other threads have to wait.
BLOCK = 32
# Instead of an action at the root: the tree selects it.
ANY_ACTION = -1


def why_no_tree(game: Game[Any]) -> str:
    """Return why the search tree of a game stays in Python even if its playouts are in C."""
    if game.sides and not has_linear_values(game.goal):
        return "its sides decide how scores count, and are read in the last state"
    return ""


def has_struct_tree(game: Game[Any], rng: Random, playout: Playout[Any]) -> bool:
    """Return whether the tree of a search with these playouts can be in C."""
    # Other generators may draw in their own ways.
    return playout.is_in_c and type(rng) is Random and not why_no_tree(game)


class StructTree(SearchTree[S]):
    """A search tree in C, or in Python from an iteration on that C has given back.

    `is_in_c`: whether it is in C; otherwise it does what Python's tree does until its next `reset`.
    """

    def __init__(self, observation: Observation[S], rng: Random, playout: Playout[S]) -> None:
        self._in_c: Any = None
        self.is_in_c = False
        self._sampler: DeterminizationSampler[S] | None = None
        self._has_plan = False
        super().__init__(observation, rng, playout)

    @override
    def reset(self, observation: Observation[S]) -> None:
        super().reset(observation)
        if self._in_c is None:
            self._in_c = self._new_tree(observation)
        if not self.is_in_c:
            self._in_c.use_averages(*self._values.margins(), *self._standardizer.averages())
        self._sampler = None
        self.is_in_c = True  # the averages are there even if the tree cannot be
        if not self._in_c.reset(_readable(observation), self._firsts.tokens):
            self._take_averages()

    def _new_tree(self, observation: Observation[S]) -> Any:
        scoring, game = self._scoring, observation.game
        numbers = sorted(set(scoring.teams))
        kind = BY_SCORE if has_linear_values(scoring.goal) else BY_RANK
        if scoring.goal is Goal.WIN:
            kind = BY_WIN
        teams = [numbers.index(team) for team in scoring.teams]
        options = (
            observation.seat,
            self._heuristics.playout_depth,
            int(kind == BY_SCORE),
            int(self._is_valued_by_scores),
        )
        module = rules_in_c(type(game), game.name)
        values = (kind, int(scoring.lowest_wins), teams)
        return module.Tree(self._keys.tables(), values, options, self._rng)

    @override
    def search(self, sampler: DeterminizationSampler[S], count: int) -> None:
        if self.is_in_c and self._draws_in_c(sampler):
            done: int = self._in_c.search(count)
            sampler.note_tries(*self._in_c.tries())
            if done == count:
                return
            count -= done
            self._leave_c()
        super().search(sampler, count)

    def _draws_in_c(self, sampler: DeterminizationSampler[S]) -> bool:
        """Return whether C can draw the determinizations of a sampler, and let it know how."""
        if sampler is not self._sampler:
            self._sampler, plan = sampler, sampler.plan()
            self._has_plan = plan is not None and self._in_c.use_plan(plan, sampler.top)
        return self._has_plan

    @override
    def iterate(self, state: S) -> None:
        if not self._is_done_in_c(state, ANY_ACTION):
            super().iterate(state)

    @override
    def iterate_after(self, state: S, action: int) -> None:
        if not self._is_done_in_c(state, action):
            super().iterate_after(state, action)

    def _is_done_in_c(self, state: S, action: int) -> bool:
        """Run an iteration in C; return False if Python has to do it."""
        if self.is_in_c and not self._in_c.iterate(state.face, action):
            self._leave_c()
        return self.is_in_c

    @override
    def advance_root(self, state: S, steps: Iterable[Step], observation: Observation[S]) -> bool:
        if not self.is_in_c:
            return super().advance_root(state, steps, observation)
        listed = list(steps)
        self._start(observation, InfoSet())
        self._sampler = None
        readable, rivals = _readable(observation), self._firsts.tokens
        is_there: bool | None = self._in_c.advance(state.face, listed, readable, rivals)
        if is_there is None:
            self._leave_c()
            return super().advance_root(state, listed, observation)
        edges, added = self._in_c.size()
        return is_there and edges > 0 and added < MOST

    @override
    def rating(self, state: S, action: int) -> Rated:
        if not self.is_in_c:
            return super().rating(state, action)
        edge = self._in_c.edge(self._keys.edge_key(state, action))
        if edge is None or not edge[0]:
            return Rated(action, 0, 0.0)
        visits, total = edge
        return Rated(action, visits, self._values.rating(total / visits))

    @override
    def in_python(self, observation: Observation[S]) -> SearchTree[S]:
        if not self.is_in_c:
            return self
        copy = SearchTree(observation, self._rng, self._playout)
        self._fill(copy)
        return copy

    @override
    def roots(self) -> list[InfoSet]:
        # Whoever asks changes the tree: processes that exchange their trees.
        if self.is_in_c:
            self._leave_c()
        return super().roots()

    def _leave_c(self) -> None:
        """Go on in Python, with the tree that C has made."""
        self._fill(self)
        self._selector.added = self._in_c.size()[1]
        self._take_averages()

    def _take_averages(self) -> None:
        total, count, *averages = self._in_c.averages()
        self._values.use_margins(total, count)
        self._standardizer.use_averages(*averages)
        self.is_in_c = False

    def _fill(self, tree: SearchTree[S]) -> None:
        """Replace the content of a tree at the same root."""
        infosets, edges, roots = self._in_c.content()
        made: list[InfoSet] = []
        for parent, key in infosets:
            made.append(made[parent].new_child(key) if parent >= 0 else InfoSet())
        for number, key, action, seat, visits, available, *sums in edges:
            edge = Edge(action, seat)
            edge.visits, edge.available = visits, available
            edge.regret, edge.standardized, edge.total = sums
            made[number].add(key, edge)
        tree.use_roots([made[number] for number in roots])


def _readable(observation: Observation[S]) -> S:
    """Return a copy of an observed state whose faces C can read: none where its seat sees none."""
    state = observation.state.clone()
    state.face = blanked(state.face)
    return state
