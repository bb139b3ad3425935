"""Statistics of one game of a match, assembled from its totals."""

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from cardhub.analysis.accumulate import Accumulated, ContestTotals
from cardhub.analysis.game_schema import BotRow, Deals, GameStatistics, IntervalEstimate, SeatRow
from cardhub.analysis.pairs import PairResult, crosstable, p_value_of, pair_results, pair_rows
from cardhub.analysis.transitivity import transitivity_of
from cardhub.errors.quoting import listed
from cardhub.match.block_seeds import statistics_seed
from cardhub.match.match_spec import Contest, Match
from cardhub.stats import Rating, Ratings, fit_ratings, pooled, seat_edge


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
    transitivity, notes = transitivity_of(match, contest, results)
    luck = pooled(one.spread for one in results)
    statistics = GameStatistics(
        game=contest.id,
        name=contest.game,
        players=contest.players,
        scoring=contest.score,
        blocks=totals.blocks,
        games=totals.games,
        games_per_block=totals.games / totals.blocks if totals.blocks else None,
        left_out=tuple(totals.left_out),
        p_value_of=p_value_of(results),
        bots=_bots(match, totals, ratings, log.tallies.withdrawn),
        pairs=pair_rows(results, totals, rules.level),
        crosstable=crosstable(results, rules.level),
        seats=_seats(totals, ratings, rules.level),
        luck_share=luck.luck_share if luck else None,
        factor_saved=luck.factor_saved if luck else None,
        transitivity=transitivity,
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


def _bots(
    match: Match, totals: ContestTotals, ratings: Ratings, withdrawn: Collection[str]
) -> tuple[BotRow, ...]:
    rows = [
        _bot(totals, entrant.id, ratings.by_bot[number], is_withdrawn=entrant.id in withdrawn)
        for number, entrant in enumerate(match.entrants)
        if entrant.id in totals.bots
    ]
    # The sort is stable: bots of equal rank keep the order of the file.
    return tuple(sorted(rows, key=lambda row: row.rank or len(match.entrants) + 1))


def _bot(totals: ContestTotals, bot: str, rating: Rating | None, *, is_withdrawn: bool) -> BotRow:
    counts = totals.bots[bot]
    return BotRow(
        game=totals.contest.id,
        bot=bot,
        deals=counts.deals,
        is_filler=bot in totals.contest.fillers,
        is_withdrawn=is_withdrawn,
        blocks=counts.blocks,
        games=counts.games,
        score=counts.mean_score,
        elo=IntervalEstimate.of(rating.elo) if rating else None,
        rank=rating.ranks.rank if rating else None,
        best=rating.ranks.best if rating else None,
        worst=rating.ranks.worst if rating else None,
        worst_games=counts.worst_games(),
    )


def _seats(totals: ContestTotals, ratings: Ratings, level: float) -> tuple[SeatRow, ...]:
    scores = totals.seats.by_deal()
    # Two estimates: from blocks without substitutes, and from the joint fit of all games.
    edges = seat_edge(scores.tolist(), level)
    fitted = {edge.players: edge.seats for edge in ratings.seats}.get(totals.contest.players)
    return tuple(
        SeatRow(
            seat=seat,
            blocks=len(scores),
            score=IntervalEstimate.of(edges[seat]) if edges else None,
            elo=IntervalEstimate.of(fitted[seat]) if fitted else None,
        )
        for seat in range(totals.contest.players)
    )


def _notes(
    match: Match, totals: ContestTotals, ratings: Ratings, results: list[PairResult]
) -> list[str]:
    notes = []
    names = [entrant.id for entrant in match.entrants]
    anchor = next(iter(match.rating.anchor), None)
    if not totals.blocks:
        notes.append("No block is finished yet.")
    elif anchor is not None and ratings.anchor is None:
        notes.append(f"{anchor} has no rating here: 0 is the mean of the others.")
    unrated = [bot for bot in totals.bots if names.index(bot) not in ratings.rated]
    if totals.blocks and unrated:
        notes.append(f"No chain of whole blocks connects {listed(unrated)} with the others.")
    if any(one.scores.size and not one.is_as_planned for one in results):
        notes.append(
            "Some pairs did not play as many blocks as planned, or were chosen by results: only "
            "the anytime-valid intervals hold for them."
        )
    return notes
