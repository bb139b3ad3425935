"""Rankings over several games in three views: mean Elo, Nash averaging and Kemeny.

Each view has a bias: the mean is dominated by large margins in a single game, Nash averaging uses
only the games that are hard for the strongest bots, and Kemeny uses only the order in each game.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cardhub.base.writing import listed
from cardhub.lab.estimate import Estimate
from cardhub.lab.stats.bootstrap import Ranks, intervals, ranges, rank_ranges, ranks_of
from cardhub.lab.stats.game_theory.zerosum import max_entropy_nash, minimiser
from cardhub.lab.stats.many_games.kemeny import Kemeny, kemeny, preferences
from cardhub.lab.stats.ratings.fit import Ratings
from cardhub.lab.stats.types import Floats, Ints, check_level

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
            sentences.append(_sentence(pair, above, below, is_settled))
    return sentences


def _is_above(view: OverallView, one: int, other: int) -> bool:
    return view.ranks[one].rank < view.ranks[other].rank


def _sentence(
    pair: tuple[str, str],
    above: Sequence[OverallView],
    below: Sequence[OverallView],
    is_settled: bool,
) -> str:
    ups, downs = (listed([view.name for view in views]) for views in (above, below))
    chance = "" if is_settled else "; their rank ranges overlap everywhere, so it may be chance"
    return f"{pair[0]} is above {pair[1]} by {ups}, but below by {downs}{chance}."
