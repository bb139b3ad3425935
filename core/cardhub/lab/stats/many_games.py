"""Rankings over several games in three views: mean Elo, Nash averaging and Kemeny's ranking.

Each view has a bias: the mean is dominated by large margins in a single game, Nash averaging uses
only the games that are hard for the strongest bots, and Kemeny uses only the order in each game.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cardhub.base.writing import listed
from cardhub.lab.estimate import Estimate
from cardhub.lab.stats.bootstrap import Ranks, intervals, ranges, rank_ranges, ranks_of
from cardhub.lab.stats.game_theory import max_entropy_nash, minimiser
from cardhub.lab.stats.ratings.fit import Ratings
from cardhub.lab.stats.types import Floats, Ints, check_level

# The largest number of bots for the exact search, O(2^n n); above it, a local search is used.
LARGEST_EXACT = 14


class Kemeny(NamedTuple):
    """An order, best first, and its number of contradictions: discordant pairs over all games.

    `bound` is a lower bound of the contradictions of any order; if it is less, a better order may
    exist. `equals` is the number of optimal orders, None if unknown.
    """

    order: tuple[int, ...]
    contradictions: float
    bound: float
    equals: int | None


def preferences(scores: Floats) -> Floats:
    """Return the number of rows of scores (games x bots) in which each bot is above each.

    Ties count 1/2.
    """
    ranks = ranks_of(scores)
    above = (ranks[..., :, None] < ranks[..., None, :]).sum(axis=-3)
    equal = (ranks[..., :, None] == ranks[..., None, :]).sum(axis=-3)
    return np.asarray(above + equal / 2, dtype=np.float64)


def kemeny(preferred: Floats, favourites: Ints) -> Kemeny:
    """Return an optimal order for a matrix of preferences.

    `favourites` are all bots in the order that breaks ties among optimal orders.
    """
    matrix = preferred[np.ix_(favourites, favourites)]
    if len(matrix) <= LARGEST_EXACT:
        order, cost, equals = _exact(matrix)
        return Kemeny(_as_bots(order, favourites), cost, cost, equals)
    order = _local_optimum(matrix)
    bound = float(np.minimum(matrix, matrix.T)[np.triu_indices(len(matrix), 1)].sum())
    cost = float(np.tril(matrix[np.ix_(order, order)], -1).sum())
    return Kemeny(_as_bots(order, favourites), cost, bound, None)


def _as_bots(order: list[int], favourites: Ints) -> tuple[int, ...]:
    return tuple(int(favourites[row]) for row in order)


def _exact(matrix: Floats) -> tuple[list[int], float, int]:
    # Held and Karp's dynamic programming over sets, as bit masks: the optimal order of a set ends
    # with one of its bots, after the optimal order of the others. `lost[bot][set]` are the
    # contradictions of ranking the bot below all of the set.
    bots = len(matrix)
    lost = [_sums_over_sets(row) for row in matrix]
    cost: Floats = np.full(2**bots, np.inf)
    ways: Ints = np.zeros(2**bots, dtype=np.int64)
    cost[0], ways[0] = 0, 1
    for bot, sets, before in _layers(bots):
        total, best = cost[before] + lost[bot][before], cost[sets]
        ways[sets] = np.where(total < best, 0, ways[sets]) + np.where(
            total <= best, ways[before], 0
        )
        cost[sets] = np.minimum(best, total)
    return _read_back(cost, lost), float(cost[-1]), int(ways[-1])


@cache
def _layers(bots: int) -> list[tuple[int, Ints, Ints]]:
    # (bot, sets that contain it, these sets without it), small sets first: sets of equal size are
    # updated as an array, after all of their subsets.
    every = np.arange(2**bots)
    size = np.bitwise_count(every)
    layers = []
    for members in range(1, bots + 1):
        for bot in range(bots):
            sets = every[(size == members) & (every >> bot & 1 == 1)]
            layers.append((bot, sets, sets ^ (1 << bot)))
    return layers


def _sums_over_sets(row: Floats) -> Floats:
    sums: Floats = np.zeros(1)
    for value in row.tolist():
        sums = np.concatenate([sums, sums + value])
    return sums


def _read_back(cost: Floats, lost: list[Floats]) -> list[int]:
    # The last rank is filled first, with the bot that comes last among the favourites: so ties of
    # optimal orders are broken in favour of the first.
    left, order = len(cost) - 1, []
    while left:
        for bot in reversed(range(len(lost))):
            before = left ^ (1 << bot)
            if left >> bot & 1 and cost[before] + lost[bot][before] == cost[left]:
                order.append(bot)
                left = before
                break
    return order[::-1]


def _local_optimum(matrix: Floats) -> list[int]:
    # Borda's order is a start within a factor of 5 of the optimum (Coppersmith et al. 2006).
    order: list[int] = np.argsort(-matrix.sum(axis=1), kind="stable").tolist()
    while True:
        gains = _gains_of_moves(matrix[np.ix_(order, order)])
        start, end = divmod(int(gains.argmax()), len(order))
        if gains[start, end] <= 0:
            return order
        order.insert(end, order.pop(start))


def _gains_of_moves(ordered: Floats) -> Floats:
    # Gain of moving a bot from each rank (row) to each other (column): the sum of the pairs that
    # the bot passes, computed for all moves by cumulative sums.
    wins = ordered - ordered.T
    up_to = np.cumsum(wins, axis=1)
    later = np.diag(up_to)[:, None] - up_to
    return np.asarray(later + np.tril(wins, -1), dtype=np.float64)


MEAN, NASH, KEMENY = "mean Elo", "Nash averaging", "Kemeny"


@dataclass(frozen=True)
class OverallView:
    """One aggregate ranking; `scores` are in Elo by bot, None for Kemeny, which has only ranks."""

    name: str
    scores: tuple[Estimate, ...] | None
    ranks: tuple[Ranks, ...]


@dataclass(frozen=True)
class Overall:
    """All views over the games, for the bots that are rated in every game.

    `bots` are the indices of these bots; all other sequences by bot have the same order. `games`
    and `best` are the equilibrium mixtures of games and of bots in Nash averaging, `gap` is the
    solver's error in Elo. `lottery` is Fishburn's maximal lottery over the per-game orders: the
    mixture that no bot beats in a majority of games. `is_anchored` is whether Elo 0 is the anchor
    in all games; if not, it is the mean of these bots in each game.
    """

    bots: tuple[int, ...]
    views: tuple[OverallView, ...]
    games: tuple[Estimate, ...]
    best: tuple[float, ...]
    gap: float
    kemeny: Kemeny
    lottery: tuple[float, ...]
    is_anchored: bool


def overall_views(
    ratings: Sequence[Ratings],
    *,
    level: float = 0.95,
    nash_draws: int = 300,
    finite: Collection[int] = (),
) -> Overall | None:
    """Return the views over ratings in several games; None if no bot is rated in all of them.

    All views use the same bootstrap draws; Nash averaging uses the first `nash_draws` of them.
    Without a common anchor 0 is the mean of the bots, of the `finite` ones if there are any.
    """
    check_level(level)
    bots = _rated_in_all(ratings)
    if not bots:
        return None
    zero = _common_anchor(ratings, bots)
    zeros = _finite(bots, finite) if zero is None else [zero]
    elo = _relative_to(_elo_by_game(ratings, bots), zeros)
    draws = _relative_to(_joint_draws(ratings, bots), zeros)
    # Bots (rows, maximizing) against games (columns, minimizing).
    nash = max_entropy_nash(elo.T)
    mixtures = np.asarray([minimiser(drawn.T) for drawn in draws[:nash_draws]])
    preferred, favourites = preferences(elo), np.argsort(-elo.mean(axis=0), kind="stable")
    best_order = kemeny(preferred, favourites)
    views = (
        _mean_view(elo, draws, level),
        _nash_view(elo, draws[:nash_draws], nash.columns, mixtures, level),
        _kemeny_view(best_order, draws, level),
    )
    return Overall(
        bots=bots,
        views=views,
        games=intervals(nash.columns, mixtures, level),
        best=tuple(nash.rows.tolist()),
        gap=nash.gap,
        kemeny=best_order,
        lottery=tuple(max_entropy_nash(preferred - preferred.T).rows.tolist()),
        is_anchored=zero is not None,
    )


def _rated_in_all(ratings: Sequence[Ratings]) -> tuple[int, ...]:
    sets = [set(rated.rated) for rated in ratings]
    return tuple(sorted(set.intersection(*sets))) if sets else ()


def _finite(bots: Sequence[int], finite: Collection[int]) -> list[int]:
    return [n for n, bot in enumerate(bots) if bot in finite] or list(range(len(bots)))


def _common_anchor(ratings: Sequence[Ratings], bots: tuple[int, ...]) -> int | None:
    anchor = ratings[0].anchor
    if anchor is None or any(rated.anchor != anchor for rated in ratings):
        return None
    return bots.index(anchor)


def _elo_by_game(ratings: Sequence[Ratings], bots: tuple[int, ...]) -> Floats:
    rows = [[rated.by_bot[bot] for bot in bots] for rated in ratings]
    return np.asarray([[bot.elo.value for bot in row if bot is not None] for row in rows])


def _joint_draws(ratings: Sequence[Ratings], bots: tuple[int, ...]) -> Floats:
    # Draws of different games are independent, so any pairing of them is a joint draw.
    columns = [[rated.rated.index(bot) for bot in bots] for rated in ratings]
    least = min(len(rated.draws) for rated in ratings)
    parts = zip(ratings, columns, strict=True)
    return np.stack([rated.draws[:least, column] for rated, column in parts], axis=1)


def _relative_to(elo: Floats, zeros: Sequence[int]) -> Floats:
    return np.asarray(elo - elo[..., zeros].mean(axis=-1, keepdims=True), dtype=np.float64)


def _mean_view(elo: Floats, draws: Floats, level: float) -> OverallView:
    mean, drawn = elo.mean(axis=0), draws.mean(axis=1)
    ranks = rank_ranges(mean, drawn, level)
    return OverallView(MEAN, intervals(mean, drawn, level), tuple(ranks))


def _nash_view(
    elo: Floats, draws: Floats, games: Floats, mixtures: Floats, level: float
) -> OverallView:
    skill = games @ elo
    drawn = np.einsum("dg,dgb->db", mixtures.reshape(len(draws), -1), draws)
    return OverallView(
        NASH, intervals(skill, drawn, level), tuple(rank_ranges(skill, drawn, level))
    )


def _kemeny_view(order: Kemeny, draws: Floats, level: float) -> OverallView:
    # Many draws have equal orders in all games; the exact search runs once for each of these.
    order_of: dict[bytes, tuple[int, ...]] = {}
    ranks = []
    for drawn in draws:
        orders = ranks_of(drawn)
        key = orders.tobytes()
        if key not in order_of:
            favourites = np.argsort(orders.mean(axis=0), kind="stable")
            order_of[key] = kemeny(preferences(drawn), favourites).order
        ranks.append(_ranks_in(order_of[key]))
    sampled = np.asarray(ranks, dtype=np.int64).reshape(len(draws), -1)
    return OverallView(KEMENY, None, tuple(ranges(_ranks_in(order.order), sampled, level)))


def _ranks_in(order: Sequence[int]) -> Ints:
    ranks: Ints = np.empty(len(order), dtype=np.int64)
    ranks[list(order)] = np.arange(1, len(order) + 1)
    return ranks


def disagreements(result: Overall, names: Sequence[str]) -> list[str]:
    """Return a sentence for each pair of bots that views rank differently; `names` is by bot."""
    sentences = []
    by_mean = sorted(range(len(result.bots)), key=lambda n: result.views[0].ranks[n].rank)
    for one, other in combinations(by_mean, 2):
        above = [view for view in result.views if _is_above(view, one, other)]
        below = [view for view in result.views if _is_above(view, other, one)]
        if above and below:
            pair = names[result.bots[one]], names[result.bots[other]]
            is_settled = any(
                ranks[one].worst < ranks[other].best or ranks[other].worst < ranks[one].best
                for ranks in (view.ranks for view in above + below)
            )
            ups, downs = (listed([view.name for view in views]) for views in (above, below))
            sentence = f"{pair[0]} is above {pair[1]} by {ups}, but below by {downs}"
            if not is_settled:
                sentence += "; their rank ranges overlap everywhere, so it may be chance"
            sentences.append(f"{sentence}.")
    return sentences


def _is_above(view: OverallView, one: int, other: int) -> bool:
    return view.ranks[one].rank < view.ranks[other].rank
