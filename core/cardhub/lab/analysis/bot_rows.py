"""Rows of the bots of a contest: ratings, and ranks within the ranges of the verdicts."""

from collections.abc import Collection, Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from cardhub.lab.analysis.accumulate import ContestTotals
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts, RankRange
from cardhub.lab.analysis.schema import BotRow
from cardhub.lab.estimate import UNKNOWN, OpenEstimate
from cardhub.lab.match.match_spec import Match
from cardhub.lab.stats import (
    PointRating,
    Ratings,
    Separation,
    bounded,
    mean_points,
    mean_score,
    ranks_of,
)


class BotRatings(NamedTuple):
    """Ratings by index of the entrant; `in_points` is None unless points score the contest."""

    by_places: Ratings
    in_points: Sequence[PointRating | None] | None
    separations: Mapping[int, Separation]
    verdicts: MatchVerdicts
    game: str

    def value(self, bot: int) -> float | None:
        """Return the number by which bots are ordered."""
        if self.in_points is not None:
            rated = self.in_points[bot]
            return rated.points.value if rated else None
        rating = self.by_places.by_bot[bot]
        return rating.elo.value if rating else None

    def elo(self, bot: int) -> OpenEstimate | None:
        """Return the Elo by places, or a bound if the bot won or lost everything."""
        rating = self.by_places.by_bot[bot]
        if rating is None:
            return None
        separation = self.separations[bot]
        if separation is Separation.NONE:
            return self.verdicts.estimate(rating.elo)
        if not self.verdicts.is_fixed:
            return UNKNOWN
        return bounded(rating.elo, separation)


def bot_rows(
    match: Match, totals: ContestTotals, ratings: BotRatings, withdrawn: Collection[str]
) -> tuple[BotRow, ...]:
    """Return the bots of a contest, best first."""
    numbers = {entrant.id: number for number, entrant in enumerate(match.entrants)}
    values = {bot: ratings.value(numbers[bot]) for bot in totals.bots}
    ranks = _ranks(values, ratings.verdicts, ratings.game)
    # Bots without a rank come last. The sort is stable: equal bots keep the order of the file.
    order = sorted(values, key=lambda bot: _place(ranks.get(bot), values[bot]))
    level = match.rating.level
    return tuple(
        _bot(totals, ratings, bot, numbers[bot], level, ranks.get(bot), bot in withdrawn)
        for bot in order
    )


class _Rank(NamedTuple):
    rank: int
    range: RankRange


def _ranks(
    values: Mapping[str, float | None], verdicts: MatchVerdicts, game: str
) -> dict[str, _Rank]:
    """Return the ranks of the bots that are compared, by their ratings, within their ranges."""
    compared = [bot for bot in verdicts.compared(game) if values[bot] is not None]
    ranges = verdicts.rank_ranges([game], verdicts.compared(game))
    numbers = np.asarray([values[bot] for bot in compared], dtype=np.float64)
    return {
        bot: _Rank(ranges[bot].nearest(rank), ranges[bot])
        for bot, rank in zip(compared, ranks_of(numbers).tolist(), strict=True)
    }


def _place(rank: _Rank | None, value: float | None) -> tuple[float, float]:
    # Ratings that differ by rounding share a rank: no order by value within one.
    return (rank.rank, 0.0) if rank else (inf, inf if value is None else -value)


def _bot(
    totals: ContestTotals,
    ratings: BotRatings,
    bot: str,
    number: int,
    level: float,
    rank: _Rank | None,
    is_withdrawn: bool,
) -> BotRow:
    counts = totals.bots[bot]
    in_points = ratings.in_points[number] if ratings.in_points else None
    return BotRow(
        game=totals.contest.id,
        bot=bot,
        deals=counts.deals,
        is_filler=bot in totals.contest.fillers,
        is_withdrawn=is_withdrawn,
        blocks=counts.blocks,
        games=counts.games,
        score=counts.mean_score,
        points=ratings.verdicts.estimate(mean_points(counts.by_deal(), level)),
        points_above_mean=ratings.verdicts.estimate(in_points.points) if in_points else None,
        reached=ratings.verdicts.estimate(mean_score(counts.reached(), level)),
        elo=ratings.elo(number),
        rank=rank.rank if rank else None,
        best=rank.range.best if rank else None,
        worst=rank.range.worst if rank else None,
        worst_games=counts.worst_games(),
    )
