"""Separation: which ratings have a finite estimate, and which are only bounds.

The maximum-likelihood ratings of a Plackett-Luce model are finite if and only if in each division
of the bots into two sets some bot of either set finished ahead of one of the other (Ford 1957). How
far apart bots are that always won and bots that always lost is decided by pseudo-games alone.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from cardhub.lab.estimate import Estimate, OpenEstimate
from cardhub.lab.stats.bootstrap import interval
from cardhub.lab.stats.ratings.fit import Ratings
from cardhub.lab.stats.ratings.tabulation import FinishTable

Bools = NDArray[np.bool_]


class Separation(Enum):
    """Whether a bot's Elo has a finite estimate, relative to the bots that 0 rests on."""

    NONE = "finite"
    ABOVE = "only a lower bound"
    BELOW = "only an upper bound"
    UNKNOWN = "no bound"


def separations(table: FinishTable, ratings: Ratings) -> Mapping[int, Separation]:
    """Return the separation of each rated bot from the anchor.

    Without an anchor it is the separation from the largest set of bots whose differences are
    finite, or from all other bots if all differences are infinite.
    """
    bots = list(ratings.rated)
    ahead = _ahead(table, bots)
    anchor = None if ratings.anchor is None else bots.index(ratings.anchor)
    core = _core(ahead & ahead.T, anchor)
    return {
        bot: Separation.NONE if core[n] else _side(ahead, n, core) for n, bot in enumerate(bots)
    }


def centred(ratings: Ratings, separation_of: Mapping[int, Separation], level: float) -> Ratings:
    """Return ratings whose 0 is the mean of the bots with a finite Elo, unless there is an anchor.

    A mean over all bots would carry the pseudo-games of a single one into every rating.
    """
    core = [n for n, bot in enumerate(ratings.rated) if separation_of[bot] is Separation.NONE]
    if ratings.anchor is not None or len(core) in (0, len(ratings.rated)):
        return ratings
    by_bot, values = list(ratings.by_bot), _values(ratings)
    zero = float(values[core].mean())
    draws = ratings.draws - ratings.draws[:, core].mean(axis=1, keepdims=True)
    for n, bot in enumerate(ratings.rated):
        rating = by_bot[bot]
        if rating is not None:
            by_bot[bot] = replace(rating, elo=interval(values[n] - zero, draws[:, n], level))
    return replace(ratings, by_bot=tuple(by_bot), draws=draws)


def bounded(elo: Estimate, separation: Separation) -> OpenEstimate:
    """Return an Elo, or its bound if it has no finite estimate."""
    if separation is Separation.NONE:
        return elo
    low = elo.low if separation is Separation.ABOVE else None
    return OpenEstimate(None, low, elo.high if separation is Separation.BELOW else None)


def _values(ratings: Ratings) -> NDArray[np.float64]:
    rows = [ratings.by_bot[bot] for bot in ratings.rated]
    return np.asarray([rating.elo.value for rating in rows if rating is not None])


def _ahead(table: FinishTable, bots: list[int]) -> Bools:
    """Return which bots finished ahead of which, or level, directly or through others."""
    ahead = np.eye(len(bots), dtype=np.bool_)
    number = {bot: n for n, bot in enumerate(bots)}
    for pattern in table.patterns:
        if not set(pattern.bots) <= number.keys():
            continue
        seated = [number[bot] for bot in pattern.bots]
        ends = list(accumulate(pattern.sizes))
        for end, size in zip(ends, pattern.sizes, strict=True):
            ahead[np.ix_(seated[end - size : end], seated[end - size :])] = True
    # Warshall's closure: few bots.
    for n in range(len(bots)):
        ahead |= ahead[:, n, None] & ahead[None, n]
    return ahead


def _core(connected: Bools, anchor: int | None) -> Bools:
    if anchor is not None:
        return np.asarray(connected[anchor], dtype=np.bool_)
    largest = connected[connected.sum(axis=1).argmax()] if len(connected) else connected
    # A bot alone is finite to itself only.
    is_alone = len(largest) > 1 and largest.sum() == 1
    return np.asarray(largest & (not is_alone), dtype=np.bool_)


def _side(ahead: Bools, bot: int, core: Bools) -> Separation:
    others = core if core.any() else np.arange(len(core)) != bot
    is_above, is_below = bool(ahead[bot, others].any()), bool(ahead[others, bot].any())
    if is_above and not is_below:
        return Separation.ABOVE
    return Separation.BELOW if is_below and not is_above else Separation.UNKNOWN
