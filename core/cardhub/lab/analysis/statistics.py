"""Statistics of a whole match, with the rankings over several games."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has no types

from cardhub.base.writing import listed
from cardhub.lab.analysis.accumulate import Accumulated, accumulate
from cardhub.lab.analysis.contests import AnalysedContest, analyse_contest, results_of
from cardhub.lab.analysis.pairs.pair_result import PairResult
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts, RankRange, decide, leads_of
from cardhub.lab.analysis.schema import (
    AllGames,
    Anchor,
    BotGames,
    BotShare,
    GameShare,
    RankedBot,
    Ranking,
    SprtEstimate,
    Statistics,
)
from cardhub.lab.analysis.sprt_section import sprt_section, suggestion_after
from cardhub.lab.estimate import UNKNOWN, Estimate, OpenEstimate
from cardhub.lab.match.match_spec import Match
from cardhub.lab.stats import (
    Overall,
    OverallView,
    Ranks,
    Rating,
    Ratings,
    Separation,
    bounded,
    disagreements,
)
from cardhub.lab.stats import overall_views as views_of

NAMES = {"mean Elo": "mean", "Nash averaging": "nash", "Kemeny": "kemeny"}
# A missing bot that counts as losing is this far below the last bot of the game, in Elo.
LOSS = 400.0
FEWEST = 2


def all_games_of(
    match: Match, contests: Sequence[AnalysedContest], verdicts: MatchVerdicts
) -> tuple[AllGames | None, list[str]]:
    """Return the object `overall`, or None with notes that give the reason."""
    if len(contests) < FEWEST:
        return None, []
    assumed = _assumed(match, contests)
    ratings = [
        _with_losses(analysed.ratings, [bot for bot, games in assumed.items() if n in games])
        for n, analysed in enumerate(contests)
    ]
    # If a linear program fails, the other statistics remain.
    try:
        overall = views_of(ratings, level=match.rating.level, finite=_finite(contests))
    except ArithmeticError as error:
        return None, [f"There is no ranking over all games: {error}."]
    if overall is None or len(overall.bots) < FEWEST:
        return None, ["Fewer than two bots are rated in every game."]
    section = _Section(match, contests, overall, assumed, verdicts)
    return section.all_games(_unrated(match, ratings, overall)), []


def shared_games_of(
    match: Match, contests: Sequence[AnalysedContest], verdicts: MatchVerdicts
) -> AllGames | None:
    """Return the rankings over the games that all bots play; None if all games are, or too few."""
    bots = {bot for analysed in contests for bot in analysed.ratings.rated}
    shared = [analysed for analysed in contests if bots == {*analysed.ratings.rated}]
    if len(shared) == len(contests):
        return None
    return all_games_of(match, shared, verdicts)[0]


class _Section:
    """Builds the object `overall` for games and the bots that are rated in all of them."""

    def __init__(
        self,
        match: Match,
        contests: Sequence[AnalysedContest],
        overall: Overall,
        assumed: Mapping[int, Sequence[int]],
        verdicts: MatchVerdicts,
    ) -> None:
        self._match, self._contests, self._overall = match, contests, overall
        self._assumed, self._verdicts = assumed, verdicts
        self._names = [entrant.id for entrant in match.entrants]
        self._ranges = self._rank_ranges()

    def all_games(self, unrated: Mapping[int, Sequence[int]]) -> AllGames:
        overall = self._overall
        views = [
            self._ranked(view)
            for name in self._match.rating.overall
            for view in overall.views
            if NAMES[view.name] == name
        ]
        games = tuple(analysed.contest.id for analysed in self._contests)
        pairs = self._verdicts.overall.get(games, ())
        return AllGames(
            games=games,
            question=self._match.overall.verdict,
            pairs=pairs,
            leads=leads_of(pairs),
            views=tuple(map(self._ranking, views)),
            game_mixture=tuple(
                GameShare(analysed.contest.id, self._verdicts.estimate(share) or UNKNOWN)
                for analysed, share in zip(self._contests, overall.games, strict=True)
            ),
            bot_mixture=self._shares(overall.best),
            gap=overall.gap,
            lottery=self._shares(overall.lottery),
            contradictions=overall.kemeny.contradictions,
            bound=overall.kemeny.bound,
            equals=overall.kemeny.equals,
            is_anchored=overall.is_anchored,
            left_out=_bot_games(self._match, self._contests, unrated),
            assumed=_bot_games(self._match, self._contests, self._assumed),
            disagreements=tuple(disagreements(replace(overall, views=tuple(views)), self._names)),
        )

    def _rank_ranges(self) -> list[RankRange]:
        bots = [self._names[bot] for bot in self._overall.bots]
        losses = {
            (self._contests[n].contest.id, self._names[bot])
            for bot, games in self._assumed.items()
            for n in games
        }
        games = [analysed.contest.id for analysed in self._contests]
        ranges = self._verdicts.rank_ranges(games, bots, losses)
        return [ranges[bot] for bot in bots]

    def _ranked(self, view: OverallView) -> OverallView:
        ranks = [
            Ranks.within(*allowed, ranks.rank)
            for ranks, allowed in zip(view.ranks, self._ranges, strict=True)
        ]
        return replace(view, ranks=tuple(ranks))

    def _ranking(self, view: OverallView) -> Ranking:
        rows = [
            RankedBot(self._names[bot], self._estimate(view, n), *view.ranks[n])
            for n, bot in enumerate(self._overall.bots)
        ]
        return Ranking(NAMES[view.name], view.name, tuple(sorted(rows, key=lambda row: row.rank)))

    def _estimate(self, view: OverallView, number: int) -> OpenEstimate | None:
        if view.scores is None:
            return None
        score = view.scores[number]
        # Bootstrap intervals are not valid if the end of the match depends on results.
        apart = self._separation(self._overall.bots[number])
        if not self._verdicts.is_fixed:
            value = score.value if apart is Separation.NONE else None
            return OpenEstimate(value, None, None)
        return bounded(score, apart)

    def _separation(self, bot: int) -> Separation:
        """Return whether the mean over games is finite: a bound in one game bounds the mean."""
        separations = {
            analysed.separations.get(bot, Separation.NONE) for analysed in self._contests
        }
        separations.discard(Separation.NONE)
        if len(separations) > 1:
            return Separation.UNKNOWN
        return separations.pop() if separations else Separation.NONE

    def _shares(self, mixture: Sequence[float]) -> tuple[BotShare[float], ...]:
        pairs = zip(self._overall.bots, mixture, strict=True)
        return tuple(BotShare(self._names[bot], share) for bot, share in pairs)


def _finite(contests: Sequence[AnalysedContest]) -> set[int]:
    """Return the bots whose Elo is finite in each game."""
    rated = (
        {bot for bot, apart in analysed.separations.items() if apart is Separation.NONE}
        for analysed in contests
    )
    return set.intersection(*rated)


def _assumed(match: Match, contests: Sequence[AnalysedContest]) -> dict[int, list[int]]:
    # Only bots that are rated in all games they play: an assumed loss must not hide a missing
    # rating.
    if match.rating.missing != "loss":
        return {}
    assumed = {}
    for number, entrant in enumerate(match.entrants):
        missing = [
            n for n, analysed in enumerate(contests) if analysed.contest.id not in entrant.plays
        ]
        rated = [n for n, analysed in enumerate(contests) if number in analysed.ratings.rated]
        if missing and len(missing) + len(rated) == len(contests):
            assumed[number] = missing
    return assumed


def _with_losses(ratings: Ratings, bots: Sequence[int]) -> Ratings:
    if not ratings.rated or not bots:
        return ratings
    by_bot = list(ratings.by_bot)
    last = min(rating.elo.value for rating in by_bot if rating is not None) - LOSS
    for bot in bots:
        place = len(ratings.rated) + 1
        by_bot[bot] = Rating(bot, Estimate(last, last, last), Ranks(place, place, place), 0, 0)
    # The losses are part of every draw, because ranks and mixtures have joint intervals.
    below = np.repeat(ratings.draws.min(axis=1, keepdims=True) - LOSS, len(bots), axis=1)
    return replace(
        ratings,
        by_bot=tuple(by_bot),
        rated=(*ratings.rated, *bots),
        draws=np.hstack([ratings.draws, below]),
    )


def _unrated(match: Match, ratings: Sequence[Ratings], overall: Overall) -> dict[int, list[int]]:
    return {
        bot: [n for n, rated in enumerate(ratings) if bot not in rated.rated]
        for bot in range(len(match.entrants))
        if bot not in overall.bots
    }


def _bot_games(
    match: Match, contests: Sequence[AnalysedContest], games_by_bot: Mapping[int, Sequence[int]]
) -> tuple[BotGames, ...]:
    return tuple(
        BotGames(match.entrants[bot].id, tuple(contests[n].contest.id for n in games))
        for bot, games in games_by_bot.items()
    )


def statistics_of(match: Match, folder: Path) -> Statistics:
    """Return the statistics of a match; see `cardhub.lab.analysis.analyse`."""
    log = accumulate(match, folder)
    # One thread, because matrices are small and several threads would change the order of sums.
    with threadpool_limits(limits=1):
        # The round trip through JSON checks types, and rejects NaN and numpy scalars.
        data = msgspec.json.encode(_statistics(match, log), enc_hook=_scalar)
        return msgspec.json.decode(data, type=Statistics)


def _statistics(match: Match, log: Accumulated) -> Statistics:
    results = {game: results_of(match, totals) for game, totals in log.contests.items()}
    test = _test(match, log, results)
    withdrawn = log.tallies.withdrawn
    verdicts = decide(match, results, test.verdict if test else None, withdrawn)
    contests = [
        analyse_contest(match, totals, log, results[game], verdicts)
        for game, totals in log.contests.items()
    ]
    rated = [analysed for analysed in contests if not analysed.contest.is_common]
    overall, notes = all_games_of(match, rated, verdicts)
    left_out = [analysed.contest.id for analysed in contests if analysed.contest.is_common]
    if left_out and len(contests) > 1:
        verb = "has" if len(left_out) == 1 else "have"
        notes.append(
            f"{listed(left_out)} {verb} one score for a whole table, and no part in the rankings "
            "over all games."
        )
    if log.test is not None:
        notes += suggestion_after(log.test)
    return Statistics(
        level=match.rating.level,
        draws=match.rating.bootstrap,
        anchor=next((Anchor(bot, elo) for bot, elo in match.rating.anchor.items()), None),
        missing=match.rating.missing,
        comparisons=verdicts.comparisons,
        games=tuple(analysed.statistics for analysed in contests),
        overall=overall,
        shared=shared_games_of(match, rated, verdicts),
        test=test,
        notes=tuple(notes),
    )


def _test(
    match: Match, log: Accumulated, results: Mapping[str, Sequence[PairResult]]
) -> SprtEstimate | None:
    if log.test is None:
        return None
    rule = log.test.rule
    pairs = (result for result in results[rule.contest] if {*result.pair} == {rule.a, rule.b})
    result = next(pairs, None)
    deals = (int(result.deals[0]), int(result.deals[-1])) if result and result.blocks else None
    return sprt_section(log.test, log.history, deals, match.rating.level)


def _scalar(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"no JSON for {type(value).__name__}")
