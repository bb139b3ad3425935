"""What the seatings of a block show beyond its score: seats, luck and deals that decide nothing."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from cardhub.stats.elo import mean_score
from cardhub.stats.types import Estimate, Floats, check_scores

TOLERANCE = 1e-9


def undecided_share(scores: Sequence[float] | Floats) -> float | None:
    """Return the share of blocks in which both did equally well; None without blocks."""
    blocks = np.asarray(scores, dtype=np.float64)
    if not len(blocks):
        return None
    return float(np.mean(np.abs(blocks - 0.5) < TOLERANCE))


def seat_edge(by_seat: Sequence[Sequence[float]], level: float = 0.95) -> list[Estimate] | None:
    """Return by how much each seat scores more than the mean of all seats, with its interval.

    `by_seat` holds one row per block: for each seat the mean over the block's games of whoever sat
    there. As everybody sits everywhere, the bots cancel out, and what is left is the seat. None
    without blocks.
    """
    rows = np.asarray(by_seat, dtype=np.float64)
    if not len(rows):
        return None
    check_scores(rows)
    edges = rows - rows.mean(axis=1, keepdims=True)
    seats = [mean_score(np.clip((column + 1) / 2, 0, 1), level) for column in edges.T]
    return [Estimate(*(2 * value - 1 for value in seat)) for seat in seats if seat is not None]


class Spread(NamedTuple):
    """How a bot's score varies: `block` is the variance of blocks times the games of a block.

    `game` is the variance of games, `freedom` the number of blocks less one.
    """

    block: float
    game: float
    freedom: int

    @property
    def luck_share(self) -> float:
        """The share of a game's variance that replaying the deal in other seats takes away."""
        return 1 - self.block / self.game

    @property
    def factor_saved(self) -> float | None:
        """How many times more games it would take, were each played on a deal of its own."""
        return None if self.block < TOLERANCE * self.game else self.game / self.block


def spread_of(blocks: Floats, values: Floats, counts: Floats) -> Spread | None:
    """Return the spread of block scores, and of games that had each of some values so often.

    None for fewer than two blocks, or if no two games differ.
    """
    games = float(counts.sum())
    if len(blocks) < 2 or not games or np.ptp(values[counts > 0]) < TOLERANCE:
        return None
    mean = float(counts @ values) / games
    single = float(counts @ (values - mean) ** 2) / (games - 1)
    return Spread(float(blocks.var(ddof=1)) * games / len(blocks), single, len(blocks) - 1)


def pooled(spreads: Iterable[Spread | None]) -> Spread | None:
    """Return the mean of spreads, weighted by their degrees of freedom; None of none."""
    found = [spread for spread in spreads if spread is not None]
    freedom = sum(spread.freedom for spread in found)
    if not freedom:
        return None
    block, game = (sum(spread[n] * spread.freedom for spread in found) / freedom for n in (0, 1))
    return Spread(block, game, freedom)


def luck_share(games: Sequence[Sequence[float]]) -> float | None:
    """Return the share of a game's variance that replaying the deal in other seats takes away.

    `games` holds for each block the scores of one bot in its games. 1 - (variance of blocks x games
    per block / variance of games): 0 if blocks are no better than so many independent games, 1 if
    the deal explains everything, less than 0 if the games of a block resemble one another. None for
    fewer than two blocks, or if no two games differ.
    """
    spread = _spread(games)
    return None if spread is None else spread.luck_share


def factor_saved(games: Sequence[Sequence[float]]) -> float | None:
    """Return how many times more games would be needed, were each played on a deal of its own.

    None where `luck_share` is, and where the deal explains everything.
    """
    spread = _spread(games)
    return None if spread is None else spread.factor_saved


def _spread(games: Sequence[Sequence[float]]) -> Spread | None:
    played = [list(block) for block in games if len(block)]
    singles = np.asarray(list(chain.from_iterable(played)), dtype=np.float64)
    means = np.asarray([sum(block) / len(block) for block in played])
    return spread_of(means, singles, np.ones(len(singles)))
