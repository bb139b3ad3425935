"""Statistics of one game of a match, assembled from its totals, with the order of its bots."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from cardhub.base.writing import amount, listed
from cardhub.lab.analysis.accumulate import Accumulated, ContestTotals
from cardhub.lab.analysis.pairs.pair_result import (
    PairResult,
    pair_results,
    payoffs_between,
    without_bots,
)
from cardhub.lab.analysis.pairs.partners import ad_hoc_rows, partner_rows
from cardhub.lab.analysis.pairs.verdicts import (
    MatchVerdicts,
    crosstable,
    less_luck_rows,
    pair_rows,
)
from cardhub.lab.analysis.schema import (
    DIFFERENT,
    AlphaMass,
    BotRow,
    BotShare,
    GameStatistics,
    SeatRow,
    SweepMass,
    Transitivity,
)
from cardhub.lab.estimate import UNKNOWN, Estimate, OpenEstimate, PointEstimate
from cardhub.lab.match.blocks import statistics_seed
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.stats import (
    AlphaRank,
    FinishTable,
    Payoffs,
    Ranks,
    Ratings,
    Separation,
    alpha_rank,
    bounded,
    centred,
    certified_cycles,
    cyclic_share,
    fit_ratings,
    mean_points,
    mean_score,
    nash_mixture,
    point_ratings,
    pooled,
    ranks_of,
    seat_edge,
    seat_edge_in_points,
    separations,
)

Results: TypeAlias = Sequence[PairResult]
# The fewest bots that can form a cycle.
FEWEST = 3
# Maximum number of draws that are solved; each draw needs several linear programs.
MOST_DRAWS = 200


def transitivity_of(
    match: Match, contest: Contest, results: Results, verdicts: MatchVerdicts
) -> tuple[Transitivity | None, list[str]]:
    """Return the object `transitivity` of a game or None, and notes as strings."""
    played = [result for result in results if result.blocks]
    bots = [
        bot for bot in match.players_of(contest.id) if any(bot in result.pair for result in played)
    ]
    # In a common cause, differences between tables add up, so there are no cycles.
    if len(bots) < FEWEST or contest.is_common:
        return None, []
    payoffs = payoffs_between(bots, played)
    if contest.in_points:
        # Differences are divided by twice the largest difference, and 1/2 is added. Mixtures and
        # cycles do not depend on the scale; all other figures depend only on relative sizes.
        reach = float(abs(payoffs.scores).max()) or 1.0
        payoffs = replace(payoffs, scores=csr_array(payoffs.scores / (2 * reach) + payoffs.met / 2))
    # If a solver fails, the other statistics remain.
    try:
        settled = [verdicts.of(contest.id, result.pair).verdict in DIFFERENT for result in played]
        section = _Solver(match, contest, bots, payoffs).section(settled, verdicts)
    except ArithmeticError as error:
        return None, [f"The cycles were not computed: {error}."]
    return section, _no_payoff_notes(results, bots)


class _Solver:
    """Solver for the payoffs between the bots of a contest that met."""

    def __init__(self, match: Match, contest: Contest, bots: list[str], payoffs: Payoffs) -> None:
        self._match, self._contest = match, contest
        self._bots, self._payoffs = bots, payoffs
        self._level = match.rating.level
        # The mixture and the masses use the same number of draws, with different seeds.
        self._draws = min(MOST_DRAWS, match.rating.bootstrap)

    def section(self, settled: Sequence[bool], verdicts: MatchVerdicts) -> Transitivity:
        # Verdicts of the match replace p-values: 0 is below every limit, and 1 is above. Nothing is
        # sampled, so the rng is not used.
        p_values = [0.0 if is_settled else 1.0 for is_settled in settled]
        cycles = certified_cycles(self._payoffs, Random(0), self._level, p_values)
        share, share_from_noise = cyclic_share(self._payoffs) or (None, None)
        draws, level = self._draws, self._level
        nash = nash_mixture(self._payoffs, seed=self._seed("nash"), draws=draws, level=level)
        alpha = alpha_rank(self._payoffs, seed=self._seed("alpha"), draws=draws, level=level)
        return Transitivity(
            cyclic_share=share,
            cyclic_share_from_noise=share_from_noise,
            apparent_cycles=cycles.apparent,
            certified_cycles=tuple(
                tuple(self._bots[bot] for bot in three) for three in cycles.certified
            ),
            nash=tuple(
                BotShare(bot, _share(verdicts, share_of_bot))
                for bot, share_of_bot in zip(self._bots, nash.shares, strict=True)
            ),
            nash_gap=nash.gap,
            alpha_rank=tuple(
                AlphaMass(bot, _share(verdicts, mass))
                for bot, mass in zip(self._bots, alpha.final, strict=True)
            ),
            alpha_sweep=self._sweep(alpha),
            alpha_is_settled=alpha.is_settled,
        )

    def _sweep(self, ranking: AlphaRank) -> tuple[SweepMass, ...]:
        return tuple(
            SweepMass(alpha, bot, mass)
            for alpha, masses in zip(ranking.alphas.tolist(), ranking.masses, strict=True)
            for bot, mass in zip(self._bots, masses.tolist(), strict=True)
        )

    def _seed(self, purpose: str) -> int:
        return statistics_seed(self._match.seed, self._contest.id, purpose)


def _share(verdicts: MatchVerdicts, estimate: Estimate) -> OpenEstimate:
    # Bootstrap intervals are not valid if the end of the match depends on results.
    return verdicts.estimate(estimate) or UNKNOWN


def _no_payoff_notes(results: Results, bots: Sequence[str]) -> list[str]:
    pairs = {frozenset(result.pair) for result in results if result.blocks}
    missing = len(bots) * (len(bots) - 1) // 2 - len(pairs)
    if not missing:
        return []
    note = "1 pair never met; in Nash mixture and alpha-rank it counts as even."
    if missing > 1:
        note = f"{missing} pairs never met; in Nash mixture and alpha-rank they count as even."
    return [note]


class BotRatings(NamedTuple):
    """Ratings by index of the entrant; `in_points` is None unless points score the contest."""

    by_places: Ratings
    in_points: Sequence[PointEstimate | None] | None
    separations: Mapping[int, Separation]
    verdicts: MatchVerdicts
    game: str

    def value(self, bot: int) -> float | None:
        """Return the number by which bots are ordered."""
        if self.in_points is not None:
            rated = self.in_points[bot]
            return rated.value if rated else None
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


def _ranks(
    values: Mapping[str, float | None], verdicts: MatchVerdicts, game: str
) -> dict[str, Ranks]:
    """Return the ranks of the bots that are compared, by their ratings, within their ranges."""
    compared = [bot for bot in verdicts.compared(game) if values[bot] is not None]
    ranges = verdicts.rank_ranges([game], verdicts.compared(game))
    numbers = np.asarray([values[bot] for bot in compared], dtype=np.float64)
    return {
        bot: Ranks.within(*ranges[bot], rank)
        for bot, rank in zip(compared, ranks_of(numbers).tolist(), strict=True)
    }


def _place(rank: Ranks | None, value: float | None) -> tuple[float, float]:
    # Ratings that differ by rounding share a rank: no order by value within one.
    return (rank.rank, 0.0) if rank else (inf, inf if value is None else -value)


def _bot(
    totals: ContestTotals,
    ratings: BotRatings,
    bot: str,
    number: int,
    level: float,
    rank: Ranks | None,
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
        points_above_mean=ratings.verdicts.estimate(in_points),
        reached=ratings.verdicts.estimate(mean_score(counts.reached(), level)),
        elo=ratings.elo(number),
        rank=rank.rank if rank else None,
        best=rank.best if rank else None,
        worst=rank.worst if rank else None,
        worst_games=counts.worst_games(),
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
    results: Results,
    verdicts: MatchVerdicts,
) -> AnalysedContest:
    """Return the ratings and statistics of a contest, given its pairs and all verdicts."""
    withdrawn = log.tallies.withdrawn
    compared = without_bots(results, withdrawn)
    names = [entrant.id for entrant in match.entrants]
    table = totals.table.table(without=[names.index(bot) for bot in withdrawn])
    fitted = _ratings(match, totals, table)
    apart = separations(table, fitted)
    ratings = centred(fitted, apart, match.rating.level)
    points = _point_ratings(match, totals.contest, compared)
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
        return list(points)
    table = totals.table.table()
    fitted = _ratings(match, totals, table)
    apart = separations(table, fitted)
    return [
        bounded(rating.elo, apart[rating.bot]) if rating else None
        for rating in centred(fitted, apart, match.rating.level).by_bot
    ]


def _statistics(
    match: Match, totals: ContestTotals, log: Accumulated, results: Results, ratings: BotRatings
) -> GameStatistics:
    contest, level, verdicts = totals.contest, match.rating.level, ratings.verdicts
    compared = without_bots(results, withdrawn := log.tallies.withdrawn)
    transitivity, notes = transitivity_of(match, contest, compared, verdicts)
    luck = pooled(result.spread for result in results)
    bots = bot_rows(match, totals, ratings, withdrawn)
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
        joint=verdicts.joint.get(contest.id, ()),
        by_places=verdicts.places.get(contest.id, ()),
        partners=partner_rows(totals, verdicts, level, withdrawn),
        ad_hoc=ad_hoc_rows(totals, verdicts, level, withdrawn),
        seats=_seats(totals, ratings, level),
        luck_share=luck.luck_share if luck else None,
        factor_saved=luck.factor_saved if luck else None,
        transitivity=transitivity,
        upsets=totals.upsets.rows(bots, cells),
        faults=totals.faults.rows(contest.id),
        audit=totals.audit.row(),
        notes=(*_notes(match, totals, ratings.by_places, compared, withdrawn), *notes),
        less_luck=less_luck_rows(match, contest, results, verdicts),
    )


def _ratings(match: Match, totals: ContestTotals, table: FinishTable) -> Ratings:
    names, rules = [entrant.id for entrant in match.entrants], match.rating
    anchor = next(iter(rules.anchor), None)
    return fit_ratings(
        table,
        len(names),
        anchor=None if anchor is None else names.index(anchor),
        anchor_elo=rules.anchor.get(anchor, 0.0) if anchor else 0.0,
        draws=rules.bootstrap,
        seed=statistics_seed(match.seed, totals.contest.id, "ratings"),
        level=rules.level,
    )


def _point_ratings(
    match: Match, contest: Contest, results: Results
) -> Sequence[PointEstimate | None] | None:
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
    fitted = ratings.by_places.seats.get(totals.contest.parties)
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
    match: Match,
    totals: ContestTotals,
    ratings: Ratings,
    results: Results,
    withdrawn: Collection[str],
) -> list[str]:
    notes = [
        f"{bot} was withdrawn: it has neither a rank nor verdicts."
        for bot in totals.bots
        if bot in withdrawn
    ] + _parts_played(match, totals)
    names = [entrant.id for entrant in match.entrants]
    anchor = next(iter(match.rating.anchor), None)
    if not totals.blocks:
        notes.append("No block is finished yet.")
    elif anchor is not None and ratings.anchor is None and not totals.contest.is_common:
        notes.append(f"{anchor} has no rating here, so 0 is the mean of the others.")
    elif anchor is not None and not totals.contest.is_common:
        notes += _anchor_notes(anchor, ratings, names, results)
    unrated = [
        bot for bot in totals.bots if names.index(bot) not in ratings.rated and bot not in withdrawn
    ]
    if totals.blocks and unrated and not totals.contest.is_common:
        notes.append(f"No chain of whole blocks connects {listed(unrated)} with the others.")
    if any(result.scores.size and not result.is_as_planned for result in results):
        notes.append(
            "Some pairs did not play as many blocks as planned, or their schedule depended on "
            "results: only the anytime-valid intervals hold for them."
        )
    return notes


def _parts_played(match: Match, totals: ContestTotals) -> list[str]:
    """Return notes on games that begin after the deal, or end early."""
    notes = []
    if match.adjudicate and not totals.contest.in_points:
        notes.append(
            f"In {totals.decided} of {amount(totals.games, 'game')} the places were certain before "
            "the end, and the game ended there."
        )
    if openings := totals.contest.openings:
        notes.append(
            f"The games begin at {amount(len(openings), 'position')} of a suite: the results hold "
            "for positions like these, not for dealt cards."
        )
    return notes


def _anchor_notes(
    anchor: str, ratings: Ratings, names: Sequence[str], results: Results
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
