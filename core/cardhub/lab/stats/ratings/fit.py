"""Ratings of many bots in one game with rank intervals: in Elo by one joint fit, or in points.

The maximum-likelihood ratings of a Plackett-Luce model are finite if and only if in each division
of the bots into two sets some bot of either set finished ahead of one of the other (Ford 1957). How
far apart bots are that always won and bots that always lost is decided by pseudo-games alone.
Ratings in points are a least-squares fit of mean differences.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate
from math import fsum, log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from cardhub.lab.estimate import Estimate, OpenEstimate, PointEstimate
from cardhub.lab.stats.bootstrap import Ranks, interval, intervals, rank_ranges
from cardhub.lab.stats.game_theory import Payoffs
from cardhub.lab.stats.ratings.likelihood import (
    Likelihood,
    ParameterIndex,
    bots_of_blocks,
    connected_to,
    likelihood_of,
    opponents,
    pair_slope,
)
from cardhub.lab.stats.ratings.tabulation import FinishTable, check_bots, tabulate
from cardhub.lab.stats.types import Floats, Ints, PlayedGame, check_level

# Elo per unit of log strength: a factor of 10 in strength are 400 Elo.
ELO = 400 / log(10)


@dataclass(frozen=True)
class Rating:
    """A bot's Elo and rank with intervals, and its numbers of games and blocks."""

    bot: int
    elo: Estimate
    ranks: Ranks
    games: int
    blocks: int


@dataclass(frozen=True)
class Ratings:
    """The ratings in one game.

    `by_bot` has None for bots that are not in the connected component of the fit. `draws` are the
    bootstrap draws of the Elo of the bots in `rated` (draws x bots), the basis of the intervals.
    `seats` are the advantages of the seats in Elo by number of players; their mean is 0.
    `ties` are Davidson's tie weights by size of the tie. `anchor` is the bot with the fixed Elo;
    None if the mean Elo is fixed instead.
    """

    by_bot: tuple[Rating | None, ...]
    rated: tuple[int, ...]
    draws: Floats
    seats: dict[int, tuple[Estimate, ...]]
    ties: dict[int, float]
    anchor: int | None


def fit_ratings(
    games: Iterable[PlayedGame] | FinishTable,
    bots: int,
    *,
    anchor: int | None = None,
    anchor_elo: float = 0.0,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Ratings:
    """Fit the ratings of bots 0 to `bots` - 1 to all games, in any order.

    For large matches, pass the table of a `Tabulation` instead of games. The anchor is fixed at
    `anchor_elo`; without an anchor, or if it played no games, the mean of the rated bots is.
    """
    check_level(level)
    table = games if isinstance(games, FinishTable) else tabulate(games)
    check_bots(table, bots)
    met = opponents(table.patterns)
    rated = _connected_bots(table, met, anchor, bots)
    if not rated:
        return Ratings((None,) * bots, (), np.zeros((draws, 0)), {}, {}, None)
    if anchor not in rated:
        anchor = None
    first = rated[0] if anchor is None else anchor
    ordered = (first, *(bot for bot in rated if bot != first))
    kept = _games_among(table, set(rated))
    scale = _Scale(likelihood_of(kept, ordered, met), kept, rated, anchor, anchor_elo)
    return scale.ratings(bots, draws, seed, level)


def _connected_bots(
    table: FinishTable, met: dict[int, set[int]], anchor: int | None, bots: int
) -> tuple[int, ...]:
    if anchor is not None and not 0 <= anchor < bots:
        raise ValueError(f"unknown anchor {anchor}: bots are numbered 0 to {bots - 1}")
    # Bots that are not connected by games have no common zero.
    if anchor is not None and met.get(anchor):
        return tuple(sorted(connected_to(anchor, met)))
    games = _games_of(table)
    groups = {tuple(sorted(connected_to(bot, met))) for bot in met if met[bot]}
    return max(sorted(groups), key=lambda group: sum(games[bot] for bot in group), default=())


def _games_of(table: FinishTable) -> Counter[int]:
    games: Counter[int] = Counter()
    for pattern, total in zip(table.patterns, _games_by_pattern(table), strict=True):
        for bot in set(pattern.bots):
            games[bot] += round(total)
    return games


def _games_by_pattern(table: FinishTable) -> list[float]:
    totals: Floats = np.asarray(table.counts @ table.copies, dtype=np.float64)
    return [float(total) for total in totals]


def _blocks_of(table: FinishTable) -> Counter[int]:
    blocks: Counter[int] = Counter()
    for bots, copies in zip(bots_of_blocks(table), table.copies.tolist(), strict=True):
        blocks.update(dict.fromkeys(bots, round(copies)))
    return blocks


def _games_among(table: FinishTable, bots: set[int]) -> FinishTable:
    rows = [n for n, pattern in enumerate(table.patterns) if set(pattern.bots) <= bots]
    counts = table.counts[rows]
    columns = np.flatnonzero(counts.sum(axis=0) > 0)
    patterns = [table.patterns[row] for row in rows]
    return FinishTable(patterns, counts[:, columns], table.copies[columns])


@dataclass(frozen=True)
class _Scale:
    """A likelihood with the data to convert its parameters to Elo."""

    likelihood: Likelihood
    table: FinishTable
    rated: tuple[int, ...]
    anchor: int | None
    anchor_elo: float

    def ratings(self, bots: int, draws: int, seed: int, level: float) -> Ratings:
        index = self.likelihood.index
        fit = self.likelihood.estimate()
        sample = self.likelihood.draws(fit, draws, seed)
        # All draws are relative to the same zero: the anchor's interval has width 0, and the other
        # intervals are intervals of the difference to the anchor.
        elo, drawn = self._elo(fit)[:, 0], self._elo(sample)
        ranks = rank_ranges(elo, drawn.T, level)
        games, blocks = _games_of(self.table), _blocks_of(self.table)
        rating_of: list[Rating | None] = [None] * bots
        for number, bot in enumerate(self.rated):
            estimate = interval(elo[number], drawn[number], level)
            rating_of[bot] = Rating(bot, estimate, ranks[number], games[bot], blocks[bot])
        seats = {players: self._seats(players, fit, sample, level) for players in index.players}
        ties = {size: float(delta[0]) for size, delta in index.deltas(fit).items()}
        return Ratings(tuple(rating_of), self.rated, drawn.T, seats, ties, self.anchor)

    def _elo_per_strength(self, parameters: Floats) -> Floats:
        # Elo measures scores, and ties stretch log strengths. The unit gives the expected score at
        # equal strengths the same slope as in the logistic Elo model, 1/4 per unit. With games of
        # several sizes it is the mean over games.
        deltas, weights = self.likelihood.index.deltas(parameters), self._games_by_players()
        is_won_only = any(pattern.is_won_only for pattern in self.table.patterns)
        slopes = [
            share * pair_slope(players, deltas, is_won_only=is_won_only)
            for players, share in weights.items()
        ]
        return np.asarray(4 * ELO * np.sum(slopes, axis=0), dtype=np.float64)

    def _games_by_players(self) -> dict[int, float]:
        totals = _games_by_pattern(self.table)
        games: defaultdict[int, float] = defaultdict(float)
        for pattern, total in zip(self.table.patterns, totals, strict=True):
            games[len(pattern.bots)] += total
        return {players: number / fsum(totals) for players, number in games.items()}

    def _elo(self, parameters: Floats) -> Floats:
        index: ParameterIndex = self.likelihood.index
        elo = index.strengths(parameters) * self._elo_per_strength(parameters)
        elo = elo[[index.bots.index(bot) for bot in self.rated]]
        zero = elo.mean(axis=0) if self.anchor is None else elo[self.rated.index(self.anchor)]
        return np.asarray(elo - zero + self.anchor_elo, dtype=np.float64)

    def _seats(
        self, players: int, fit: Floats, sample: Floats, level: float
    ) -> tuple[Estimate, ...]:
        index = self.likelihood.index
        edges = (index.seat_edges(players, fit) * self._elo_per_strength(fit))[:, 0]
        drawn = index.seat_edges(players, sample) * self._elo_per_strength(sample)
        pairs = zip(edges, drawn, strict=True)
        return tuple(interval(edge, row, level) for edge, row in pairs)


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
    rows = [ratings.by_bot[bot] for bot in ratings.rated]
    values = np.asarray([rating.elo.value for rating in rows if rating is not None])
    by_bot = list(ratings.by_bot)
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


def _ahead(table: FinishTable, bots: list[int]) -> Bools:
    """Return which bots finished ahead of which, or level, directly or through others."""
    ahead = np.eye(len(bots), dtype=np.bool_)
    number = {bot: n for n, bot in enumerate(bots)}
    for pattern in table.patterns:
        if not set(pattern.bots) <= number.keys():
            continue
        seated = [number[bot] for bot in pattern.bots]
        ends = list(accumulate(pattern.sizes))
        for end, size in zip(ends, pattern.placed, strict=False):
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


# The number of deals below which the draws of a bootstrap vary too little.
FEWEST = 8
# The width below which all draws count as equal.
TOLERANCE = 1e-9


def point_ratings(
    payoffs: Payoffs, *, draws: int = 2000, seed: int = 0, level: float = 0.95
) -> tuple[PointEstimate | None, ...]:
    """Return the points a game of each bot above the mean of all rated bots.

    None for bots outside the largest connected component.
    The fit minimizes the squared errors of the mean differences of pairs, weighted by blocks. If
    all pairs play the same deals, a rating is the mean over the opponents. Intervals come from a
    bootstrap over deals. They are None if a pair played fewer than FEWEST deals, and if all blocks
    of each pair are equal.
    """
    by_bot: list[PointEstimate | None] = [None] * payoffs.bots
    rated = _connected(payoffs)
    if len(rated) < 2:
        return tuple(by_bot)
    solve = _solver(payoffs, rated)
    values = payoffs.means @ solve
    if payoffs.blocks[np.isin(payoffs.pairs[:, 0], rated)].min() < FEWEST:
        ratings = [PointEstimate(value, None, None) for value in values.tolist()]
    else:
        drawn = payoffs.draw_differences(draws, seed) @ solve
        # As in `mean_points`: equal blocks do not show how much others would differ.
        ratings = [
            PointEstimate(value, low, high)
            if high - low >= TOLERANCE
            else PointEstimate(value, None, None)
            for value, low, high in intervals(values, drawn, level)
        ]
    for bot, rating in zip(rated.tolist(), ratings, strict=True):
        by_bot[bot] = rating
    return tuple(by_bot)


def _connected(payoffs: Payoffs) -> Ints:
    pairs = payoffs.pairs
    shape = (payoffs.bots, payoffs.bots)
    met = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=shape)
    labels = connected_components(met, directed=False)[1]
    largest = np.bincount(labels).argmax()
    return np.asarray(np.flatnonzero(labels == largest), dtype=np.int64)


def _solver(payoffs: Payoffs, rated: Ints) -> Floats:
    # Combinatorial Hodge theory: mean differences are a flow on the graph of pairs, and ratings the
    # potential nearest to it. The pseudo-inverse gives the one of mean 0.
    pairs = payoffs.pairs
    flow = np.zeros((len(pairs), payoffs.bots))
    flow[np.arange(len(pairs)), pairs[:, 0]] = 1
    flow[np.arange(len(pairs)), pairs[:, 1]] = -1
    inside = np.isin(pairs[:, 0], rated)
    weights = np.where(inside, payoffs.blocks, 0.0)
    part = flow[:, rated]
    normal = part.T @ (weights[:, None] * part)
    return np.asarray((np.linalg.pinv(normal) @ (weights[:, None] * part).T).T, dtype=np.float64)
