"""Statistics of one game of a match, assembled from its totals."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from cardhub.analysis.accumulate import Accumulated, ContestTotals
from cardhub.analysis.game_schema import BotRow, Deals, GameStatistics, IntervalEstimate, SeatRow
from cardhub.analysis.pairs import (
    PairResult,
    crosstable,
    p_value_of,
    pair_results,
    pair_rows,
    payoffs_between,
)
from cardhub.analysis.partners import ad_hoc_rows, partner_rows
from cardhub.analysis.transitivity import transitivity_of
from cardhub.errors.quoting import listed
from cardhub.match.block_seeds import statistics_seed
from cardhub.match.match_spec import Contest, Match
from cardhub.stats import (
    PointRating,
    Ranks,
    Rating,
    Ratings,
    fit_ratings,
    mean_points,
    mean_score,
    point_ratings,
    pooled,
    seat_edge,
    seat_edge_in_points,
)


@dataclass(frozen=True)
class AnalysedContest:
    """A contest, its ratings by index of the entrant in the match, and its statistics."""

    contest: Contest
    ratings: Ratings
    statistics: GameStatistics

    def deals(self, one: str, other: str) -> Deals | None:
        """Return the first and the last deal on which two bots met."""
        found = (row.deals for row in self.statistics.pairs if {*row.bots} == {one, other})
        return next(found, None)


def analyse_contest(match: Match, totals: ContestTotals, log: Accumulated) -> AnalysedContest:
    """Return the ratings and statistics of a contest."""
    contest, rules = totals.contest, match.rating
    # Each purpose has a seed of its own, so that one more draw of one changes no other figure.
    ratings = _ratings(match, totals)
    results = pair_results(match, totals, Random(statistics_seed(match.seed, contest.id, "signs")))
    points = _point_ratings(match, contest, results)
    transitivity, notes = transitivity_of(match, contest, results)
    luck = pooled(one.spread for one in results)
    bots = _bots(match, totals, _Ratings(ratings, points), log.tallies.withdrawn)
    cells = crosstable(results, rules.level)
    statistics = GameStatistics(
        game=contest.id,
        name=contest.game,
        players=contest.players,
        scoring=contest.score,
        unit=contest.unit,
        is_common=contest.is_common,
        target=contest.target,
        blocks=totals.blocks,
        games=totals.games,
        games_per_block=totals.games / totals.blocks if totals.blocks else None,
        left_out=tuple(totals.left_out),
        p_value_of=p_value_of(results),
        bots=bots,
        pairs=pair_rows(results, totals, rules.level),
        crosstable=cells,
        partners=partner_rows(totals, rules.level, log.tallies.withdrawn),
        ad_hoc=ad_hoc_rows(totals, rules.level, log.tallies.withdrawn),
        seats=_seats(totals, ratings, rules.level),
        luck_share=luck.luck_share if luck else None,
        factor_saved=luck.factor_saved if luck else None,
        transitivity=transitivity,
        upsets=totals.upsets.rows(bots, cells),
        faults=totals.faults.rows(contest.id),
        audit=totals.audit.row(),
        notes=(*_notes(match, totals, ratings, results), *notes),
    )
    return AnalysedContest(contest, ratings, statistics)


def _ratings(match: Match, totals: ContestTotals) -> Ratings:
    names, rules = [entrant.id for entrant in match.entrants], match.rating
    anchor = next(iter(rules.anchor), None)
    return fit_ratings(
        totals.table.table(),
        len(names),
        anchor=None if anchor is None else names.index(anchor),
        anchor_elo=rules.anchor.get(anchor, 0.0) if anchor else 0.0,
        draws=rules.bootstrap,
        seed=statistics_seed(match.seed, totals.contest.id, "ratings"),
        level=rules.level,
    )


class _Ratings(NamedTuple):
    """Ratings by index of the entrant; those in points only if the contest is scored so."""

    by_places: Ratings
    in_points: Sequence[PointRating | None] | None

    def ranks(self, bot: int) -> Ranks | None:
        rated: Rating | PointRating | None = self.by_places.by_bot[bot]
        if self.in_points is not None:
            rated = self.in_points[bot]
        return rated.ranks if rated else None


def _point_ratings(
    match: Match, contest: Contest, results: Sequence[PairResult]
) -> Sequence[PointRating | None] | None:
    if not contest.in_points:
        return None
    return point_ratings(
        payoffs_between([entrant.id for entrant in match.entrants], results),
        draws=match.rating.bootstrap,
        seed=statistics_seed(match.seed, contest.id, "points"),
        level=match.rating.level,
    )


def _bots(
    match: Match, totals: ContestTotals, ratings: _Ratings, withdrawn: Collection[str]
) -> tuple[BotRow, ...]:
    rows = [
        _bot(totals, ratings, entrant.id, number, match.rating.level, withdrawn)
        for number, entrant in enumerate(match.entrants)
        if entrant.id in totals.bots
    ]
    # The sort is stable: bots of equal rank keep the order of the file.
    return tuple(sorted(rows, key=lambda row: row.rank or len(match.entrants) + 1))


def _bot(
    totals: ContestTotals,
    ratings: _Ratings,
    bot: str,
    number: int,
    level: float,
    withdrawn: Collection[str],
) -> BotRow:
    counts, ranks = totals.bots[bot], ratings.ranks(number)
    by_places = ratings.by_places.by_bot[number]
    in_points = ratings.in_points[number] if ratings.in_points else None
    return BotRow(
        game=totals.contest.id,
        bot=bot,
        deals=counts.deals,
        is_filler=bot in totals.contest.fillers,
        is_withdrawn=bot in withdrawn,
        blocks=counts.blocks,
        games=counts.games,
        score=counts.mean_score,
        points=IntervalEstimate.of(mean_points(counts.by_deal(), level)),
        points_above_mean=IntervalEstimate.of(in_points.points) if in_points else None,
        reached=IntervalEstimate.of(mean_score(counts.reached(), level)),
        elo=IntervalEstimate.of(by_places.elo) if by_places else None,
        rank=ranks.rank if ranks else None,
        best=ranks.best if ranks else None,
        worst=ranks.worst if ranks else None,
        worst_games=counts.worst_games(),
    )


def _seats(totals: ContestTotals, ratings: Ratings, level: float) -> tuple[SeatRow, ...]:
    if totals.contest.is_common:
        return ()
    scores = totals.seats.by_deal()
    # Two estimates: from blocks without substitutes, and from the joint fit of all games.
    edge_of = seat_edge_in_points if totals.contest.in_points else seat_edge
    edges = edge_of(scores.tolist(), level)
    fitted = {edge.players: edge.seats for edge in ratings.seats}.get(totals.contest.parties)
    teams = totals.contest.teams or range(totals.contest.players)
    parties = sorted(set(teams))
    return tuple(
        SeatRow(
            seat=seat,
            blocks=len(scores),
            score=IntervalEstimate.of(edges[seat]) if edges else None,
            elo=IntervalEstimate.of(fitted[parties.index(team)]) if fitted else None,
        )
        for seat, team in enumerate(teams)
    )


def _notes(
    match: Match, totals: ContestTotals, ratings: Ratings, results: list[PairResult]
) -> list[str]:
    notes = []
    names = [entrant.id for entrant in match.entrants]
    anchor = next(iter(match.rating.anchor), None)
    if not totals.blocks:
        notes.append("No block is finished yet.")
    elif anchor is not None and ratings.anchor is None and not totals.contest.is_common:
        notes.append(f"{anchor} has no rating here: 0 is the mean of the others.")
    unrated = [bot for bot in totals.bots if names.index(bot) not in ratings.rated]
    if totals.blocks and unrated and not totals.contest.is_common:
        notes.append(f"No chain of whole blocks connects {listed(unrated)} with the others.")
    if any(one.scores.size and not one.is_as_planned for one in results):
        notes.append(
            "Some pairs did not play as many blocks as planned, or were chosen by results: only "
            "the anytime-valid intervals hold for them."
        )
    return notes
