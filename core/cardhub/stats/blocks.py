"""What the seatings of a block show beyond its score: seats, luck and deals that decide nothing."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from cardhub.stats.elo import mean_score
from cardhub.stats.results import Estimate, Floats, check_scores

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


def luck_share(games: Sequence[Sequence[float]]) -> float | None:
    """Return the share of a game's variance that replaying the deal in other seats takes away.

    `games` holds for each block the scores of one bot in its games. 1 - (variance of blocks x games
    per block / variance of games): 0 if blocks are no better than so many independent games, 1 if
    the deal explains everything, less than 0 if the games of a block resemble one another. None for
    fewer than two blocks, or if no two games differ.
    """
    compared = _variances(games)
    return None if compared is None else 1 - compared[0] / compared[1]


def factor_saved(games: Sequence[Sequence[float]]) -> float | None:
    """Return how many times more games would be needed, were each played on a deal of its own.

    None where `luck_share` is, and where the deal explains everything.
    """
    compared = _variances(games)
    if compared is None or compared[0] < TOLERANCE * compared[1]:
        return None
    return compared[1] / compared[0]


def _variances(games: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Return the variance of a game as it counts in blocks, and of a game by itself."""
    played = [list(block) for block in games if len(block)]
    if len(played) < 2:
        return None
    singles = np.asarray(list(chain.from_iterable(played)), dtype=np.float64)
    if np.ptp(singles) < TOLERANCE:
        return None
    means = np.asarray([sum(block) / len(block) for block in played])
    per_block = len(singles) / len(played)
    return float(means.var(ddof=1)) * per_block, float(singles.var(ddof=1))
