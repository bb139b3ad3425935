"""Imagined games that keep ratings finite, and intervals wide, where somebody won or lost them all.

Each bot wins one imagined game and loses one, spread over those it met; so does each seat against
the others. In the estimate they count half (Jeffreys); in the draws their weights are random with
mean 1, as if they were blocks like the others, so that the interval after n wins of n reaches down
to where n wins become unlikely (Clopper and Pearson).
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from cardhub.stats.ratings.parameters import ParameterIndex
from cardhub.stats.ratings.plackett_luce import NOTHING, Term, stages
from cardhub.stats.types import Floats

IN_ESTIMATE = 0.5


class PseudoGames(NamedTuple):
    """The likelihood of the imagined games, and how much each counts in the mean of the draws."""

    term: Term
    shares: Floats

    def weights(self, draws: int, rng: np.random.Generator) -> Floats:
        """Return random weights, games x draws."""
        return rng.gamma(np.repeat(self.shares[:, None], draws, axis=1))


def pseudo_games(index: ParameterIndex, met: dict[int, set[int]]) -> PseudoGames:
    """Return the imagined games among rated bots and among seats; `met` are a bot's opponents."""
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
    """Return the slots of a win of each of two parameters over the other."""
    winner, loser = (one, NOTHING), (other, NOTHING)
    return [[winner, loser], [loser, winner]]
