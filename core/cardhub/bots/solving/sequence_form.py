"""The sequence form of a small game (Koller, Megiddo, von Stengel 1996): its tree as arrays.

A sequence of a seat is an action in one of its information sets; number 0 is the empty sequence.
With perfect recall, one sequence of each seat determines the way to a terminal node, so all
computations use only the terminal nodes and each seat's information sets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import SolvingError
from cardhub.bots.solving.game_tree import MOST_NODES, NodeCounter, Tree, TreeNode
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings, Value

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Treeplex:
    """The information sets and sequences of a seat.

    Information set `i` has the sequences `first[i]` to `first[i + 1] - 1`, one for each of
    `actions[i]`, and follows the sequence `parent[i]`. `levels`: ranges of information sets whose
    parents are in earlier ranges. `number`: the number of an information set, by its text.
    """

    number: dict[str, int]
    actions: tuple[tuple[int, ...], ...]
    observations: tuple[Observation[Any], ...]
    first: Ints
    parent: Ints
    levels: tuple[tuple[int, int], ...]

    @property
    def sequences(self) -> int:
        """The number of sequences, including the empty one."""
        return int(self.first[-1])

    def uniform(self) -> Floats:
        """Return the strategy with equal probabilities; see `realization`."""
        sizes = np.diff(self.first)
        return np.concatenate([[1.0], np.repeat(1.0 / sizes, sizes)])

    def realization(self, strategy: Floats) -> Floats:
        """Return the product of the probabilities on the way to each sequence.

        `strategy`: the probability of each sequence in its information set.
        """
        reach = strategy.copy()
        for low, high in self.levels:
            level_sequences = slice(self.first[low], self.first[high])
            sizes = np.diff(self.first[low : high + 1])
            reach[level_sequences] *= np.repeat(reach[self.parent[low:high]], sizes)
        return reach

    def normalized(self, weights: Floats) -> Floats:
        """Return the strategy in proportion to weights; uniform in sets with only zeros."""
        sums = np.zeros(0) if not self.actions else np.add.reduceat(weights, self.first[:-1])
        sizes = np.diff(self.first)
        total = np.repeat(sums, sizes)
        strategy = self.uniform()
        np.divide(weights[1:], total, out=strategy[1:], where=total > 0)
        return strategy

    def add_up(self, values: Floats, strategy: Floats) -> Floats:
        """Add to each sequence the expected value of later decisions; return the values by set.

        `values`: the value of each sequence's terminal nodes; changed in place.
        """
        set_values = np.zeros(len(self.actions))
        for low, high in reversed(self.levels):
            sequences = slice(self.first[low], self.first[high])
            starts = self.first[low:high] - self.first[low]
            set_values[low:high] = np.add.reduceat(values[sequences] * strategy[sequences], starts)
            np.add.at(values, self.parent[low:high], set_values[low:high])
        return set_values

    def maximize(self, values: Floats) -> Floats:
        """Add to each sequence the best value of later decisions; return a best pure strategy.

        `values`: the value of each sequence's terminal nodes; changed in place.
        """
        best = np.zeros(self.sequences)
        best[0] = 1.0
        for low, high in reversed(self.levels):
            for number in range(low, high):
                begin, end = self.first[number], self.first[number + 1]
                choice = begin + int(values[begin:end].argmax())
                best[choice] = 1.0
                values[self.parent[number]] += values[choice]
        return best


class SequenceForm(NamedTuple):
    """A game's tree as arrays.

    For each terminal node: `ends`, the sequence of each seat that leads to it; `chance`, its
    probability by chance; `utilities`, each seat's utility, which is the game's returns.
    """

    nodes: int
    treeplexes: tuple[Treeplex, ...]
    ends: tuple[Ints, ...]
    chance: Floats
    utilities: Floats

    def values(self, strategies: Sequence[Floats]) -> Floats:
        """Return each seat's expected utility if all play these strategies."""
        weight = self.chance.copy()
        for end, plex, strategy in zip(self.ends, self.treeplexes, strategies, strict=True):
            weight *= plex.realization(strategy)[end]
        return weight @ self.utilities

    def end_values(self, seat: int, reaches: Sequence[Floats]) -> Floats:
        """Return the value to `seat` of the terminal nodes of each of its sequences.

        The values are weighted with chance and the other seats' realizations; `reaches[seat]` is
        not read.
        """
        weight = self.chance * self.utilities[:, seat]
        for rival, (end, reach) in enumerate(zip(self.ends, reaches, strict=True)):
            if rival != seat:
                weight = weight * reach[end]
        summed = np.bincount(self.ends[seat], weight, self.treeplexes[seat].sequences)
        return np.asarray(summed, np.float64)


def sequence_form(
    game: Game[Any], seats: int, settings: Settings, most_nodes: int = MOST_NODES
) -> SequenceForm:
    """Return the sequence form of a game.

    Raises SolvingError if the tree has more than `most_nodes` nodes.
    """
    return _Expansion(game, seats, settings, most_nodes).run()


class _InfoSets:
    """The information sets of a seat, in the order of their discovery."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.actions: list[tuple[int, ...]] = []
        self.observations: list[Observation[Any]] = []
        self.parent: list[tuple[int, int]] = []
        self.level: list[int] = []

    def find(self, node: TreeNode[Any], parent: tuple[int, int]) -> int:
        """Return the number of a node's information set, which may be new."""
        state = node.state
        observation = Observation(node.tree.game, state, state.seat, node.history)
        text = observation.information_text()
        actions = tuple(action for action, _ in node.odds)
        number = self.number.setdefault(text, len(self.actions))
        if number == len(self.actions):
            self.actions.append(actions)
            self.observations.append(observation)
            self.parent.append(parent)
            self.level.append(self.level[parent[0]] + 1 if parent[0] >= 0 else 0)
        if self.actions[number] != actions or self.parent[number] != parent:
            raise SolvingError(
                f"{node.tree.game.name} has imperfect recall: seat {state.seat} reaches one "
                f"information state in two ways, {text!r}"
            )
        return number

    def finished(self) -> tuple[Treeplex, Ints]:
        """Return the treeplex, with information sets sorted by level, and their new numbers."""
        order = sorted(range(len(self.level)), key=self.level.__getitem__)
        rank = np.empty(len(order), np.intp)
        rank[order] = np.arange(len(order))
        sizes = [len(self.actions[old]) for old in order]
        first = np.cumsum([1, *sizes], dtype=np.intp)
        parents = [self.parent[old] for old in order]
        parent = [0 if old < 0 else int(first[rank[old]]) + index for old, index in parents]
        counts = np.bincount([self.level[old] for old in order], minlength=1)
        edges = [0, *np.cumsum(counts).tolist()]
        levels = [(low, high) for low, high in pairwise(edges) if low < high]
        plex = Treeplex(
            {text: int(rank[old]) for text, old in self.number.items()},
            tuple(self.actions[old] for old in order),
            tuple(self.observations[old] for old in order),
            first,
            np.array(parent, np.intp),
            tuple(levels),
        )
        return plex, rank


# The empty sequence, as an information set and an index of its actions.
EMPTY = (-1, 0)


class _Expansion:
    """A traversal of a complete tree."""

    def __init__(self, game: Game[Any], seats: int, settings: Settings, most_nodes: int) -> None:
        self._tree = Tree(game, seats, settings)
        self._counter = NodeCounter(self._tree, most_nodes)
        self._scoring = game_scoring(game, settings, seats)
        self._infosets = [_InfoSets() for _ in range(seats)]
        self._ends: list[tuple[tuple[int, int], ...]] = []
        self._chance: list[float] = []
        self._utilities: list[list[float]] = []

    def run(self) -> SequenceForm:
        seats = self._tree.seats
        nodes = [(self._tree.root, 1.0, (EMPTY,) * seats)]
        while nodes:
            nodes += self._following(*nodes.pop())
        plexes = [infosets.finished() for infosets in self._infosets]
        ends = tuple(
            np.array(
                [0 if old < 0 else plex.first[rank[old]] + index for old, index in column], np.intp
            )
            for (plex, rank), column in zip(plexes, zip(*self._ends, strict=True), strict=True)
        )
        return SequenceForm(
            self._counter.count,
            tuple(plex for plex, _ in plexes),
            ends,
            np.array(self._chance),
            np.array(self._utilities),
        )

    def _following(
        self, node: TreeNode[Any], chance: float, sequences: tuple[tuple[int, int], ...]
    ) -> list[tuple[TreeNode[Any], float, tuple[tuple[int, int], ...]]]:
        if node.due.kind == "over":
            self._ends.append(sequences)
            self._chance.append(chance)
            self._utilities.append(self._scoring.returns(node.scores))
            return []
        self._counter.add(len(node.odds))
        if node.due.kind != "turn":
            return [(node.child(step), chance * odds, sequences) for step, odds in node.odds]
        seat = node.state.seat
        number = self._infosets[seat].find(node, sequences[seat])
        return [
            (node.child(step), chance, (*sequences[:seat], (number, index), *sequences[seat + 1 :]))
            for index, (step, _) in enumerate(node.odds)
        ]


class Solution(NamedTuple):
    """A strategy for each seat of a game; see `Treeplex.realization`."""

    form: SequenceForm
    strategies: tuple[Floats, ...]

    def policy(self, observation: Observation[Any]) -> dict[int, float]:
        """Return the probability of each legal action; raises SolvingError for other games."""
        plex = self.form.treeplexes[observation.seat]
        number = plex.number.get(text := observation.information_text())
        if number is None:
            raise SolvingError(f"{observation.game.name}: no information state {text!r} was solved")
        begin, end = plex.first[number], plex.first[number + 1]
        chances = self.strategies[observation.seat][begin:end].tolist()
        return dict(zip(plex.actions[number], chances, strict=True))


def solve(form: SequenceForm, iterations: int) -> Solution:
    """Return the average strategies of CFR+, with alternating updates and linear averaging.

    In a game of two seats with a constant sum they approach an equilibrium. For other games there
    is no guarantee.
    """
    seats = [_Seat(plex) for plex in form.treeplexes]
    for iteration in range(1, iterations + 1):
        reaches = [seat.reach for seat in seats]
        for number, seat in enumerate(seats):
            seat.update(form.end_values(number, reaches), iteration)
            reaches[number] = seat.reach
    return Solution(form, tuple(seat.average() for seat in seats))


class _Seat:
    """A seat's regrets, its strategy, and the weighted sum of all its strategies."""

    def __init__(self, plex: Treeplex) -> None:
        self._plex = plex
        self._regrets = np.zeros(plex.sequences)
        self._strategy = plex.uniform()
        self.reach = plex.realization(self._strategy)
        self._total = np.zeros(plex.sequences)

    def update(self, values: Floats, iteration: int) -> None:
        """Add the regrets of an iteration; the new strategy's weight is the iteration number."""
        means = self._plex.add_up(values, self._strategy)
        gains = values[1:] - np.repeat(means, np.diff(self._plex.first))
        np.maximum(self._regrets[1:] + gains, 0.0, out=self._regrets[1:])
        self._strategy = self._plex.normalized(self._regrets)
        self.reach = self._plex.realization(self._strategy)
        self._total += iteration * self.reach

    def average(self) -> Floats:
        """Return the average strategy, which averages realizations instead of probabilities."""
        return self._plex.normalized(self._total)


def solved(
    game: Game[Any], seats: int, settings: Settings, iterations: int, most_nodes: int
) -> Solution:
    """Return the solution of a game; this process caches it.

    Raises SolvingError if its tree has more than `most_nodes` nodes.
    """
    return _solved(game, seats, tuple(settings.items()), iterations, most_nodes)


# Cached, because the bots of a match solve the same few games.
@lru_cache(maxsize=8)
def _solved(
    game: Game[Any],
    seats: int,
    values: tuple[tuple[str, Value], ...],
    iterations: int,
    most_nodes: int,
) -> Solution:
    form = sequence_form(game, seats, Settings(dict(values)), most_nodes)
    return solve(form, iterations)


class Exploit(NamedTuple):
    """The gain of each seat's response against a strategy for each seat.

    `values`: the seats' expected utilities with the strategies. `responses`: each seat's expected
    utility with its response.
    """

    values: tuple[float, ...]
    responses: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """The mean gain of the seats; in a game of two seats it is half of NashConv."""
        gains = fsum(self.responses) - fsum(self.values)
        return gains / len(self.values)


def best_responses(form: SequenceForm, strategies: Sequence[Floats]) -> list[Floats]:
    """Return a pure best response of each seat to the other seats' strategies."""
    return [_response(form, seat, strategies) for seat in range(len(strategies))]


def exploit(
    form: SequenceForm, strategies: Sequence[Floats], responses: Sequence[Floats] | None = None
) -> Exploit:
    """Return the gain of responses against strategies; `responses` defaults to the best ones."""
    if responses is None:
        responses = best_responses(form, strategies)
    values = []
    for seat, response in enumerate(responses):
        profile = [*strategies[:seat], response, *strategies[seat + 1 :]]
        values.append(float(form.values(profile)[seat]))
    return Exploit(tuple(form.values(strategies).tolist()), tuple(values))


def seat_losses(form: SequenceForm, strategies: Sequence[Floats]) -> list[tuple[Floats, Ints]]:
    """Return by seat what its strategy loses in each of its information sets, and a best sequence.

    The loss is in utility a game, against a best action with a best response afterwards, weighted
    with how often the strategies get there. The sum is the gain of the seat's best response.
    """
    pairs = zip(form.treeplexes, strategies, strict=True)
    reaches = [plex.realization(strategy) for plex, strategy in pairs]
    losses = []
    for seat, (plex, strategy) in enumerate(zip(form.treeplexes, strategies, strict=True)):
        values = form.end_values(seat, reaches)
        best = plex.maximize(values)  # adds to each sequence the best value of later decisions
        chosen = best[1:].nonzero()[0] + 1
        starts = plex.first[:-1]
        means = np.add.reduceat(values * strategy, starts) if len(starts) else np.zeros(0)
        losses.append((reaches[seat][plex.parent] * (values[chosen] - means), chosen))
    return losses


def _response(form: SequenceForm, seat: int, strategies: Sequence[Floats]) -> Floats:
    pairs = zip(form.treeplexes, strategies, strict=True)
    reaches = [plex.realization(strategy) for plex, strategy in pairs]
    return form.treeplexes[seat].maximize(form.end_values(seat, reaches))
