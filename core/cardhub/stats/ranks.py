"""Ranks and their bootstrap intervals, such as "2-4"."""

from typing import NamedTuple

import numpy as np

from cardhub.stats.types import Floats, Ints


class Ranks(NamedTuple):
    """A rank, 1 for the best, with the best and worst rank of its interval."""

    rank: int
    best: int
    worst: int

    def __str__(self) -> str:
        """Return the interval as text, such as "2-4", or "2" for a single rank."""
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


def ranks_of(scores: Floats) -> Ints:
    """Return ranks along the last axis, the highest score first; ties share the better rank."""
    higher = scores[..., None, :] > scores[..., :, None] + 1e-9 * (1 + np.abs(scores[..., :, None]))
    return np.asarray(1 + higher.sum(axis=-1), dtype=np.int64)


def rank_ranges(scores: Floats, draws: Floats, level: float) -> list[Ranks]:
    """Return the rank of each score with its interval over `draws` (draws x scores)."""
    return ranges(ranks_of(scores), ranks_of(draws), level)


def ranges(ranks: Ints, draws: Ints, level: float) -> list[Ranks]:
    """Return ranks with percentile intervals of their draws (draws x ranks).

    Each interval is extended to contain its rank.
    """
    if not len(draws):
        return [Ranks(int(rank), int(rank), int(rank)) for rank in ranks]
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(draws, tails, axis=0, method="inverted_cdf")
    rows = zip(ranks.tolist(), low.tolist(), high.tolist(), strict=True)
    return [Ranks(rank, int(min(rank, best)), int(max(rank, worst))) for rank, best, worst in rows]
