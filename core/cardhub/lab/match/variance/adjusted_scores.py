"""Scores of a pair with less luck: plain scores plus terms with mean 0, block by block.

How much of a term is added is fitted on earlier blocks only. So the mean stays the same whatever
the fit says, at any time, and a term that does not help is left out after a while.
"""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from cardhub.lab.match.match_spec import Contest
from cardhub.lab.match.task import GameResult
from cardhub.lab.match.variance.corrections import UNIT

# The number of blocks that count as much as the first guess.
GUESS = 10


class BlockTerms(NamedTuple):
    """The terms of a pair in a block, for its score; `is_exact` as in the games' corrections."""

    chance: float
    policies: float
    is_exact: bool


def block_terms(
    results: Sequence[GameResult], contest: Contest, pair: tuple[str, str]
) -> BlockTerms:
    """Return the mean of the terms of a pair over all pairs of its seats, as for its score."""
    chance: list[int] = []
    policies: list[int] = []
    is_exact = True
    for result in results:
        mine, theirs = ([n for n, bot in enumerate(result.seats) if bot == name] for name in pair)
        corrections = result.corrections
        if corrections is not None:
            is_exact = is_exact and corrections.is_exact
        for terms, sums in ((chance, "chance"), (policies, "policies")):
            by_seat = getattr(corrections, sums, ()) or (0,) * len(result.seats)
            terms += [by_seat[seat] - by_seat[rival] for seat in mine for rival in theirs]
    # A difference of scores from 0 to 1 counts half: 1 to 0 is a whole win, 1 above even is two.
    scale = UNIT * (1 if contest.in_points else 2) * max(1, len(chance))
    return BlockTerms(sum(chance) / scale, sum(policies) / scale, is_exact)


class AdjustedScores:
    """The scores of one pair of bots, in the order of the schedule.

    `is_exact`: whether the terms of all blocks are; `has_policies`: whether any are of policies.
    """

    def __init__(self) -> None:
        self.is_exact, self.has_policies = True, False
        self._deal = -1
        self._waiting: list[tuple[BlockTerms, list[float], float]] = []
        self._blocks = 0  # of which the fit knows
        self._mean = 0.0
        self._squares = [0.0, 0.0]
        self._products = [0.0, 0.0]

    def add(self, deal: int, score: float, terms: BlockTerms) -> float:
        """Return the score of the next block with the fitted parts of its terms."""
        if deal != self._deal:
            # Blocks on the same deal share its luck: the fit must not have seen any of it.
            for block in self._waiting:
                self._learn(*block)
            self._deal, self._waiting = deal, []
        self.is_exact &= terms.is_exact
        self.has_policies |= bool(terms.policies)
        factors = self._factors(1.0 if terms.is_exact else 0.0)
        adjusted = fsum(
            [score, *(factor * value for factor, value in zip(factors, terms, strict=False))]
        )
        self._waiting.append((terms, factors, adjusted))
        return adjusted

    def _learn(self, terms: BlockTerms, factors: Sequence[float], adjusted: float) -> None:
        # The first block gives the mean; its own distance from the mean is unknown.
        for number, (factor, value) in enumerate(zip(factors, terms, strict=False)):
            if self._blocks:
                # Without the other term, whose luck would only blur the fit.
                alone = adjusted - factor * value - self._mean
                self._squares[number] += value * value
                self._products[number] += value * alone
        self._blocks += 1
        self._mean += (adjusted - self._mean) / self._blocks

    def _factors(self, guess: float) -> list[float]:
        """Return by how much each term is multiplied: between the guess and what fits best."""
        count = self._blocks
        return [
            (GUESS * guess - count * product / square) / (GUESS + count) if square else guess
            for product, square in zip(self._products, self._squares, strict=True)
        ]
