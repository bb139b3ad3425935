"""Statistics of one game of a match, assembled from its totals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from cardhub.base.writing import listed
from cardhub.lab.analysis.accumulate import Accumulated, ContestTotals
from cardhub.lab.analysis.bot_rows import BotRatings, bot_rows
from cardhub.lab.analysis.pairs.pair_result import PairResult, pair_results, payoffs_between
from cardhub.lab.analysis.pairs.pair_rows import crosstable, pair_rows
from cardhub.lab.analysis.pairs.partners import ad_hoc_rows, partner_rows
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts
from cardhub.lab.analysis.schema import GameStatistics, SeatRow
from cardhub.lab.analysis.transitivity import transitivity_of
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.block_seeds import statistics_seed
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.stats import (
    PointRating,
    Ratings,
    Separation,
    bounded,
    centred,
    fit_ratings,
    point_ratings,
    pooled,
    seat_edge,
    seat_edge_in_points,
    separations,
)

# The least score of an anchor, and of the others against it, that measures a distance well.
LEAST_TELLING = 0.05


@dataclass(frozen=True)
class AnalysedContest:
    """A contest, its ratings by index of the entrant in the match, and its statistics."""

    contest: Contest
    ratings: Ratings
    separations: Mapping[int, Separation]
    statistics: GameStatistics


def results_of(match: Match, totals: ContestTotals) -> list[PairResult]:
    """Return the results of all pairs of a contest, met or not."""
    # Each purpose has a separate seed: an additional draw for one figure changes no other figure.
    seed = statistics_seed(match.seed, totals.contest.id, "signs")
    return pair_results(match, totals, Random(seed))


def analyse_contest(
    match: Match,
    totals: ContestTotals,
    log: Accumulated,
    results: Sequence[PairResult],
    verdicts: MatchVerdicts,
) -> AnalysedContest:
    """Return the ratings and statistics of a contest, given its pairs and all verdicts."""
    fitted = _ratings(match, totals)
    apart = separations(totals.table.table(), fitted)
    ratings = centred(fitted, apart, match.rating.level)
    points = _point_ratings(match, totals.contest, results)
    bot_ratings = BotRatings(ratings, points, apart, verdicts, totals.contest.id)
    statistics = _statistics(match, totals, log, results, bot_ratings)
    return AnalysedContest(totals.contest, ratings, apart, statistics)


def ratings_of(match: Match, totals: ContestTotals) -> list[OpenEstimate | None]:
    """Return the rating of each entrant by index: in points if the contest is, else in Elo.

    Ratings are relative to the mean of all entrants, with an interval for a number of games set in
    advance. An entrant without a chain of games to most others has None.
    """
    points = _point_ratings(match, totals.contest, results_of(match, totals))
    if points is not None:
        return [rating.points if rating else None for rating in points]
    fitted = _ratings(match, totals)
    apart = separations(totals.table.table(), fitted)
    return [
        bounded(rating.elo, apart[rating.bot]) if rating else None
        for rating in centred(fitted, apart, match.rating.level).by_bot
    ]


def _statistics(
    match: Match,
    totals: ContestTotals,
    log: Accumulated,
    results: Sequence[PairResult],
    ratings: BotRatings,
) -> GameStatistics:
    contest, level, verdicts = totals.contest, match.rating.level, ratings.verdicts
    transitivity, notes = transitivity_of(match, contest, results, verdicts)
    luck = pooled(result.spread for result in results)
    bots = bot_rows(match, totals, ratings, log.tallies.withdrawn)
    cells = crosstable(results, contest.id, verdicts)
    return GameStatistics(
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
        p_value_of="sign_flip" if verdicts.is_fixed else "sequence",
        bots=bots,
        pairs=pair_rows(results, totals, verdicts, level),
        crosstable=cells,
        partners=partner_rows(totals, verdicts, level, log.tallies.withdrawn),
        ad_hoc=ad_hoc_rows(totals, verdicts, level, log.tallies.withdrawn),
        seats=_seats(totals, ratings, level),
        luck_share=luck.luck_share if luck else None,
        factor_saved=luck.factor_saved if luck else None,
        transitivity=transitivity,
        upsets=totals.upsets.rows(bots, cells),
        faults=totals.faults.rows(contest.id),
        audit=totals.audit.row(),
        notes=(*_notes(match, totals, ratings.by_places, results), *notes),
    )


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


def _seats(totals: ContestTotals, ratings: BotRatings, level: float) -> tuple[SeatRow, ...]:
    if totals.contest.is_common:
        return ()
    scores = totals.seats.by_deal()
    # Two estimates: from blocks without substitutes, and from the joint fit of all games.
    edge_of = seat_edge_in_points if totals.contest.in_points else seat_edge
    edges = edge_of(scores.tolist(), level)
    fitted = {edge.players: edge.seats for edge in ratings.by_places.seats}.get(
        totals.contest.parties
    )
    teams = totals.contest.teams or range(totals.contest.players)
    parties = sorted(set(teams))
    return tuple(
        SeatRow(
            seat=seat,
            blocks=len(scores),
            score=ratings.verdicts.estimate(edges[seat]) if edges else None,
            elo=ratings.verdicts.estimate(fitted[parties.index(team)]) if fitted else None,
        )
        for seat, team in enumerate(teams)
    )


def _notes(
    match: Match, totals: ContestTotals, ratings: Ratings, results: Sequence[PairResult]
) -> list[str]:
    notes = []
    names = [entrant.id for entrant in match.entrants]
    anchor = next(iter(match.rating.anchor), None)
    if not totals.blocks:
        notes.append("No block is finished yet.")
    elif anchor is not None and ratings.anchor is None and not totals.contest.is_common:
        notes.append(f"{anchor} has no rating here, so 0 is the mean of the others.")
    elif anchor is not None and not totals.contest.is_common:
        notes += _anchor_notes(anchor, ratings, names, results)
    unrated = [bot for bot in totals.bots if names.index(bot) not in ratings.rated]
    if totals.blocks and unrated and not totals.contest.is_common:
        notes.append(f"No chain of whole blocks connects {listed(unrated)} with the others.")
    if any(result.scores.size and not result.is_as_planned for result in results):
        notes.append(
            "Some pairs did not play as many blocks as planned, or their schedule depended on "
            "results: only the anytime-valid intervals hold for them."
        )
    return notes


def _anchor_notes(
    anchor: str, ratings: Ratings, names: Sequence[str], results: Sequence[PairResult]
) -> list[str]:
    with_anchor = [result for result in results if anchor in result.pair]
    counts = [(result.totals, result.pair[0] == anchor) for result in with_anchor]
    won = sum(totals.wins if is_first else totals.losses for totals, is_first in counts)
    games = sum(totals.wins + totals.draws + totals.losses for totals, _ in counts)
    score = (won + sum(totals.draws for totals, _ in counts) / 2) / games if games else 0.5
    if LEAST_TELLING <= score <= 1 - LEAST_TELLING:
        return []
    verb = "lost" if score < LEAST_TELLING else "won"
    others = [bot for bot in ratings.rated if names[bot] != anchor]
    by_elo = sorted(others, key=lambda bot: _elo(ratings, bot))
    middle = names[by_elo[len(by_elo) // 2]]
    return [
        f"{anchor}, the anchor, {verb} nearly everything (score {score:.3f}): the distances of the "
        f"others to it rest on few games. fix: anchor another bot, such as {middle}."
    ]


def _elo(ratings: Ratings, bot: int) -> float:
    rating = ratings.by_bot[bot]
    return rating.elo.value if rating else 0.0
