"""The parameter vector of a rating fit, its normal priors, and its pseudo-games.

Pseudo-games keep ratings finite and intervals wide for bots that won or lost all games. Each bot
wins one pseudo-game and loses one, spread over its opponents; so does each seat against the other
seats.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cardhub.lab.stats.ratings.plackett_luce import NO_PARAMETER, Term, stages
from cardhub.lab.stats.ratings.tabulation import Pattern
from cardhub.lab.stats.types import Floats, Ints

# Precision of the normal prior of log strengths and seat effects: standard deviation 20, so wide
# that it only keeps estimates finite where pseudo-games do not.
BOT_PRIOR = 1 / 20**2
# Precision of the normal prior of log tie weights: standard deviation 5.
TIE_PRIOR = 1 / 5**2


@dataclass(frozen=True)
class ParameterIndex:
    """The positions of parameters in the vector: bots, seats, then sizes of ties.

    For identifiability, the first bot and the first seat of each number of players lack a
    parameter; their values are 0.
    """

    bots: tuple[int, ...]
    players: tuple[int, ...]
    ties: tuple[int, ...]

    @cached_property
    def seats(self) -> dict[tuple[int, int], int]:
        """The index of each (number of players, seat) except first seats."""
        keys = [(players, seat) for players in self.players for seat in range(1, players)]
        return {key: len(self.bots) - 1 + number for number, key in enumerate(keys)}

    @property
    def size(self) -> int:
        """The number of parameters."""
        return len(self.bots) - 1 + len(self.seats) + len(self.ties)

    @property
    def prior(self) -> Floats:
        """Return the precision matrix of normal priors around the means of bots and of seats."""
        # I - 1/n is the centring matrix without the row of the first bot or seat: the prior does
        # not depend on which of them is fixed at 0.
        matrix = np.diag(np.full(self.size, TIE_PRIOR))
        first = 0
        for size in (len(self.bots), *self.players):
            part = slice(first, first + size - 1)
            matrix[part, part] = BOT_PRIOR * (np.eye(size - 1) - 1 / size)
            first += size - 1
        return matrix

    def bot(self, bot: int) -> int:
        """Return the parameter index of a bot."""
        return self._index_of_bot[bot]

    def seat(self, players: int, seat: int) -> int:
        """Return the parameter index of a seat, or NO_PARAMETER."""
        return self.seats[players, seat] if seat else NO_PARAMETER

    def tie(self, number: int) -> int:
        """Return the parameter index of the n-th size of ties."""
        return len(self.bots) - 1 + len(self.seats) + number

    def strengths(self, parameters: Floats) -> Floats:
        """Return the log strengths of all bots, bots x draws."""
        return np.vstack([np.zeros((1, parameters.shape[1])), parameters[: len(self.bots) - 1]])

    def deltas(self, parameters: Floats) -> dict[int, Floats]:
        """Return the tie weight of each size of ties, per draw."""
        return {size: np.exp(parameters[self.tie(n)]) for n, size in enumerate(self.ties)}

    def seat_edges(self, players: int, parameters: Floats) -> Floats:
        """Return the centred seat effects, seats x draws."""
        first = self.seats[players, 1]
        zero = np.zeros((1, parameters.shape[1]))
        edges = np.vstack([zero, parameters[first : first + players - 1]])
        return np.asarray(edges - edges.mean(axis=0), dtype=np.float64)

    def slots(self, patterns: Iterable[Pattern]) -> Ints:
        """Return the slots of patterns with equal numbers of players, see `plackett_luce.Term`."""
        return np.asarray([self._slots(pattern) for pattern in patterns], dtype=np.int64)

    def _slots(self, pattern: Pattern) -> list[tuple[int, int]]:
        players = pattern.players
        seated = zip(pattern.bots, pattern.seats, strict=True)
        slots = [(self.bot(bot), self.seat(players, seat)) for bot, seat in seated]
        return slots + [(self.tie(number), NO_PARAMETER) for number in range(len(self.ties))]

    @cached_property
    def _index_of_bot(self) -> dict[int, int]:
        return {bot: number - 1 for number, bot in enumerate(self.bots)}


def parameter_index(patterns: Iterable[Pattern], bots: tuple[int, ...]) -> ParameterIndex:
    """Return the parameter index of `patterns`; the first of `bots` has strength 0."""
    all_patterns = list(patterns)
    ties = {size for pattern in all_patterns for size in pattern.sizes if size > 1}
    players = {pattern.players for pattern in all_patterns}
    return ParameterIndex(bots, tuple(sorted(players)), tuple(sorted(ties)))


def opponents(patterns: Iterable[Pattern]) -> dict[int, set[int]]:
    """Return the set of opponents of each bot."""
    met: dict[int, set[int]] = defaultdict(set)
    for pattern in patterns:
        for bot in pattern.bots:
            met[bot].update(other for other in pattern.bots if other != bot)
    return met


def connected_to(bot: int, met: dict[int, set[int]]) -> set[int]:
    """Return the connected component of a bot in the graph of opponents."""
    component, waiting = {bot}, [bot]
    while waiting:
        new = met.get(waiting.pop(), set()) - component
        component |= new
        waiting += sorted(new)
    return component


# The weight of pseudo-games in the estimate: for a pair that is Jeffreys' prior, Beta(1/2, 1/2).
IN_ESTIMATE = 0.5


class PseudoGames(NamedTuple):
    """The likelihood of the pseudo-games, and the mean share of each in a bot's pseudo-games.

    `size` is the number of games that a pseudo-game counts as.
    """

    term: Term
    shares: Floats
    size: float

    def weights(self, draws: int, rng: np.random.Generator) -> Floats:
        """Return random gamma weights, pseudo-games x draws."""
        # Random with mean 1 for each bot, like the weights of blocks: the interval after n wins in
        # n games is then about as wide as Clopper and Pearson's.
        return self.size * rng.gamma(np.repeat(self.shares[:, None], draws, axis=1))


def pseudo_games(index: ParameterIndex, met: dict[int, set[int]], size: float) -> PseudoGames:
    """Return the pseudo-games among rated bots and among seats; `met` are a bot's opponents.

    `size` is the design effect of blocks: where all games of a block end alike, a pseudo-game
    counts as much as a block.
    """
    slots: list[list[tuple[int, int]]] = []
    shares: list[float] = []
    for one, other in combinations(index.bots, 2):
        if other in met[one]:
            slots += _both_ways(index.bot(one), index.bot(other))
            shares += [(1 / len(met[one]) + 1 / len(met[other])) / 2] * 2
    for players in index.players:
        for left, right in combinations(range(players), 2):
            slots += _both_ways(index.seat(players, left), index.seat(players, right))
            shares += [1 / (players - 1)] * 2
    array = np.asarray(slots, dtype=np.int64).reshape(-1, 2, 2)
    return PseudoGames(Term(stages([1, 1], []), array, index.size), np.asarray(shares), size)


def _both_ways(one: int, other: int) -> list[list[tuple[int, int]]]:
    winner, loser = (one, NO_PARAMETER), (other, NO_PARAMETER)
    return [[winner, loser], [loser, winner]]
