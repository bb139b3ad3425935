"""Pseudo-games, which keep ratings finite and intervals wide for bots that won or lost all games.

Each bot wins one pseudo-game and loses one, spread over its opponents; so does each seat against
the other seats. In the estimate they have weight 1/2 (Jeffreys' prior). In bootstrap draws their
weights are random with mean 1, like those of blocks, so that the interval after n wins in n games
is about as wide as Clopper and Pearson's.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from cardhub.stats.ratings.parameters import ParameterIndex
from cardhub.stats.ratings.plackett_luce import NO_PARAMETER, Term, stages
from cardhub.stats.types import Floats

IN_ESTIMATE = 0.5
"""The weight of pseudo-games in the estimate."""


class PseudoGames(NamedTuple):
    """The likelihood of the pseudo-games, and the mean weight of each in bootstrap draws."""

    term: Term
    shares: Floats

    def weights(self, draws: int, rng: np.random.Generator) -> Floats:
        """Return random gamma weights, pseudo-games x draws."""
        return rng.gamma(np.repeat(self.shares[:, None], draws, axis=1))


def pseudo_games(index: ParameterIndex, met: dict[int, set[int]]) -> PseudoGames:
    """Return the pseudo-games among rated bots and among seats; `met` are a bot's opponents."""
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
    return PseudoGames(Term(stages([1, 1], []), array, index.size), np.asarray(shares))


def _both_ways(one: int, other: int) -> list[list[tuple[int, int]]]:
    """Return the slots of two pseudo-games: one win for each of two parameters."""
    winner, loser = (one, NO_PARAMETER), (other, NO_PARAMETER)
    return [[winner, loser], [loser, winner]]
